use super::*;

fn all() -> Options {
    Options {
        keys: true,
        critic: true,
        marks: true,
        inserted: true,
        small: true,
        emoji: true,
        magic: true,
        ..Options::default()
    }
}

fn check(source: &str, expected: &str) {
    let mut text = Text::new(source.into(), 1);
    let mut log = Log::default();
    render(&mut text, &all(), &mut log);
    assert_eq!(text.text, expected, "{source:?}");
}

#[test]
fn admonitions_become_quotes() {
    check(
        "a\n\n!!! note \"Hot *tea*\"\n    Mind **it**.\n\n    - one\n\nb\n",
        "a\n\n> **Hot *tea***\n>\n> Mind **it**.\n>\n> - one\n\nb\n",
    );
    check(
        "!!! warning\n\n    Text.\n",
        "> **Warning**\n>\n>\n> Text.\n",
    );
    check("??? tip inline end \"T\"\n    x\n", "> **T**\n>\n> x\n");
    check("!!! note \"\"\n    x\n", "> x\n");
    check(
        "- item\n\n    !!! note\n        x\n\n    y\n",
        "- item\n\n    > **Note**\n    >\n    > x\n\n    y\n",
    );
    check(
        "!!! note\n    a\n\n    !!! tip\n        b\n\n    c\n",
        "> **Note**\n>\n> a\n>\n> > **Tip**\n> >\n> > b\n>\n> c\n",
    );
    check("!!! no such sign!\n", "!!! no such sign!\n");
}

#[test]
fn code_in_admonitions_keeps_its_lines() {
    check(
        "!!! note\n    ```py\n    if a:\n\n        !!! b\n    ```\n",
        "> **Note**\n>\n> ```py\n> if a:\n>\n>     !!! b\n> ```\n",
    );
    check(
        "```\n!!! note\n    x\n=== \"a\"\n```\n",
        "```\n!!! note\n    x\n=== \"a\"\n```\n",
    );
}

#[test]
fn tabs_become_labels() {
    check(
        "=== \"C\"\n\n    ``` c\n    int a;\n    ```\n\n=== \"Rust\"\n\n    text\n\nafter\n",
        "**C**\n\n``` c\nint a;\n```\n\n**Rust**\n\ntext\n\nafter\n",
    );
    check("=== \"A\"\n    x\n", "**A**\n\nx\n");
    check("Title\n===\n\nx\n", "Title\n===\n\nx\n");
}

#[test]
fn attribute_lists_go_and_ids_stay() {
    check("## A { #own .x data-a=\"b c\" }\n", "## A {#own}\n");
    check("## A { .x }\n", "## A\n");
    check("[a](b){ .md-button target=_blank } c\n", "[a](b) c\n");
    check(
        "![a](b.png){ width=\"30\" }\n{ .annotate }\n",
        "![a](b.png)\n",
    );
    check(
        "`{ .x }` and { a: 1 } and {x}\n",
        "`{ .x }` and { a: 1 } and {x}\n",
    );
}

#[test]
fn marks_keep_their_text_and_comments_go() {
    check("==a b== ^^c^^ H~2~O x^2^ ~~d~~\n", "a b c H2O x2 ~~d~~\n");
    check(
        "++ctrl+alt+del++ C++ and a++b\n",
        "Ctrl+Alt+Del C++ and a++b\n",
    );
    check(
        "{--old--}{++new++}{~~a~>b~~}{==c==}{>>secret<<}\n",
        "newbc\n",
    );
    check(
        ":material-account: :smile: a:simple-b\n",
        ":smile: a:simple-b\n",
    );
    check("`==a==` a == b == c\n", "`==a==` a == b == c\n");
}

#[test]
fn what_code_would_write_is_counted() {
    let mut text = Text::new("# A\n\n::: pkg.mod.Name\n    options:\n        show: true\n\nSee [`x`][pkg.x] and [y][y].\n\n[y]: z.md\n".into(), 1);
    let mut log = Log::default();
    render(&mut text, &all(), &mut log);
    assert_eq!(
        text.text,
        "# A\n\n`pkg.mod.Name`\n\nSee `x` and [y][y].\n\n[y]: z.md\n"
    );
    assert_eq!(log.unrendered_kinds(), ["mkdocstrings `:::`"]);
}

#[test]
fn definition_lists_are_terms_and_texts() {
    check(
        "Tea\n:   Hot.\n\n    More.\n\nMilk\n:   Cold.\n",
        "**Tea**\n\nHot.\n\nMore.\n\n**Milk**\n\nCold.\n",
    );
}

#[test]
fn first_headings_in_either_form() {
    assert_eq!(first_heading("\n# Tea { .x }\n").as_deref(), Some("Tea"));
    assert_eq!(first_heading("Tea\n===\n").as_deref(), Some("Tea"));
    assert_eq!(first_heading("## Tea\n"), None);
}

#[test]
fn a_heading_of_mkdocstrings_has_its_name() {
    check(
        "#### ::: pkg.mod.f\n    options:\n\nText.\n",
        "#### `pkg.mod.f` {#pkg.mod.f}\n\nText.\n",
    );
}
