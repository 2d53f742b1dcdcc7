//! One suite over every feedback store: SQLite in memory, SQLite in a file, and DynamoDB before an embedded emulator.
//!
//! A case runs on all of them and compares whole records; the counts of days are compared with the records wherever DynamoDB is read. What only DynamoDB can suffer (answers that get lost, throttling) has its
//! cases at the end, before a proxy that misbehaves on purpose.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use jiff::Timestamp;
use runtime::feedback::sqlite::SqliteStore;
use runtime::feedback::{
    About, Bounds, FeedbackStore, Kind, Recorded, Severity, StoreError, Submission,
};
use tokio::io::AsyncWriteExt;
use tokio::net::{TcpListener, TcpStream};

#[path = "../support/stores.rs"]
mod stores;

use stores::*;

struct Place {
    name: &'static str,
    store: Arc<dyn FeedbackStore>,
    rows: Box<dyn Fn() -> Vec<Row>>,
}

/// Runs one case on every store, each fresh.
fn on_every_store(case: impl AsyncFn(&Place)) {
    on_every_bounded_store(Bounds::default(), &case);
    // Without a bound there is no count: DynamoDB is written to in another way.
    on_every_bounded_store(
        Bounds {
            per_day: None,
            days: None,
        },
        &case,
    );
}

fn on_every_bounded_store(bounds: Bounds, case: &impl AsyncFn(&Place)) {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("site.feedback.db");
    let file = SqliteStore::open(&path).expect("a new file");
    let file = Place {
        name: "a SQLite file",
        store: Arc::new(file.bounded(bounds)),
        rows: Box::new(move || sqlite_rows(&path)),
    };
    run(async {
        case(&file).await;
        let (address, database) = emulator().await;
        case(&Place {
            name: "DynamoDB",
            store: Arc::new(dynamodb(address).bounded(bounds)),
            rows: Box::new(move || dynamodb_rows(&database)),
        })
        .await;
    });
}

fn bounds(per_day: &str, days: &str) -> Bounds {
    Bounds::read(Some(per_day), Some(days)).expect("numbers")
}

async fn record(place: &Place, submission: &Submission, minute: u8) -> Recorded {
    place
        .store
        .record(submission, at(minute), soon())
        .await
        .unwrap_or_else(|error| panic!("{}: {error}", place.name))
}

#[test]
fn a_submission_is_kept_whole_and_nothing_beside_it() {
    // Nothing beside it: no state of progress that a crash could leave behind, and no time at which it expires.
    on_every_store(async |place| {
        assert_eq!(
            record(place, &submission(), 1).await,
            new(1),
            "{}",
            place.name
        );
        let expected = [
            ("key", "0b7e9a44-5c1d-4e0a-9a3b-2f6f0c1d2e3f"),
            (
                "message",
                "The page on caching has no example.\nPlease add one.",
            ),
            ("kind", "missing"),
            ("severity", "medium"),
            ("about", "/guide/caching"),
            ("about_published", "true"),
            ("artifact", "3f9a27"),
            ("client", "an editor"),
            ("received_at", "2026-11-30T12:01:00.000Z"),
            ("content_hash", &submission().content_hash()),
        ];
        let expected: Row = expected
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .into();
        assert_eq!((place.rows)(), [expected], "{}", place.name);
    });
}

#[test]
fn what_is_absent_stays_absent() {
    on_every_store(async |place| {
        let bare = Submission {
            about: None,
            client: None,
            ..submission()
        };
        assert_eq!(record(place, &bare, 1).await, new(1), "{}", place.name);
        let rows = (place.rows)();
        let names: Vec<&str> = rows[0].keys().map(String::as_str).collect();
        assert_eq!(
            names,
            [
                "artifact",
                "content_hash",
                "key",
                "kind",
                "message",
                "received_at",
                "severity"
            ],
            "{}",
            place.name
        );
    });
}

#[test]
fn a_retry_gets_the_time_of_the_first_call() {
    on_every_store(async |place| {
        assert_eq!(
            record(place, &submission(), 1).await,
            new(1),
            "{}",
            place.name
        );
        let before = (place.rows)();
        assert_eq!(
            record(place, &submission(), 2).await,
            already(1),
            "{}",
            place.name
        );
        // The site was rebuilt and the client upgraded in the meantime: still the same submission.
        let later = Submission {
            artifact: "77c0".to_owned(),
            client: None,
            ..submission()
        };
        assert_eq!(record(place, &later, 3).await, already(1), "{}", place.name);
        assert_eq!((place.rows)(), before, "{}", place.name);
    });
}

#[test]
fn other_content_under_a_used_key_changes_nothing() {
    on_every_store(async |place| {
        assert_eq!(
            record(place, &submission(), 1).await,
            new(1),
            "{}",
            place.name
        );
        let before = (place.rows)();
        let others = [
            Submission {
                message: "Something else.".to_owned(),
                ..submission()
            },
            Submission {
                kind: Kind::Broken,
                ..submission()
            },
            Submission {
                severity: Severity::High,
                ..submission()
            },
            Submission {
                about: None,
                ..submission()
            },
            Submission {
                about: Some(About {
                    route: "/guide".to_owned(),
                    published: true,
                }),
                ..submission()
            },
        ];
        for other in others {
            assert_eq!(
                record(place, &other, 2).await,
                Recorded::Conflict,
                "{}: {other:?}",
                place.name
            );
        }
        assert_eq!((place.rows)(), before, "{}", place.name);
        assert_eq!(
            record(place, &submission(), 3).await,
            already(1),
            "{}",
            place.name
        );
    });
}

#[test]
fn every_spelling_of_a_key_is_one_key() {
    on_every_store(async |place| {
        assert_eq!(
            record(place, &submission(), 1).await,
            new(1),
            "{}",
            place.name
        );
        for spelling in [
            "0B7E9A44-5C1D-4E0A-9A3B-2F6F0C1D2E3F",
            "0b7e9a445c1d4e0a9a3b2f6f0c1d2e3f",
            "{0B7E9A44-5c1d-4e0a-9a3b-2f6f0c1d2e3f}",
            "urn:uuid:0b7e9a44-5c1d-4e0a-9a3b-2f6f0c1d2e3f",
        ] {
            let same = Submission {
                key: spelling.parse().expect("a UUID"),
                ..submission()
            };
            assert_eq!(
                record(place, &same, 2).await,
                already(1),
                "{}: {spelling}",
                place.name
            );
        }
        assert_eq!((place.rows)().len(), 1, "{}", place.name);
    });
}

#[test]
fn line_ends_are_not_content() {
    on_every_store(async |place| {
        assert_eq!(
            record(place, &submission(), 1).await,
            new(1),
            "{}",
            place.name
        );
        for line_end in ["\r\n", "\r"] {
            let same = Submission {
                message: submission().message.replace('\n', line_end),
                ..submission()
            };
            assert_eq!(
                record(place, &same, 2).await,
                already(1),
                "{}: {line_end:?}",
                place.name
            );
        }
        let other = Submission {
            message: submission().message.replace('\n', " "),
            ..submission()
        };
        assert_eq!(
            record(place, &other, 2).await,
            Recorded::Conflict,
            "{}",
            place.name
        );
    });
}

#[test]
fn two_keys_are_two_submissions_even_with_one_content() {
    on_every_store(async |place| {
        assert_eq!(
            record(place, &submission(), 1).await,
            new(1),
            "{}",
            place.name
        );
        let second = Submission {
            key: uuid::Uuid::from_u128(2),
            ..submission()
        };
        assert_eq!(record(place, &second, 2).await, new(2), "{}", place.name);
        assert_eq!((place.rows)().len(), 2, "{}", place.name);
    });
}

#[test]
fn sixty_four_calls_at_once_with_one_key_store_once() {
    on_every_store(async |place| {
        let calls: Vec<_> = (0..64)
            .map(|minute| {
                let store = Arc::clone(&place.store);
                let minute = minute % 60;
                tokio::spawn(async move {
                    (
                        minute,
                        store.record(&submission(), at(minute), soon()).await,
                    )
                })
            })
            .collect();
        let mut winners = Vec::new();
        let mut times = Vec::new();
        for call in calls {
            match call.await.expect("no panic") {
                (minute, Ok(Recorded::New { received_at })) => winners.push((minute, received_at)),
                (_, Ok(Recorded::Already { received_at })) => times.push(received_at),
                other => panic!("{}: {other:?}", place.name),
            }
        }
        assert_eq!((winners.len(), times.len()), (1, 63), "{}", place.name);
        let (_, first) = &winners[0];
        assert!(
            times.iter().all(|time| time == first),
            "{}: {first} but {times:?}",
            place.name
        );
        let rows = (place.rows)();
        assert_eq!(
            (rows.len(), &rows[0]["received_at"]),
            (1, first),
            "{}",
            place.name
        );
    });
}

#[test]
fn the_size_limit_was_counted_in_characters_but_four_thousand_emoji_fit() {
    on_every_store(async |place| {
        let long = Submission {
            message: "🦀".repeat(4_000),
            ..submission()
        };
        assert_eq!(record(place, &long, 1).await, new(1), "{}", place.name);
        assert_eq!((place.rows)()[0]["message"], long.message, "{}", place.name);
        assert_eq!(record(place, &long, 2).await, already(1), "{}", place.name);
    });
}

#[test]
fn text_of_every_kind_comes_back_as_it_was() {
    on_every_store(async |place| {
        let texts = [
            "naïve café",
            "e\u{301} is not é",
            "שלום עולם",
            "日本語",
            "a\0b",
            "'; DROP TABLE feedback; --",
            "\u{202e}x",
        ];
        for (number, text) in (1..).zip(texts) {
            let one = Submission {
                key: uuid::Uuid::from_u128(number),
                message: text.to_owned(),
                about: Some(About {
                    route: text.to_owned(),
                    published: false,
                }),
                ..submission()
            };
            assert_eq!(
                record(place, &one, 1).await,
                new(1),
                "{}: {text:?}",
                place.name
            );
        }
        let mut rows = (place.rows)();
        rows.sort_by(|a, b| a["key"].cmp(&b["key"]));
        let kept: Vec<&str> = rows.iter().map(|row| row["message"].as_str()).collect();
        assert_eq!(kept, texts, "{}", place.name);
        assert!(
            rows.iter()
                .all(|row| row["about"] == row["message"] && row["about_published"] == "false")
        );
    });
}

fn numbered(number: u128) -> Submission {
    Submission {
        key: uuid::Uuid::from_u128(number),
        ..submission()
    }
}

#[test]
fn a_flood_is_kept_as_often_as_the_bound_says_and_retries_do_not_count() {
    on_every_bounded_store(bounds("3", "0"), &async |place: &Place| {
        let full = Recorded::Full {
            again_at: "2026-12-01T00:00:00.000Z".to_owned(),
        };
        for number in 1..=3 {
            let minute = number as u8;
            assert_eq!(
                record(place, &numbered(number), minute).await,
                new(minute),
                "{}",
                place.name
            );
            assert_eq!(
                record(place, &numbered(number), 9).await,
                already(minute),
                "{}",
                place.name
            );
        }
        for number in 4..9 {
            assert_eq!(
                record(place, &numbered(number), 10).await,
                full,
                "{}",
                place.name
            );
        }
        // What was kept is still told so, and what is refused for its key is not told to come back tomorrow.
        assert_eq!(
            record(place, &numbered(2), 11).await,
            already(2),
            "{}",
            place.name
        );
        let other = Submission {
            message: "Something else.".to_owned(),
            ..numbered(2)
        };
        assert_eq!(
            record(place, &other, 11).await,
            Recorded::Conflict,
            "{}",
            place.name
        );
        assert_eq!((place.rows)().len(), 3, "{}", place.name);
        // The next day is another count.
        let tomorrow = "2026-12-01T00:00:00Z".parse().expect("a time");
        let recorded = place.store.record(&numbered(4), tomorrow, soon()).await;
        assert!(
            matches!(recorded, Ok(Recorded::New { .. })),
            "{}: {recorded:?}",
            place.name
        );
        assert_eq!((place.rows)().len(), 4, "{}", place.name);
    });
}

#[test]
fn sixty_four_calls_at_once_keep_to_the_bound() {
    on_every_bounded_store(bounds("10", "0"), &async |place: &Place| {
        let calls: Vec<_> = (0..64)
            .map(|number| {
                let store = Arc::clone(&place.store);
                tokio::spawn(async move { store.record(&numbered(number), at(1), soon()).await })
            })
            .collect();
        let mut counts = [0, 0];
        for call in calls {
            match call.await.expect("no panic") {
                Ok(Recorded::New { .. }) => counts[0] += 1,
                Ok(Recorded::Full { .. }) => counts[1] += 1,
                other => panic!("{}: {other:?}", place.name),
            }
        }
        assert_eq!(counts, [10, 54], "{}", place.name);
        assert_eq!((place.rows)().len(), 10, "{}", place.name);
    });
}

#[test]
fn a_record_that_has_expired_is_as_if_it_had_never_been_even_before_it_is_removed() {
    on_every_bounded_store(bounds("0", "1"), &async |place: &Place| {
        assert_eq!(
            record(place, &submission(), 1).await,
            new(1),
            "{}",
            place.name
        );
        let expires = at(1).as_second() + 24 * 60 * 60;
        assert_eq!(
            (place.rows)()[0]["expires"],
            expires.to_string(),
            "{}",
            place.name
        );
        let late = |seconds: i64| Timestamp::from_second(expires + seconds).expect("a time");
        let just_before = place.store.record(&submission(), late(-1), soon()).await;
        assert_eq!(just_before.expect("recorded"), already(1), "{}", place.name);
        let other = Submission {
            message: "Another message under the same key.".to_owned(),
            ..submission()
        };
        let after = place.store.record(&other, late(0), soon()).await;
        assert!(
            matches!(after, Ok(Recorded::New { .. })),
            "{}: {after:?}",
            place.name
        );
        let rows = (place.rows)();
        assert_eq!(
            (rows.len(), &rows[0]["message"]),
            (1, &other.message),
            "{}",
            place.name
        );
    });
}

#[test]
fn a_file_of_the_first_version_is_brought_up_to_date() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("site.feedback.db");
    let old = rusqlite::Connection::open(&path).expect("made");
    old.execute_batch(
        "CREATE TABLE feedback (
            key TEXT PRIMARY KEY, message TEXT NOT NULL, kind TEXT NOT NULL, severity TEXT NOT NULL, about TEXT,
            about_published INTEGER, artifact TEXT NOT NULL, client TEXT, received_at TEXT NOT NULL, content_hash TEXT NOT NULL
        ) STRICT, WITHOUT ROWID;
        PRAGMA application_id = 1936223334;
        PRAGMA user_version = 1;",
    )
    .expect("version 1");
    let one = submission();
    old.execute(
        "INSERT INTO feedback VALUES (?1, ?2, 'missing', 'medium', '/guide/caching', 1, 'x', NULL, '2026-11-30T12:01:00.000Z', ?3)",
        [&one.key.to_string(), &one.message, &one.content_hash()],
    )
    .expect("a record");
    drop(old);
    let store = SqliteStore::open(&path).expect("brought up to date");
    run(async {
        let again = store.record(&one, at(5), soon()).await.expect("recorded");
        assert_eq!(again, already(1));
        assert_eq!(
            store
                .record(&numbered(2), at(5), soon())
                .await
                .expect("recorded"),
            new(5)
        );
    });
    assert_eq!(sqlite_rows(&path).len(), 2);
}

#[test]
fn two_local_servers_on_one_file_store_once() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("site.feedback.db");
    let calls: Vec<_> = (0..16)
        .map(|minute| {
            let path = path.clone();
            std::thread::spawn(move || {
                let store = SqliteStore::open(&path).expect("opened");
                let mut outcome = None;
                run(async {
                    outcome = Some(
                        store
                            .record(&submission(), at(minute), soon())
                            .await
                            .expect("recorded"),
                    )
                });
                outcome.expect("the call ran")
            })
        })
        .collect();
    let outcomes: Vec<Recorded> = calls
        .into_iter()
        .map(|call| call.join().expect("no panic"))
        .collect();
    let new = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Recorded::New { .. }))
        .count();
    let already = outcomes
        .iter()
        .filter(|outcome| matches!(outcome, Recorded::Already { .. }))
        .count();
    assert_eq!((new, already), (1, 15), "{outcomes:?}");
    assert_eq!(sqlite_rows(&path).len(), 1);
}

#[test]
fn a_file_opened_again_knows_the_keys_of_before() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("site.feedback.db");
    run(async {
        let first = SqliteStore::open(&path).expect("made");
        assert_eq!(
            first
                .record(&submission(), at(1), soon())
                .await
                .expect("recorded"),
            new(1)
        );
        drop(first);
        let second = SqliteStore::open(&path).expect("opened");
        assert_eq!(
            second
                .record(&submission(), at(2), soon())
                .await
                .expect("recorded"),
            already(1)
        );
    });
}

/// What the proxy does with one request.
#[derive(Clone, Copy)]
enum Mishap {
    /// Passes it on, and the answer back.
    None,
    /// Passes it on, and closes the connection instead of answering.
    LoseAnswer,
    /// Passes it on, and answers with half of the answer.
    HalfAnswer,
    /// Answers with this status and error code, and passes nothing on.
    Answer(u16, &'static str),
    /// Answers that the transaction was cancelled, for these two reasons, and passes nothing on.
    Cancel(&'static str, &'static str),
    /// Closes the connection, and passes nothing on.
    Swallow,
    /// Says nothing and passes nothing on.
    Silence,
}

/// A proxy before `upstream` that does one mishap after the other, the last for ever.
async fn proxy(upstream: SocketAddr, mishaps: &'static [Mishap]) -> SocketAddr {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    tokio::spawn(async move {
        let mut kept = Vec::new();
        let mut mishaps = mishaps
            .iter()
            .chain(std::iter::repeat(mishaps.last().expect("at least one")));
        loop {
            let (mut client, _) = listener.accept().await.expect("a connection");
            let request = message(&mut client).await;
            let mishap = mishaps.next().expect("endless");
            match mishap {
                Mishap::Answer(status, code) => {
                    let error = format!(r#""__type":"com.amazonaws.dynamodb.v20120810#{code}""#);
                    refuse(&mut client, *status, &error).await;
                    continue;
                }
                Mishap::Cancel(record, count) => {
                    let error = format!(
                        r#""__type":"com.amazonaws.dynamodb.v20120810#TransactionCanceledException","CancellationReasons":[{{"Code":"{record}"}},{{"Code":"{count}"}}]"#
                    );
                    refuse(&mut client, 400, &error).await;
                    continue;
                }
                Mishap::Swallow => continue,
                Mishap::Silence => {
                    kept.push(client);
                    continue;
                }
                Mishap::None | Mishap::LoseAnswer | Mishap::HalfAnswer => {}
            }
            let mut server = TcpStream::connect(upstream)
                .await
                .expect("the emulator listens");
            server.write_all(&request).await.expect("written");
            let answer = message(&mut server).await;
            match mishap {
                Mishap::LoseAnswer => {}
                Mishap::HalfAnswer => client
                    .write_all(&answer[..answer.len() - 1])
                    .await
                    .expect("written"),
                _ => client.write_all(&answer).await.expect("written"),
            }
            // Dropping the connection closes it: each request gets one of its own.
        }
    });
    address
}

/// An error as DynamoDB words it.
async fn refuse(client: &mut TcpStream, status: u16, error: &str) {
    let body = format!(r#"{{{error},"message":"no"}}"#);
    let answer = format!(
        "HTTP/1.1 {status} X\r\ncontent-type: application/x-amz-json-1.0\r\nconnection: close\r\ncontent-length: {}\r\n\r\n{body}",
        body.len()
    );
    client.write_all(answer.as_bytes()).await.expect("written");
}

#[test]
fn an_answer_lost_after_the_write_looked_like_a_failed_condition() {
    run(async {
        let (emulator, database) = emulator().await;
        for mishap in [
            &[Mishap::LoseAnswer, Mishap::None],
            &[Mishap::HalfAnswer, Mishap::None],
        ] {
            let key = uuid::Uuid::from_u128(database_len(&database) as u128);
            let one = Submission {
                key,
                ..submission()
            };
            let store = dynamodb(proxy(emulator, mishap).await);
            // The second attempt finds what the first one wrote: success, told with the time of that write.
            assert_eq!(
                store.record(&one, at(1), soon()).await.expect("recorded"),
                already(1)
            );
        }
        assert_eq!(database_len(&database), 2);
    });
}

#[test]
fn when_every_answer_is_lost_the_caller_is_told_to_repeat_and_succeeds() {
    run(async {
        let (emulator, database) = emulator().await;
        let lossy = dynamodb(proxy(emulator, &[Mishap::LoseAnswer]).await);
        let error = lossy
            .record(&submission(), at(1), soon())
            .await
            .expect_err("no answer came");
        assert!(matches!(error, StoreError::Unsure { .. }), "{error:?}");
        assert_eq!(database_len(&database), 1, "it was saved nevertheless");
        assert_eq!(
            dynamodb(emulator)
                .record(&submission(), at(2), soon())
                .await
                .expect("recorded"),
            already(1)
        );
    });
}

#[test]
fn throttled_after_a_lost_answer_is_still_unsure() {
    run(async {
        let (emulator, _database) = emulator().await;
        let mishaps = &[
            Mishap::LoseAnswer,
            Mishap::Answer(400, "ThrottlingException"),
        ];
        let error = dynamodb(proxy(emulator, mishaps).await)
            .record(&submission(), at(1), soon())
            .await
            .expect_err("throttled");
        assert!(matches!(error, StoreError::Unsure { .. }), "{error:?}");
    });
}

#[test]
fn conflicts_with_other_transactions_are_waited_out() {
    run(async {
        let (emulator, database) = emulator().await;
        let mishaps: &'static [Mishap] = &[
            Mishap::Cancel("None", "TransactionConflict"),
            Mishap::Cancel("TransactionConflict", "None"),
            Mishap::Answer(400, "TransactionInProgressException"),
            Mishap::Cancel("None", "ThrottlingError"),
            Mishap::None,
        ];
        let store = dynamodb(proxy(emulator, mishaps).await);
        assert_eq!(
            store
                .record(&submission(), at(1), soon())
                .await
                .expect("recorded"),
            new(1)
        );
        assert_eq!(database_len(&database), 1);
        let always =
            dynamodb(proxy(emulator, &[Mishap::Cancel("None", "TransactionConflict")]).await);
        let error = always.record(&numbered(2), at(1), soon()).await;
        assert!(
            matches!(error, Err(StoreError::Unavailable { .. })),
            "{error:?}"
        );
    });
}

#[test]
fn a_full_day_is_not_told_to_somebody_whose_own_message_may_have_filled_it() {
    run(async {
        let (emulator, database) = emulator().await;
        let mishaps = &[
            Mishap::LoseAnswer,
            Mishap::Cancel("None", "ConditionalCheckFailed"),
            Mishap::None,
        ];
        let store = dynamodb(proxy(emulator, mishaps).await);
        let recorded = store.record(&submission(), at(1), soon()).await;
        assert_eq!(recorded.expect("found under its key"), already(1));
        let unheard = &[
            Mishap::Swallow,
            Mishap::Cancel("None", "ConditionalCheckFailed"),
            Mishap::None,
        ];
        let store = dynamodb(proxy(emulator, unheard).await);
        let error = store.record(&numbered(2), at(1), soon()).await;
        assert!(matches!(error, Err(StoreError::Unsure { .. })), "{error:?}");
        assert_eq!(database_len(&database), 1);
    });
}

#[test]
fn an_answer_comes_within_the_time_that_is_given() {
    run(async {
        let (emulator, _database) = emulator().await;
        let store = dynamodb(proxy(emulator, &[Mishap::Silence]).await);
        let began = Instant::now();
        let until = began + Duration::from_millis(300);
        let error = store.record(&submission(), at(1), until).await;
        assert!(matches!(error, Err(StoreError::Unsure { .. })), "{error:?}");
        assert!(
            began.elapsed() < Duration::from_secs(1),
            "{:?}",
            began.elapsed()
        );
        let error = dynamodb(emulator).record(&submission(), at(1), began).await;
        assert!(
            matches!(error, Err(StoreError::Unavailable { .. })),
            "too late to begin: {error:?}"
        );
    });
}

#[test]
fn a_short_throttle_is_waited_out() {
    run(async {
        let (emulator, database) = emulator().await;
        let mishaps = &[
            Mishap::Answer(400, "ThrottlingException"),
            Mishap::Answer(500, "InternalServerError"),
            Mishap::None,
        ];
        let store = dynamodb(proxy(emulator, mishaps).await);
        assert_eq!(
            store
                .record(&submission(), at(1), soon())
                .await
                .expect("recorded"),
            new(1)
        );
        assert_eq!(database_len(&database), 1);
    });
}

#[test]
fn refusals_say_that_nothing_was_saved_and_failures_that_it_is_not_known() {
    run(async {
        let (emulator, database) = emulator().await;
        let cases: [(&'static [Mishap], bool); 6] = [
            (&[Mishap::Answer(400, "ThrottlingException")], true),
            (
                &[Mishap::Answer(
                    400,
                    "ProvisionedThroughputExceededException",
                )],
                true,
            ),
            (&[Mishap::Answer(400, "AccessDeniedException")], true),
            (&[Mishap::Answer(400, "UnrecognizedClientException")], true),
            (&[Mishap::Answer(500, "InternalServerError")], false),
            (&[Mishap::Answer(503, "ServiceUnavailable")], false),
        ];
        for (mishaps, nothing_saved) in cases {
            let store = dynamodb(proxy(emulator, mishaps).await);
            let error = store
                .record(&submission(), at(1), soon())
                .await
                .expect_err("refused");
            assert_eq!(
                matches!(error, StoreError::Unavailable { .. }),
                nothing_saved,
                "{error:?}"
            );
        }
        let error = dynamodb_table(emulator, "another")
            .record(&submission(), at(1), soon())
            .await
            .expect_err("no such table");
        assert!(matches!(error, StoreError::Unavailable { .. }), "{error:?}");
        assert_eq!(database_len(&database), 0);
    });
}

#[test]
fn nobody_listening_means_that_nothing_was_saved() {
    run(async {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        drop(listener);
        let error = dynamodb(address)
            .record(&submission(), at(1), soon())
            .await
            .expect_err("nobody there");
        assert!(matches!(error, StoreError::Unavailable { .. }), "{error:?}");
    });
}

#[test]
fn an_item_over_the_limit_was_told_as_stored() {
    run(async {
        let (emulator, database) = emulator().await;
        let huge = Submission {
            message: "x".repeat(500 * 1024),
            ..submission()
        };
        let error = dynamodb(emulator)
            .record(&huge, at(1), soon())
            .await
            .expect_err("400 KB is the most");
        assert!(matches!(error, StoreError::Unavailable { .. }), "{error:?}");
        assert_eq!(database_len(&database), 0);
    });
}
