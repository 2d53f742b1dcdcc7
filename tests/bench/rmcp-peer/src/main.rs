//! One tool that answers with one fixed text, on the official Rust SDK, stateless and with JSON answers: as near to our server as it is set up.
//!
//! ```sh
//! cargo run --release --manifest-path tests/bench/rmcp-peer/Cargo.toml -- 127.0.0.1:9210
//! ```

use std::sync::Arc;

use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::streamable_http_server::{StreamableHttpServerConfig, StreamableHttpService};
use rmcp::{tool, tool_router};

#[derive(Clone)]
struct Fixed;

#[tool_router(server_handler)]
impl Fixed {
    #[tool(description = "Answers with a fixed text")]
    async fn fixed(&self) -> String {
        "A fixed text.".to_owned()
    }
}

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let address = std::env::args()
        .nth(1)
        .unwrap_or("127.0.0.1:9210".to_owned());
    let mut config = StreamableHttpServerConfig::default();
    config.legacy_session_mode = false;
    config.json_response = true;
    let service = StreamableHttpService::new(
        || Ok(Fixed),
        Arc::new(LocalSessionManager::default()),
        config,
    );
    let listener = tokio::net::TcpListener::bind(&address).await?;
    eprintln!("http://{}/mcp", listener.local_addr()?);
    axum::serve(listener, axum::Router::new().nest_service("/mcp", service)).await?;
    Ok(())
}
