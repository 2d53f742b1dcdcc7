//! Records of tables from before there was an index.

use aws_sdk_dynamodb::types::AttributeValue;

use super::*;

#[test]
fn records_from_before_there_was_an_index_are_put_into_it_once() {
    run(async {
        let (address, database) = emulator().await;
        let (store, client) = (dynamodb(address), client(address));
        for (minute, submission) in various().iter().enumerate() {
            let now = at(minute as u8);
            store.record(submission, now, soon()).await.expect("kept");
        }
        let table = TableInbox::new(client.clone(), TABLE);
        let inbox = Inbox::Table(TableInbox::new(client.clone(), TABLE));
        let resolved = inbox.find("11").await.expect("it is there");
        let time = Some("2026-12-01T00:00:00.000Z");
        inbox.resolve(&resolved, time).await.expect("done");
        let before = messages(&inbox, Filter::everything()).await;
        let rows = dynamodb_rows(&database);
        // As an earlier version wrote them. One stays in the index.
        for row in rows.iter().skip(1) {
            let key = AttributeValue::S(row["key"].clone());
            let update = client.update_item().table_name(TABLE).key("pk", key);
            let removed = update.update_expression("REMOVE inbox").send().await;
            removed.expect("removed");
        }
        assert_eq!(messages(&inbox, Filter::everything()).await.len(), 1);

        assert_eq!(table.reindex().await.expect("read"), rows.len() - 1);
        assert_eq!(messages(&inbox, Filter::everything()).await, before);
        let closed = Filter {
            state: State::Resolved,
            ..Filter::default()
        };
        assert_eq!(messages(&inbox, closed).await, ["17"]);
        assert_eq!(dynamodb_rows(&database), rows, "nothing else changes");

        assert_eq!(table.reindex().await.expect("read"), 0);
        let asked = tokio::task::spawn_blocking(move || {
            let endpoint = format!("http://{address}");
            program(&["reindex", "--table", TABLE], &aws(&endpoint))
        });
        let said = out(&asked.await.expect("it ran"));
        assert_eq!(said, "every message is in the index\n");
    });
}
