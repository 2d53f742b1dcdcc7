//! A server on a socket of its own, in a thread of the test's process.

use std::net::SocketAddr;
use std::sync::{Arc, mpsc};
use std::thread::JoinHandle;

use runtime::feedback::FeedbackStore;
use runtime::mcp::{Endpoint, Tools};
use runtime::request_log::RequestLog;

/// Serves until `stop` is done; gives the address once the server listens.
pub(crate) fn serve<T: Tools + 'static>(
    endpoint: Endpoint<T>,
    store: impl FeedbackStore + 'static,
    stop: impl Future<Output = ()> + Send + 'static,
) -> (SocketAddr, JoinHandle<()>) {
    let (ready, address) = mpsc::channel();
    let server = std::thread::spawn(move || {
        let runtime = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(2)
            .enable_all()
            .build()
            .expect("a runtime");
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::bind("127.0.0.1:0")
                .await
                .expect("a port");
            ready
                .send(listener.local_addr().expect("an address"))
                .expect("the test waits");
            let log = Arc::new(RequestLog::off());
            let store = Arc::new(store);
            runtime::http::serve(listener, Arc::new(endpoint), Some(store), log, stop)
                .await
                .expect("serves");
        });
    });
    (address.recv().expect("the server starts"), server)
}
