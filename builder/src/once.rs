//! `builder serve --once`: serves what was just built, calls every tool once over a real connection, and says how each did.
//!
//! The client is that of [`runtime::smoke`]. Only the word to search for comes from the artifact, as a person would know one of their own site. Feedback goes to
//! a store that is gone afterwards.
//!
//! ```text
//! list_collections    ok      412 µs
//! get_post            wrong   290 µs  no post has the slug `a`
//! ```

use std::net::{Ipv4Addr, SocketAddr};
use std::path::{Path, PathBuf};
use std::sync::mpsc;

use artifact::format::Artifact;
use artifact::route::slug_of;
use artifact::text::Query;
use runtime::local::{Feedback, ServeOptions, serve_until};
use runtime::mcp::Era;
use runtime::smoke::{self, Answer, Known, Target};

use crate::serve::Wanted;

/// Serves, calls every tool once, and stops.
///
/// # Errors
/// When it could not be served.
pub(crate) fn once(wanted: &Wanted) -> Result<Vec<Answer>, String> {
    let store =
        Temporary::new().map_err(|error| format!("cannot make a temporary folder: {error}"))?;
    let any = SocketAddr::from((Ipv4Addr::LOCALHOST, 0));
    let options = ServeOptions {
        address: wanted.address.unwrap_or(any),
        feedback: Feedback::File(store.0.join("feedback.sqlite")),
        private: wanted.private,
        ..ServeOptions::default()
    };
    let known = known(wanted.artifact)?;
    let artifact = wanted.artifact.to_owned();
    let (ready, address) = mpsc::channel();
    let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
    let server = std::thread::spawn(move || {
        let stopped = async {
            let _ = stopped.await; // dropped is as good as told
        };
        serve_until(
            &artifact,
            &options,
            || Ok(stopped),
            move |address| {
                let _ = ready.send(address); // the caller waits for it
            },
        )
    });
    let answers = address.recv().ok().map(|address| {
        let target = Target {
            url: format!("http://{address}/mcp"),
            token: None,
        };
        let wanted = runtime::smoke::Wanted {
            known: Some(known),
            feedback: true,
        };
        smoke::call_all(&target, Era::Legacy, &wanted)
    });
    drop(stop);
    match server.join() {
        Ok(Ok(())) => {
            answers.ok_or_else(|| "the server stopped before it could be asked".to_owned())
        }
        Ok(Err(error)) => Err(error.to_string()),
        Err(_) => Err("the server panicked".to_owned()),
    }
}

/// A folder that is gone afterwards.
struct Temporary(PathBuf);

impl Temporary {
    fn new() -> std::io::Result<Temporary> {
        let path = std::env::temp_dir().join(format!("shelfmark-once-{}", std::process::id()));
        std::fs::create_dir(&path)?;
        Ok(Temporary(path))
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0); // nothing depends on it
    }
}

/// What somebody knows of their own site.
fn known(path: &Path) -> Result<Known, String> {
    let artifact: Artifact<'static> =
        runtime::library::open(path).map_err(|error| error.to_string())?;
    let analyzers = artifact.site().analyzers();
    let word = artifact.pages().newest_first().find_map(|page| {
        let words = Query::read(&analyzers, artifact.title(page)).words;
        words
            .into_iter()
            .max_by_key(|word| word.written.chars().count())
    });
    let is_post = |page: &u32| {
        let mut collections = artifact.collections().iter();
        collections.any(|collection| collection.posts && collection.range().contains(page))
    };
    let post = artifact.pages().newest_first().find(is_post);
    Ok(Known {
        word: word.map(|word| word.written),
        post: post.and_then(|page| Some(slug_of(&artifact.pages().route(page)?).to_owned())),
    })
}
