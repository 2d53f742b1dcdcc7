use super::*;

#[test]
fn patterns_are_those_of_gitignore() {
    let patterns = Patterns::of(Some("*.tmp.md\n/drafts/\n# note\nsub/*.md\n!keep.tmp.md\n"));
    let check = |path: &str, says: Option<bool>| assert_eq!(patterns.says(path), says, "{path}");
    check("a.tmp.md", Some(true));
    check("x/a.tmp.md", Some(true));
    check("x/keep.tmp.md", Some(false));
    check("drafts/a/b.md", Some(true));
    check("x/drafts/b.md", None);
    check("sub/a.md", Some(true));
    check("x/sub/a.md", None);
}
