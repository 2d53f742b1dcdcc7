//! The owner's inbox over both stores: what is listed, exported, counted and resolved, and how quickly.

use std::collections::BTreeSet;
use std::net::SocketAddr;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

use dynoxide::Database;
use runtime::feedback::dynamodb::{Roots, connections};
use runtime::feedback::sqlite::SqliteStore;
use runtime::feedback::{About, FeedbackStore, Kind, Severity, Submission};
use runtime::inbox::{Entry, FileInbox, Filter, Inbox, State, TableInbox};
use serde_json::{Value, json};

#[path = "../support/stores.rs"]
mod stores;

#[path = "inbox/reindex.rs"]
mod reindex;

use stores::*;

/// An inbox over what was recorded, with the name of its store.
async fn inboxes(submissions: &[Submission], folder: &Path) -> Vec<(&'static str, Inbox)> {
    let path = folder.join("site.feedback.db");
    let file = SqliteStore::open(&path).expect("made");
    let (address, _) = emulator().await;
    let table = dynamodb(address);
    for (minute, submission) in submissions.iter().enumerate() {
        let now = at(minute as u8);
        file.record(submission, now, soon()).await.expect("kept");
        table.record(submission, now, soon()).await.expect("kept");
    }
    vec![
        (
            "SQLite",
            Inbox::File(FileInbox::open(&path).expect("opened")),
        ),
        (
            "DynamoDB",
            Inbox::Table(TableInbox::new(client(address), TABLE)),
        ),
    ]
}

fn client(address: SocketAddr) -> aws_sdk_dynamodb::Client {
    use aws_sdk_dynamodb::config::{BehaviorVersion, Credentials, Region};
    let config = aws_sdk_dynamodb::Config::builder()
        .behavior_version(BehaviorVersion::latest())
        .region(Region::new("eu-west-1"))
        .credentials_provider(Credentials::new("test", "test", None, None, "test"))
        .http_client(connections(Roots::Machine))
        .endpoint_url(format!("http://{address}"));
    aws_sdk_dynamodb::Client::from_conf(config.build())
}

fn various() -> Vec<Submission> {
    let one = |number: u128, kind, severity, route: Option<&str>| Submission {
        key: uuid::Uuid::from_u128(number << 120 | number),
        message: format!("Message {number}"),
        kind,
        severity,
        about: route.map(|route| About {
            route: route.to_owned(),
            published: route.starts_with("/docs"),
        }),
        ..submission()
    };
    vec![
        one(0x10, Kind::Missing, Severity::High, Some("/docs/a")),
        one(0x11, Kind::Broken, Severity::Low, Some("/docs/b")),
        one(0x12, Kind::Missing, Severity::Low, None),
        one(0x13, Kind::Other, Severity::Medium, Some("/docs")),
        one(0x24, Kind::Missing, Severity::High, Some("/elsewhere")),
    ]
}

async fn messages(inbox: &Inbox, filter: Filter) -> Vec<String> {
    let (entries, _) = inbox.newest(&filter, 100).await.expect("read");
    entries
        .into_iter()
        .map(|entry| entry.message.trim_start_matches("Message ").to_owned())
        .collect()
}

#[test]
fn the_newest_come_first_and_filters_agree_on_both_stores() {
    let folder = tempfile::tempdir().expect("a folder");
    run(async {
        for (name, inbox) in inboxes(&various(), folder.path()).await {
            let cases: [(Filter, &[&str]); 8] = [
                (Filter::default(), &["36", "19", "18", "17", "16"]),
                (
                    Filter {
                        kinds: vec![Kind::Missing],
                        ..Filter::default()
                    },
                    &["36", "18", "16"],
                ),
                (
                    Filter {
                        kinds: vec![Kind::Broken, Kind::Other],
                        ..Filter::default()
                    },
                    &["19", "17"],
                ),
                (
                    Filter {
                        kinds: vec![Kind::Missing],
                        severities: vec![Severity::High],
                        ..Filter::default()
                    },
                    &["36", "16"],
                ),
                (
                    Filter {
                        route: Some("/docs/".into()),
                        ..Filter::default()
                    },
                    &["19", "17", "16"],
                ),
                (
                    Filter {
                        since: Some("2026-11-30T12:03:00.000Z".into()),
                        ..Filter::default()
                    },
                    &["36", "19"],
                ),
                (
                    Filter {
                        state: State::Resolved,
                        ..Filter::default()
                    },
                    &[],
                ),
                (
                    Filter {
                        state: State::All,
                        ..Filter::default()
                    },
                    &["36", "19", "18", "17", "16"],
                ),
            ];
            for (filter, expected) in cases {
                let shown = format!("{name}: {filter:?}");
                assert_eq!(messages(&inbox, filter).await, expected, "{shown}");
            }
        }
    });
}

#[test]
fn an_entry_is_whole_and_the_same_from_both_stores() {
    let folder = tempfile::tempdir().expect("a folder");
    run(async {
        let mut bare = various().remove(2);
        bare.client = None;
        let all = [submission(), bare];
        let mut entries = Vec::new();
        for (name, inbox) in inboxes(&all, folder.path()).await {
            let (read, more) = inbox.newest(&Filter::everything(), 2).await.expect("read");
            assert!(!more && read.len() == 2, "{name}");
            entries.push(read);
        }
        assert_eq!(entries[0], entries[1]);
        let first = submission();
        let expected = Entry {
            received_at: "2026-11-30T12:00:00.000Z".to_owned(),
            key: first.key.to_string(),
            kind: "missing".to_owned(),
            severity: "medium".to_owned(),
            about: Some("/guide/caching".to_owned()),
            about_published: Some(true),
            message: first.message,
            artifact: "3f9a27".to_owned(),
            client: Some("an editor".to_owned()),
            resolved_at: None,
            expires: None,
        };
        assert_eq!(entries[0][1], expected);
    });
}

#[test]
fn what_is_resolved_leaves_the_open_ones_and_can_come_back() {
    let folder = tempfile::tempdir().expect("a folder");
    run(async {
        for (name, inbox) in inboxes(&various(), folder.path()).await {
            let entry = inbox.find("11").await.expect(name);
            inbox
                .resolve(&entry, Some("2026-12-01T00:00:00.000Z"))
                .await
                .expect(name);
            inbox
                .resolve(&entry, Some("2026-12-02T00:00:00.000Z"))
                .await
                .expect(name);
            let state = |state| Filter {
                state,
                ..Filter::default()
            };
            assert_eq!(
                messages(&inbox, state(State::Open)).await,
                ["36", "19", "18", "16"],
                "{name}"
            );
            assert_eq!(
                messages(&inbox, state(State::Resolved)).await,
                ["17"],
                "{name}"
            );
            // Both partitions of the table's index, merged by time.
            let all = messages(&inbox, state(State::All)).await;
            assert_eq!(all, ["36", "19", "18", "17", "16"], "{name}");
            let again = inbox.find(&entry.key).await.expect(name);
            assert_eq!(
                again.resolved_at.as_deref(),
                Some("2026-12-01T00:00:00.000Z"),
                "{name}"
            );
            inbox.resolve(&entry, None).await.expect(name);
            assert_eq!(inbox.find("11").await.expect(name), entry, "{name}");
        }
    });
}

#[test]
fn the_beginning_of_a_key_will_do_when_it_is_one_messages_alone() {
    let folder = tempfile::tempdir().expect("a folder");
    run(async {
        for (name, inbox) in inboxes(&various(), folder.path()).await {
            assert_eq!(inbox.find("24").await.expect(name).message, "Message 36");
            let whole = inbox.find("24000000-0000-0000-0000-000000000024").await;
            assert_eq!(whole.expect(name).message, "Message 36");
            for (key, says) in [
                ("1", "several messages"),
                ("99", "no message"),
                ("", "no message"),
            ] {
                let error = inbox.find(key).await.expect_err(name).to_string();
                assert!(error.contains(says), "{name}: {key}: {error}");
            }
        }
    });
}

#[test]
fn a_table_that_cannot_be_read_is_named_with_what_it_needs() {
    run(async {
        let (address, _) = emulator().await;
        let inbox = Inbox::Table(TableInbox::new(client(address), "another"));
        let error = inbox
            .newest(&Filter::default(), 1)
            .await
            .expect_err("no table");
        assert!(error.to_string().contains("dynamodb:Query"), "{error}");
    });
}

const MANY: usize = 10_000;

/// `MANY` records, a second apart, every tenth of them resolved.
fn many() -> impl Iterator<Item = (Submission, String, bool)> {
    (0..MANY).map(|number| {
        let time = at(0) + Duration::from_secs(number as u64);
        let one = Submission {
            key: uuid::Uuid::from_u128(number as u128 + 1),
            message: format!(
                "Message {number}. {}",
                "It goes on for a while. ".repeat(number % 20)
            ),
            ..submission()
        };
        (one, format!("{time:.3}"), number % 10 == 0)
    })
}

fn fill_file(path: &Path) {
    drop(SqliteStore::open(path).expect("made"));
    let mut file = rusqlite::Connection::open(path).expect("opened");
    let all = file.transaction().expect("begun");
    for (one, time, resolved) in many() {
        let key = one.key.to_string();
        all.execute(
            "INSERT INTO feedback (key, message, kind, severity, artifact, received_at, content_hash, resolved_at)
             VALUES (?1, ?2, 'missing', 'low', 'x', ?3, 'x', ?4)",
            rusqlite::params![key, one.message, time, resolved.then_some(&time)],
        )
        .expect("inserted");
    }
    all.commit().expect("committed");
}

fn fill_table(database: &Database) {
    let put = |(one, time, resolved): (Submission, String, bool)| {
        let mut item = json!({
            "pk": { "S": one.key.to_string() }, "inbox": { "S": if resolved { "resolved" } else { "open" } },
            "message": { "S": one.message }, "kind": { "S": "missing" }, "severity": { "S": "low" },
            "artifact": { "S": "x" }, "received_at": { "S": time }, "content_hash": { "S": "x" },
        });
        if resolved {
            item["resolved_at"] = json!({ "S": time });
        }
        json!({ "PutRequest": { "Item": item } })
    };
    let puts: Vec<Value> = many().map(put).collect();
    for batch in puts.chunks(25) {
        let request = json!({ "RequestItems": { TABLE: batch } });
        let request = serde_json::from_value(request).expect("a request");
        database.batch_write_item(request).expect("written");
    }
}

#[test]
fn ten_thousand_messages_are_listed_in_less_than_a_second_and_exported_whole() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("site.feedback.db");
    fill_file(&path);
    run(async {
        let (address, database) = emulator().await;
        fill_table(&database);
        let inboxes = [
            (
                "SQLite",
                Inbox::File(FileInbox::open(&path).expect("opened")),
            ),
            (
                "DynamoDB",
                Inbox::Table(TableInbox::new(client(address), TABLE)),
            ),
        ];
        for (name, inbox) in inboxes {
            let began = Instant::now();
            let (newest, more) = inbox.newest(&Filter::default(), 50).await.expect("read");
            let listed = began.elapsed();
            assert!(more, "{name}");
            assert_eq!(newest.len(), 50, "{name}");
            assert!(newest[0].message.starts_with("Message 9999."), "{name}");
            assert!(listed < Duration::from_secs(1), "{name}: {listed:?}");

            let began = Instant::now();
            let (mut keys, mut times) = (BTreeSet::new(), Vec::new());
            inbox
                .each(&Filter::everything(), |entry| {
                    keys.insert(entry.key);
                    times.push(entry.received_at);
                    ControlFlow::Continue(())
                })
                .await
                .expect("read");
            println!(
                "{name}: 50 of {MANY} in {listed:?}, all in {:?}",
                began.elapsed()
            );
            assert_eq!((keys.len(), times.len()), (MANY, MANY), "{name}");
            assert!(times.is_sorted_by(|a, b| a > b), "{name}: newest first");
        }
    });
}

/// The `runtime` program over a file or a table.
fn program(arguments: &[&str], environment: &[(&str, &str)]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_runtime"))
        .arg("feedback")
        .args(arguments)
        .env_clear()
        .envs(environment.iter().copied())
        .output()
        .expect("it starts")
}

/// What a table at this address is reached with.
fn aws(endpoint: &str) -> [(&str, &str); 4] {
    [
        ("AWS_ENDPOINT_URL_DYNAMODB", endpoint),
        ("AWS_REGION", "eu-west-1"),
        ("AWS_ACCESS_KEY_ID", "test"),
        ("AWS_SECRET_ACCESS_KEY", "test"),
    ]
}

fn out(output: &Output) -> String {
    assert!(output.status.success(), "{output:?}");
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

fn file_with(submissions: &[Submission], folder: &Path) -> PathBuf {
    let path = folder.join("site.feedback.db");
    let store = SqliteStore::open(&path).expect("made");
    run(async {
        for (minute, submission) in submissions.iter().enumerate() {
            store
                .record(submission, at(minute as u8), soon())
                .await
                .expect("kept");
        }
    });
    path
}

#[test]
fn a_hostile_message_is_harmless_in_every_format() {
    let folder = tempfile::tempdir().expect("a folder");
    let evil = Submission {
        message: "=cmd|' /C calc'!A0\u{1b}[2J\u{202e}\r\n```\n# Not a heading, \"quoted\""
            .to_owned(),
        about: Some(About {
            route: "@SUM(1)\u{1b}]0;x\u{7}".to_owned(),
            published: false,
        }),
        client: Some("-2+3".to_owned()),
        ..submission()
    };
    let path = file_with(std::slice::from_ref(&evil), folder.path());
    let file = path.to_str().expect("UTF-8");
    let list = |format| out(&program(&["list", "--file", file, "--format", format], &[]));
    let (table, csv, jsonl, markdown) =
        (list("table"), list("csv"), list("jsonl"), list("markdown"));
    for text in [
        &table,
        &csv,
        &jsonl,
        &markdown,
        &out(&program(&["show", "0b7e", "--file", file], &[])),
    ] {
        assert!(!text.contains(['\u{1b}', '\u{7}', '\u{202e}']), "{text}");
    }
    assert_eq!(table.lines().count(), 2, "{table}");
    assert!(
        table.contains("? @SUM(1)"),
        "a route that is not published is marked: {table}"
    );
    let mut records = csv::Reader::from_reader(csv.as_bytes());
    let record = records
        .records()
        .next()
        .expect("a record")
        .expect("readable");
    assert!(record[6].starts_with("'=cmd"), "{record:?}");
    assert!(
        record[4].starts_with("'@SUM") && record[8].starts_with("'-2"),
        "{record:?}"
    );
    let whole: Entry = serde_json::from_str::<Value>(&jsonl)
        .map(entry)
        .expect("JSON");
    assert_eq!(whole.message, evil.message, "JSON keeps every character");
    assert!(
        markdown.contains("\n````text\n=cmd") && markdown.ends_with("\n````\n\n"),
        "{markdown}"
    );
}

fn entry(json: Value) -> Entry {
    let text = |name: &str| json[name].as_str().map(str::to_owned);
    Entry {
        received_at: text("received_at").unwrap_or_default(),
        key: text("key").unwrap_or_default(),
        kind: text("kind").unwrap_or_default(),
        severity: text("severity").unwrap_or_default(),
        about: text("about"),
        about_published: json["about_published"].as_bool(),
        message: text("message").unwrap_or_default(),
        artifact: text("artifact").unwrap_or_default(),
        client: text("client"),
        resolved_at: text("resolved_at"),
        expires: json["expires"].as_i64(),
    }
}

#[test]
fn the_program_lists_counts_and_resolves_over_a_file() {
    let folder = tempfile::tempdir().expect("a folder");
    let path = file_with(&various(), folder.path());
    let environment = [("SHELFMARK_FEEDBACK", path.to_str().expect("UTF-8"))];
    let ask = |arguments: &[&str]| program(arguments, &environment);
    let table = out(&ask(&["list", "--kind", "missing", "--limit", "2"]));
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(
        lines,
        [
            "received (UTC)    key       kind     severity  about         message",
            "2026-11-30 12:04  24000000  missing  high      ? /elsewhere  Message 36",
            "2026-11-30 12:02  12000000  missing  low       the site      Message 18",
        ]
    );
    assert!(out(&ask(&["stats"])).starts_with("5 messages, 5 open\n\nkind\n      3  missing\n"));
    let about = out(&ask(&["stats", "--route", "/elsewhere"]));
    assert!(about.starts_with("1 message, 1 open\n"), "{about}");
    let resolved = ask(&["resolve", "24", "12"]);
    assert!(resolved.status.success(), "{resolved:?}");
    let counts: Value = serde_json::from_str(&out(&ask(&["stats", "--json"]))).expect("JSON");
    assert_eq!((&counts["total"], &counts["open"]), (&json!(5), &json!(3)));
    assert_eq!(out(&ask(&["list", "--resolved"])).lines().count(), 3);
    assert_eq!(out(&ask(&["export"])).lines().count(), 5);
    let absent = ask(&["resolve", "24", "77", "--undo"]);
    assert_eq!(absent.status.code(), Some(1), "{absent:?}");
    assert_eq!(
        out(&ask(&["list", "--resolved"])).lines().count(),
        3,
        "all keys or none"
    );
    let nothing = program(&["list", "--file", "/nowhere/x.db"], &[]);
    assert_eq!(nothing.status.code(), Some(2), "{nothing:?}");
    assert!(
        String::from_utf8_lossy(&nothing.stderr).contains("help: "),
        "{nothing:?}"
    );
}

#[test]
fn the_program_reads_a_table_with_the_usual_settings_of_aws() {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .expect("a runtime");
    let (address, database) = runtime.block_on(emulator());
    fill_table(&database);
    let endpoint = format!("http://{address}");
    let environment = aws(&endpoint);
    let list = out(&program(
        &["list", "--table", TABLE, "--limit", "3"],
        &environment,
    ));
    assert_eq!(list.lines().count(), 4, "{list}");
    let export = program(
        &["export", "--table", TABLE, "--format", "csv"],
        &environment,
    );
    let text = out(&export);
    let records = csv::Reader::from_reader(text.as_bytes())
        .into_records()
        .count();
    assert_eq!(records, MANY);
    let one = uuid::Uuid::from_u128(2).to_string();
    let resolved = program(&["resolve", &one, "--table", TABLE], &environment);
    assert!(resolved.status.success(), "{resolved:?}");
    let shown = out(&program(&["show", &one, "--table", TABLE], &environment));
    assert!(shown.contains("resolved  2"), "{shown}");
}
