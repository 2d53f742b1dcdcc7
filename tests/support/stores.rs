//! What tests of the feedback stores share: an emulated DynamoDB, a look into each store, a submission.

// Each test uses a part of it.
#![allow(dead_code)]

use std::collections::BTreeMap;
use std::net::SocketAddr;
use std::path::Path;
use std::time::Instant;

use dynoxide::Database;
use jiff::Timestamp;
use runtime::feedback::dynamodb::{DynamoDbStore, Settings};
use runtime::feedback::{About, Kind, Recorded, Severity, Submission, WRITE};
use serde_json::json;
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};

pub(crate) const TABLE: &str = "feedback";

/// A record as the author would read it: names and values as text.
pub(crate) type Row = BTreeMap<String, String>;

/// When a write that begins now must have been answered.
pub(crate) fn soon() -> Instant {
    Instant::now() + WRITE
}

pub(crate) fn run(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_current_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(test);
}

pub(crate) async fn emulator() -> (SocketAddr, Database) {
    let database = Database::memory().expect("memory");
    let mut table: serde_json::Value =
        serde_json::from_str(include_str!("feedback_table.json")).expect("JSON");
    table["TableName"] = TABLE.into();
    database
        .create_table(serde_json::from_value(table).expect("a request"))
        .expect("a table");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(dynoxide::server::serve_with_shutdown(
        listener,
        database.clone(),
        std::future::pending(),
    ));
    (address, database)
}

pub(crate) fn dynamodb(address: SocketAddr) -> DynamoDbStore {
    dynamodb_table(address, TABLE)
}

pub(crate) fn dynamodb_table(address: SocketAddr, table: &str) -> DynamoDbStore {
    DynamoDbStore::new(settings(address, table))
}

pub(crate) fn settings(address: SocketAddr, table: &str) -> Settings {
    let variable = |name: &str| match name {
        "AWS_ENDPOINT_URL_DYNAMODB" => Some(format!("http://{address}")),
        "AWS_REGION" => Some("eu-west-1".to_owned()),
        "AWS_ACCESS_KEY_ID" | "AWS_SECRET_ACCESS_KEY" => Some("test".to_owned()),
        _ => None,
    };
    Settings::read(table, variable).expect("all variables are set")
}

pub(crate) fn sqlite_rows(path: &Path) -> Vec<Row> {
    use rusqlite::types::Value;
    let database = rusqlite::Connection::open(path).expect("opened");
    let mut all = database
        .prepare("SELECT * FROM feedback ORDER BY key")
        .expect("the table is there");
    let names: Vec<String> = all.column_names().into_iter().map(str::to_owned).collect();
    let rows = all.query_map([], |row| {
        let mut kept = Row::new();
        for (column, name) in names.iter().enumerate() {
            let value = match row.get::<_, Value>(column)? {
                Value::Null => continue,
                Value::Integer(number) if name == "about_published" => (number == 1).to_string(),
                Value::Integer(number) => number.to_string(),
                Value::Text(text) => text,
                other => panic!("{name} is {other:?}"),
            };
            kept.insert(name.clone(), value);
        }
        Ok(kept)
    });
    rows.expect("a query")
        .collect::<Result<_, _>>()
        .expect("rows")
}

/// The records of the table; checks the counts of the days against them.
pub(crate) fn dynamodb_rows(database: &Database) -> Vec<Row> {
    let scan = serde_json::from_value(json!({ "TableName": TABLE })).expect("a request");
    let answer = serde_json::to_value(database.scan(scan).expect("scanned")).expect("JSON");
    let items = answer["Items"].as_array().cloned().unwrap_or_default();
    let row = |item: &serde_json::Value| -> Row {
        let attributes = item.as_object().expect("an item").iter();
        let named = |name: &String| {
            if name == "pk" {
                "key".to_owned()
            } else {
                name.clone()
            }
        };
        let text = |value: &serde_json::Value| match (&value["S"], &value["BOOL"], &value["N"]) {
            (serde_json::Value::String(text), _, _) => text.clone(),
            (_, serde_json::Value::Bool(flag), _) => flag.to_string(),
            (_, _, serde_json::Value::String(number)) => number.clone(),
            _ => panic!("{value}"),
        };
        attributes
            .filter(|(name, _)| *name != "inbox")
            .map(|(name, value)| (named(name), text(value)))
            .collect()
    };
    let (counts, records): (Vec<Row>, Vec<Row>) = items
        .iter()
        .map(row)
        .partition(|row| row["key"].starts_with("day#"));
    // Each day was counted in the transactions that kept its records.
    for count in counts {
        let day = count["key"].trim_start_matches("day#");
        let kept = records
            .iter()
            .filter(|row| row["received_at"].starts_with(day))
            .count();
        assert_eq!(count["written"], kept.to_string(), "{day}");
    }
    records
}

pub(crate) fn submission() -> Submission {
    Submission {
        key: "0b7e9a44-5c1d-4e0a-9a3b-2f6f0c1d2e3f"
            .parse()
            .expect("a UUID"),
        message: "The page on caching has no example.\nPlease add one.".to_owned(),
        kind: Kind::Missing,
        severity: Severity::Medium,
        about: Some(About {
            route: "/guide/caching".to_owned(),
            published: true,
        }),
        artifact: "3f9a27".to_owned(),
        client: Some("an editor".to_owned()),
    }
}

/// Minute `minute` of one fixed hour.
pub(crate) fn at(minute: u8) -> Timestamp {
    format!("2026-11-30T12:{minute:02}:00Z")
        .parse()
        .expect("a time")
}

pub(crate) fn new(minute: u8) -> Recorded {
    Recorded::New {
        received_at: format!("2026-11-30T12:{minute:02}:00.000Z"),
    }
}

pub(crate) fn already(minute: u8) -> Recorded {
    Recorded::Already {
        received_at: format!("2026-11-30T12:{minute:02}:00.000Z"),
    }
}

/// One HTTP message with a content-length.
pub(crate) async fn message(stream: &mut TcpStream) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let text = String::from_utf8_lossy(&bytes).to_ascii_lowercase();
        if let Some((head, _)) = text.split_once("\r\n\r\n") {
            let length = head
                .lines()
                .find_map(|line| line.strip_prefix("content-length:"));
            let length: usize = length
                .and_then(|length| length.trim().parse().ok())
                .unwrap_or(0);
            if bytes.len() >= head.len() + 4 + length {
                return bytes;
            }
        }
        if !matches!(stream.read_buf(&mut bytes).await, Ok(1..)) {
            return bytes;
        }
    }
}

pub(crate) fn database_len(database: &Database) -> usize {
    dynamodb_rows(database).len()
}
