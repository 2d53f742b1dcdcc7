//! An emulated DynamoDB with the feedback table of `template.yaml`, for trying the function without an account.
//!
//! ```text
//! cargo run -p runtime --example dynamodb_emulator -- 127.0.0.1:8000 feedback
//! ```
//!
//! Listens on the loopback address that it is given, keeps everything in memory, prints `ready` with the address (port 0 lets the
//! system choose), and stops when its standard input ends. `dynamodb_emulator … --show` also prints every stored item, one
//! line of JSON each, before it stops.

use std::io::Read;
use std::net::SocketAddr;

use anyhow::{Context, Result, bail};
use dynoxide::Database;
use serde_json::{Value, json};
use tokio::net::TcpListener;

fn main() -> Result<()> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (address, table, show) = match &arguments[..] {
        [address, table] => (address, table, false),
        [address, table, flag] if flag == "--show" => (address, table, true),
        _ => bail!("usage: dynamodb_emulator ADDRESS TABLE [--show]"),
    };
    let address: SocketAddr = address
        .parse()
        .with_context(|| format!("`{address}` is no address"))?;
    if !address.ip().is_loopback() {
        bail!("`{address}` is not a loopback address: an emulator has no locks on its doors");
    }
    let database = Database::memory()?;
    database.create_table(serde_json::from_value(definition(table)?)?)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()?;
    runtime.block_on(async {
        let listener = TcpListener::bind(address)
            .await
            .with_context(|| format!("could not listen on {address}"))?;
        println!("ready {}", listener.local_addr()?);
        let input_ends = async {
            let ended =
                tokio::task::spawn_blocking(|| std::io::stdin().read_to_end(&mut Vec::new()));
            drop(ended.await);
        };
        let served = dynoxide::server::serve_with_shutdown(
            listener,
            database.clone(),
            std::future::pending(),
        );
        tokio::select! {
            () = input_ends => Ok(()),
            result = served => result.map_err(anyhow::Error::msg),
        }
    })?;
    if show {
        let scan = serde_json::from_value(json!({ "TableName": table }))?;
        let answer = serde_json::to_value(database.scan(scan)?)?;
        for item in answer["Items"].as_array().into_iter().flatten() {
            println!("{item}");
        }
    }
    Ok(())
}

/// The table of `template.yaml`.
fn definition(table: &str) -> Result<Value> {
    let mut definition: Value =
        serde_json::from_str(include_str!("../../tests/support/feedback_table.json"))?;
    definition["TableName"] = table.into();
    Ok(definition)
}
