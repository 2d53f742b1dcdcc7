use super::*;

#[test]
fn dates_in_names_are_no_part_of_addresses() {
    assert_eq!(stem("blog/2024-05-01-tea.md"), "/blog/tea");
    assert_eq!(stem("2024-05-01.md"), "/2024-05-01");
    assert_eq!(stem("a.b.md"), "/a.b");
    assert_eq!(route("/a/index.html"), "/a");
    assert_eq!(route("a/b.html"), "/a/b.html");
    assert_eq!(route("index.html"), "/");
}
