//! Many writers before a DynamoDB that fails in every way at once: what is kept, and what they are told, agree.
//!
//! A proxy between the store and the emulator does something else with each request, by a seed: it delays, loses the answer after
//! the write, answers with garbage, with 500 or that it throttles, resets the connection, or lets a write arrive after its writer has
//! given up on it. `SHELFMARK_FAULTS=20000 cargo test -p runtime --test feedback_faults -- --nocapture` makes as many submissions.

use std::collections::{BTreeMap, BTreeSet};
use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use jiff::Timestamp;
use runtime::feedback::dynamodb::DynamoDbStore;
use runtime::feedback::{Bounds, FeedbackStore, Recorded, StoreError, Submission};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::mpsc;

#[path = "../support/stores.rs"]
mod stores;

use stores::*;

const SEED: u64 = 20_261_130;
const WORKERS: usize = 32;
/// Of these 32 stores, each like one copy of the function with connections of its own.
const COPIES: usize = 4;
const CALLS: usize = 3;
const ATTEMPT: Duration = Duration::from_millis(120);
const CALL: Duration = Duration::from_millis(300);

/// SplitMix64: a number that follows from `SEED` and the place it is asked for.
fn chance(place: u64, choices: u64) -> u64 {
    let mut z =
        (SEED ^ place.wrapping_mul(0x9e37_79b9_7f4a_7c15)).wrapping_add(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    (z ^ (z >> 31)) % choices
}

const FAULTS: [&str; 12] = [
    "passed on",
    "delayed",
    "written after its writer gave up",
    "answer lost after the write",
    "half an answer after the write",
    "garbage after the write",
    "garbage instead of the write",
    "500 after the write",
    "500 instead of the write",
    "throttled",
    "reset",
    "conflict",
];

/// What the proxy has done, and who waits for it to have done everything.
#[derive(Default)]
struct Done {
    requests: AtomicU64,
    of_each: [AtomicU64; FAULTS.len()],
}

/// Serves until nobody connects any more; each connection drops its sender at its end, so that an empty channel means that all is done.
async fn proxy(
    listener: TcpListener,
    upstream: SocketAddr,
    done: Arc<Done>,
    busy: mpsc::Sender<()>,
    mut stop: tokio::sync::oneshot::Receiver<()>,
) {
    loop {
        let client = tokio::select! {
            accepted = listener.accept() => accepted.expect("a connection").0,
            _ = &mut stop => return,
        };
        tokio::spawn(connection(
            client,
            upstream,
            Arc::clone(&done),
            busy.clone(),
        ));
    }
}

async fn connection(
    mut client: TcpStream,
    upstream: SocketAddr,
    done: Arc<Done>,
    _busy: mpsc::Sender<()>,
) {
    loop {
        let request = message(&mut client).await;
        if request.is_empty() {
            return;
        }
        let number = done.requests.fetch_add(1, Ordering::Relaxed);
        // A third of all requests pass, so that some writers give up without an answer.
        let fault = match chance(number, 3) {
            0 => 0,
            _ => chance(number ^ 0xfau64 << 32, FAULTS.len() as u64) as usize,
        };
        done.of_each[fault].fetch_add(1, Ordering::Relaxed);
        let pass = async || {
            let mut server = TcpStream::connect(upstream).await.expect("it listens");
            server.write_all(&request).await.expect("written");
            message(&mut server).await
        };
        let error = |status: u16, code: &str, more: &str| {
            let body = format!(
                r#"{{"__type":"com.amazonaws.dynamodb.v20120810#{code}"{more},"message":"no"}}"#
            );
            http(status, body.as_bytes())
        };
        let answer = match FAULTS[fault] {
            "passed on" => pass().await,
            "delayed" => {
                tokio::time::sleep(Duration::from_millis(chance(number, 40))).await;
                pass().await
            }
            "written after its writer gave up" => {
                tokio::time::sleep(ATTEMPT + Duration::from_millis(chance(number, 200))).await;
                pass().await
            }
            "answer lost after the write" => {
                pass().await;
                return;
            }
            "half an answer after the write" => {
                let answer = pass().await;
                drop(client.write_all(&answer[..answer.len() / 2]).await);
                return;
            }
            "garbage after the write" => {
                pass().await;
                http(200, b"\xff\x00<html>it works</html>")
            }
            "garbage instead of the write" => b"\x16\x03\x01 not HTTP at all\r\n\r\n".to_vec(),
            "500 after the write" => {
                pass().await;
                error(500, "InternalServerError", "")
            }
            "500 instead of the write" => error(500, "InternalServerError", ""),
            "throttled" => error(400, "ThrottlingException", ""),
            "reset" => {
                if chance(number, 2) == 0 {
                    pass().await;
                }
                client.set_zero_linger().expect("an open socket");
                return;
            }
            "conflict" => error(
                400,
                "TransactionCanceledException",
                r#","CancellationReasons":[{"Code":"None"},{"Code":"TransactionConflict"}]"#,
            ),
            other => unreachable!("{other}"),
        };
        // The writer may be gone.
        if client.write_all(&answer).await.is_err() {
            return;
        }
    }
}

fn http(status: u16, body: &[u8]) -> Vec<u8> {
    let head = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/x-amz-json-1.0\r\ncontent-length: {}\r\n\r\n",
        body.len()
    );
    [head.as_bytes(), body].concat()
}

/// The submissions: of ten, one repeats the one before it and one comes with its key and other content, at the same time.
fn submissions(count: usize) -> Vec<Submission> {
    let one = |number: usize| {
        let (key, content) = match number % 10 {
            4 => (number - 1, number - 1),
            9 => (number - 1, number),
            _ => (number, number),
        };
        Submission {
            key: uuid::Uuid::from_u128(0xfeed << 96 | key as u128),
            message: format!("Message {content}.\nIt has two lines."),
            ..submission()
        }
    };
    (0..count).map(one).collect()
}

/// What a writer was told of one submission, call by call.
type Told = Vec<Result<Recorded, bool>>;

/// Calls until it is told an outcome, or `CALLS` times. Times differ from call to call, and lie on two days.
async fn errand(store: &DynamoDbStore, submission: &Submission, clock: &AtomicU64) -> Told {
    let mut told = Told::new();
    while told.len() < CALLS {
        let number = clock.fetch_add(1, Ordering::Relaxed);
        let now = at(30) + Duration::from_millis(number) + Duration::from_secs(number % 2 * 86_400);
        let outcome = store.record(submission, now, Instant::now() + CALL).await;
        told.push(outcome.map_err(|error| matches!(error, StoreError::Unsure { .. })));
        if matches!(told.last(), Some(Ok(_))) {
            break;
        }
    }
    told
}

fn by_key(rows: Vec<Row>) -> BTreeMap<String, Row> {
    let count = rows.len();
    let kept: BTreeMap<String, Row> = rows
        .into_iter()
        .map(|row| (row["key"].clone(), row))
        .collect();
    assert_eq!(kept.len(), count, "one record a key");
    kept
}

#[test]
fn thirty_two_writers_before_a_failing_table_are_told_the_truth_and_each_key_is_kept_once() {
    // Each record in one transaction with the count of its day.
    start(bounds("1000000"));
}

#[test]
fn the_same_holds_of_single_writes_without_a_daily_bound() {
    start(bounds("0"));
}

fn bounds(per_day: &str) -> Bounds {
    Bounds::read(Some(per_day), None).expect("a number")
}

fn start(bounds: Bounds) {
    let count = std::env::var("SHELFMARK_FAULTS").ok();
    let count = count.map_or(2_000, |count| count.parse().expect("a number"));
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(4)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(writers(count, bounds));
}

async fn writers(count: usize, bounds: Bounds) {
    let began = Instant::now();
    let (upstream, database) = emulator().await;
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let done = Arc::new(Done::default());
    let (busy, mut idle) = mpsc::channel(1);
    let (stop, stopped) = tokio::sync::oneshot::channel();
    tokio::spawn(proxy(listener, upstream, Arc::clone(&done), busy, stopped));

    let stores: Vec<Arc<DynamoDbStore>> = (0..COPIES)
        .map(|_| {
            let settings = settings(address, TABLE).with_attempt(ATTEMPT);
            Arc::new(DynamoDbStore::new(settings).bounded(bounds))
        })
        .collect();
    let all = Arc::new(submissions(count));
    let (next, clock) = (Arc::new(AtomicUsize::new(0)), Arc::new(AtomicU64::new(0)));
    let workers: Vec<_> = (0..WORKERS)
        .map(|worker| {
            let store = Arc::clone(&stores[worker % COPIES]);
            let (all, next, clock) = (Arc::clone(&all), Arc::clone(&next), Arc::clone(&clock));
            tokio::spawn(async move {
                let mut told = Vec::new();
                loop {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let Some(submission) = all.get(number) else {
                        return told;
                    };
                    told.push((number, errand(&store, submission, &clock).await));
                }
            })
        })
        .collect();
    let mut told = BTreeMap::new();
    for worker in workers {
        told.extend(worker.await.expect("no panic"));
    }
    // No connection is left once the stores are gone and the last late write has arrived.
    drop(stores);
    stop.send(()).expect("the proxy runs");
    assert_eq!(idle.recv().await, None);

    let kept = by_key(dynamodb_rows(&database));
    let outcomes = check(&all, &told, &kept);
    report(&outcomes, &done, began.elapsed());

    // Without faults everybody is told an outcome, each key has its record, and none that was there has changed.
    let calm = dynamodb(upstream).bounded(bounds);
    for submission in all.iter() {
        let now: Timestamp = at(59);
        let recorded = calm
            .record(submission, now, soon())
            .await
            .expect("no faults");
        match (kept.get(&submission.key.to_string()), recorded) {
            (Some(row), Recorded::Already { received_at }) => {
                assert_eq!(row["content_hash"], submission.content_hash());
                assert_eq!(row["received_at"], received_at);
            }
            (Some(row), Recorded::Conflict) => {
                assert_ne!(row["content_hash"], submission.content_hash());
            }
            (None, Recorded::New { .. } | Recorded::Already { .. } | Recorded::Conflict) => {}
            (row, recorded) => panic!("{submission:?}: {recorded:?} over {row:?}"),
        }
    }
    let last = by_key(dynamodb_rows(&database));
    let keys: BTreeSet<String> = all.iter().map(|one| one.key.to_string()).collect();
    assert_eq!(last.keys().cloned().collect::<BTreeSet<_>>(), keys);
    for (key, row) in &kept {
        assert_eq!(&last[key], row, "changed after it was kept");
    }
}

/// Compares what was told with what is kept, and counts what was told last.
fn check(
    all: &[Submission],
    told: &BTreeMap<usize, Told>,
    kept: &BTreeMap<String, Row>,
) -> BTreeMap<&'static str, usize> {
    assert_eq!(told.len(), all.len(), "everybody was told something");
    let mut outcomes = BTreeMap::new();
    // Contents that somebody may have got in: told so, or told that it is not known.
    let mut possible: BTreeSet<(String, String)> = BTreeSet::new();
    let mut news: BTreeMap<String, usize> = BTreeMap::new();
    for (&number, told) in told {
        let (key, hash) = (all[number].key.to_string(), all[number].content_hash());
        let row = kept.get(&key);
        let last = match told.last().expect("at least one call") {
            Ok(Recorded::New { received_at } | Recorded::Already { received_at }) => {
                let row = row.unwrap_or_else(|| panic!("{key} was told as kept and is not there"));
                assert_eq!(
                    (&row["content_hash"], &row["received_at"]),
                    (&hash, received_at)
                );
                "kept"
            }
            Ok(Recorded::Conflict) => {
                let row = row.expect("something else is there");
                assert_ne!(row["content_hash"], hash);
                "conflict"
            }
            Ok(Recorded::Full { .. }) => panic!("the bound is far away"),
            Err(true) => "not known",
            Err(false) => "not saved",
        };
        *outcomes.entry(last).or_default() += 1;
        if told
            .iter()
            .any(|call| !matches!(call, Err(false) | Ok(Recorded::Conflict)))
        {
            possible.insert((key.clone(), hash));
        }
        if told
            .iter()
            .any(|call| matches!(call, Ok(Recorded::New { .. })))
        {
            *news.entry(key).or_default() += 1;
        }
    }
    assert!(
        news.values().all(|&times| times == 1),
        "one writer a key was the first"
    );
    for (key, row) in kept {
        // Whose every call was told that nothing was saved has nothing here.
        let content = (key.clone(), row["content_hash"].clone());
        assert!(possible.contains(&content), "{row:?} was told as not saved");
    }
    outcomes
}

fn report(outcomes: &BTreeMap<&'static str, usize>, done: &Done, time: Duration) {
    let requests = done.requests.load(Ordering::Relaxed);
    println!("{outcomes:?} after {requests} requests in {time:?}, seed {SEED}");
    for (fault, times) in FAULTS.iter().zip(&done.of_each) {
        println!("  {fault}: {}", times.load(Ordering::Relaxed));
        assert!(times.load(Ordering::Relaxed) > 0, "{fault} never happened");
    }
}
