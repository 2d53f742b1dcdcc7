//! Raw HTML, components and expressions, as a page is published with them.

use super::super::{Outcome, publish};

#[track_caller]
fn check(body: &str, expected: &str) {
    let found = publish(body.to_owned(), 1, false, &mut |_| Outcome::Keep);
    assert_eq!(found.markdown.trim_end_matches('\n'), expected, "{body}");
}

#[track_caller]
fn mdx(body: &str, expected: &str) {
    assert_eq!(unrendered(body, expected), [""; 0], "{body}");
}

/// What is counted as not rendered.
#[track_caller]
fn unrendered(body: &str, expected: &str) -> Vec<String> {
    let found = publish(body.to_owned(), 1, true, &mut |_| Outcome::Keep);
    assert_eq!(found.markdown.trim_end_matches('\n'), expected, "{body}");
    found
        .unrendered
        .into_iter()
        .map(|it| format!("{} {}", it.line, it.what))
        .collect()
}

#[test]
fn wrappers_go_and_their_text_stays() {
    check(
        "<div class=\"x\">\n\n# T\n\na *b*\n\n</div>\n",
        "# T\n\na *b*",
    );
    check(
        "<div>\n  <p>a <span>b</span></p>\n  <p>c</p>\n</div>\n",
        "a b\n\nc",
    );
    check("a <span class=x>*b*</span><font>c</font> d\n", "a *b*c d");
    check("<center>a</center>\nb\n", "a\n\nb");
    check("a\n<div>b</div>\nc\n", "a\n\nb\n\nc");
    check("<p align=center>a\nb</p>\n\nc\n", "a b\n\nc");
    check(
        "- a\n\n  <div>\n\n  b\n\n  </div>\n\n- c\n",
        "- a\n\n  b\n\n- c",
    );
    check(
        "> a\n>\n> <div>\n> b\n> </div>\n>\n> c\n",
        "> a\n>\n> b\n>\n> c",
    );
    check("<div>\n\n    code\n\n</div>\n", "    code");
    check("<div>a\n", "a");
    check("a</div> b </p>\n", "a\n\nb");
    check("<my-box><b>a</b></my-box>\n", "**a**");
}

#[test]
fn marks_are_set_where_they_are_read() {
    check(
        "a <b>b</b>, <strong> c </strong>d<i>e</i>f\n",
        "a **b**, **c** d*e*f",
    );
    check("a<b>\"b\"</b>c <em>*d*</em> <b></b>e\n", "a\"b\"c *d* e");
    check(
        "<code>a &lt;b&gt; `c` \\| d</code> <kbd>Esc</kbd>\n",
        "``a <b> `c` | d`` `Esc`",
    );
    check("<del>a</del> <s>b</s> <u>c</u>\n", "~~a~~ ~~b~~ c");
    check(
        "10<sup>6</sup> H<sub>2</sub>O x<sub>i</sub> <sup>new and small</sup>\n",
        "10⁶ H₂O x_i new and small",
    );
    check("<code><a href=\"b\">c</a></code>\n", "[`c`](b)");
    check(
        "<p>2 * 3 * 4, a_b, *c* &lt;d&gt; [e]</p>\n",
        "2 * 3 * 4, a_b, \\*c\\* &lt;d&gt; [e]",
    );
}

#[test]
fn links_and_images_of_html() {
    check("<a class=x href=\"b.md\">c *d*</a>\n", "[c *d*](b.md)");
    check(
        "<a href=\"b\"><img src=\"c.png\" alt=\"d\"></a>\n",
        "[![d](c.png)](b)",
    );
    check(
        "<p>\n  <img\n    src='a b.png'\n    alt=x>\n</p>\n",
        "![x](a%20b.png)",
    );
    check(
        "<a href=\"b\">\n<div>\n<h3>T</h3>\n<p>t</p>\n</div>\n</a>\n",
        "[**T** t](b)",
    );
    check("## <a name=\"x\"></a>T <a id=y />\n", "## T");
    check("a <a name=b>c\n", "a c");
    check(
        "<iframe src=\"https://v.dev/1\" title=\"Talk\"></iframe>\n",
        "[Talk](https://v.dev/1)",
    );
    check(
        "<video controls>\n<source src=\"a.mp4\">\nNo video.\n</video>\n",
        "[a.mp4](a.mp4)",
    );
    check(
        "<img src=\"data:image/png;base64,AAAA\" alt=\"dot\">\n",
        "dot",
    );
    check(
        "<https://x.dev> a < b Vec<T> <stdio.h> <name>\n",
        "<https://x.dev> a < b Vec<T> <stdio.h> <name>",
    );
}

#[test]
fn blocks_of_html() {
    check(
        "<h2 id=\"x\">A <code>b</code></h2>\ntext\n",
        "## A `b` {#x}\n\ntext",
    );
    check(
        "<ul>\n  <li>a</li>\n  <li>b\n    <ol><li>c</li><li>d</li></ol>\n  </li>\n</ul>\n",
        "- a\n\n- b\n\n  1. c\n  2. d",
    );
    check("<ol start=3><li>a<li>b</ol>\n", "3. a\n4. b");
    check(
        "<ul>\n<li>\n\na\n\n```\nb\n```\n\n</li>\n</ul>\n",
        "- a\n\n  ```\n  b\n  ```",
    );
    check(
        "<pre><code class=\"language-js\">a &lt; b\n  <b>c</b></code></pre>\n",
        "```js\na < b\n  c\n```",
    );
    check("<pre>\n\na ``` b\n</pre>\n", "```\n\na ``` b\n```");
    check(
        "<details>\n<summary>A <b>b</b></summary>\n\nc\n\n</details>\n\nd\n",
        "**A b**\n\nc\n\nd",
    );
    check("<blockquote>\n\na\n\nb\n\n</blockquote>\n", "> a\n>\n> b");
    check(
        "<dl><dt>a</dt><dd>b</dd><dt>c</dt><dd>d</dd></dl>\n",
        "**a**\n\nb\n\n**c**\n\nd",
    );
    check("a<br>b<br />\nc<br>\n\nd\n", "a  \nb  \nc  \n\nd");
    check("<p>a<br>b</p>\n<hr>\nc\n", "a  \nb\n\n---\n\nc");
    check(
        "<figure><img src=a><figcaption>b</figcaption></figure>\n",
        "![](a)\n\nb",
    );
}

#[test]
fn what_is_not_shown_goes() {
    check("a <script>x</script> b\n", "a b");
    check(
        "a\n\n<script>\nlet a = '<b>';\n\n</script>\n\n<style>p{}</style>\n\nb\n",
        "a\n\nb",
    );
    check("<svg><title>x</title><path d=\"\"/></svg>a\n", "a");
    check(
        "<div hidden>x</div><p style=\"display: none\">y</p><span style='DISPLAY:NONE'>z</span>a\n",
        "a",
    );
    check(
        "<template><p>x</p></template>\n\n<template #slot>b</template>\n",
        "b",
    );
    check("<span class=\"sr-only\">read</span>\n", "read");
    check("<!DOCTYPE html>\n<?php x ?>\n", "");
}

#[test]
fn tables_of_html() {
    check(
        "<table>\n<thead><tr><th>A</th><th>B</th></tr></thead>\n<tr><td><code>a|b</code></td><td>c<br>d</td></tr>\n<tr><td colspan=2>e</td></tr>\n</table>\n",
        "| A | B |\n| --- | --- |\n| `a\\|b` | c d |\n| e |  |",
    );
    check(
        "<table><tr><td>a<td>b<tr><th>c<td>d</table>\n",
        "|  |  |\n| --- | --- |\n| a | b |\n| **c** | d |",
    );
    check(
        "<table><tr><th>A</th></tr><tr><td><pre>x\ny</pre></td></tr></table>\n",
        "**A**\n\n```\nx\ny\n```",
    );
    check(
        "<table><tr><td><h2>T</h2></td><td>a</td></tr></table>\n",
        "## T\n\na",
    );
    check(
        "| a |\n|---|\n| b<br>c <ul><li>d</li><li>e</li></ul> |\n",
        "| a |\n|---|\n| b c d e |",
    );
}

#[test]
fn code_is_left_alone() {
    for text in [
        "`<b>a</b>`",
        "```html\n<b>a</b>\n```",
        "    <b>a</b>",
        "\\<b>",
    ] {
        check(text, text);
    }
    for text in [
        "`<B a={b}/>`",
        "```jsx\n<A>\n  {b}\n</A>\n```",
        "\\<B> \\{a}",
    ] {
        mdx(text, text);
    }
}

#[test]
fn html_in_markdown_of_its_generator_is_markdown() {
    check("<div class=\"x\" markdown>\n*a*\n</div>\n", "*a*");
    check("<div markdown=\"0\">\n*a*\n</div>\n", "\\*a\\*");
}

#[test]
fn cards_asides_and_tabs_were_left_as_tags() {
    mdx(
        "<Tabs><TabItem label=\"npm\">`npm i`</TabItem></Tabs>\n",
        "**npm**\n\n`npm i`",
    );
    mdx(
        "<Tabs values={[{label: 'A b', value: 'a'}]}>\n  <TabItem value=\"a\">\n\n    x\n\n  </TabItem>\n</Tabs>\n",
        "**A b**\n\nx",
    );
    mdx(
        "<PackageManagerTabs>\n  <Fragment slot=\"npm\">\n  ```sh\n  npm i\n  ```\n  </Fragment>\n</PackageManagerTabs>\n",
        "**npm**\n\n```sh\nnpm i\n```",
    );
    mdx(
        "<Aside type=\"tip\" title=\"T\">\n  a\n\n  - b\n</Aside>\n",
        "> **Tip: T**\n>\n> a\n>\n> - b",
    );
    mdx("<Callout>a</Callout>\n", "> **Note**\n>\n> a");
    mdx(
        "<CardGrid>\n  <Card title=\"T\" icon=\"x\">\n    a [b](c)\n  </Card>\n  <LinkCard title=\"L\" href=\"/l\" description=\"d\" />\n</CardGrid>\n",
        "**T**\n\na [b](c)\n\n[L](/l): d",
    );
    mdx(
        "<LinkButton href=\"/a\" icon=\"x\">Go</LinkButton> <Icon name=\"y\" />\n",
        "[Go](/a)",
    );
    mdx("## A <Badge text=\"New\" />\n", "## A New");
    mdx("<Code code={`a\nb`} lang=\"js\" />\n", "```js\na\nb\n```");
    mdx(
        "<details>\n  <summary>A</summary>\n\n  b\n</details>\n",
        "**A**\n\nb",
    );
    mdx(
        "<YouTube id=\"abc\" />\n",
        "[https://www.youtube.com/watch?v=abc](https://www.youtube.com/watch?v=abc)",
    );
    mdx(
        "<LiteYouTubeEmbed id=\"abc\" title=\"How it works\" />\n",
        "[How it works](https://www.youtube.com/watch?v=abc)",
    );
}

#[test]
fn links_deep_in_components_were_taken_for_code() {
    mdx(
        "<A1Tabs>\n    <Fragment slot=\"a\">\n        <Steps>\n            1. [b](c)\n\n                ```js\n                d\n                  e\n                ```\n        </Steps>\n    </Fragment>\n</A1Tabs>\n",
        "**A**\n\n1. [b](c)\n\n    ```js\n    d\n      e\n    ```",
    );
    mdx("a\n\n        b [c](d)\n", "a\n\nb [c](d)");
    mdx(
        "1. a\n\n   <Aside>\n   b\n\n   - c\n   </Aside>\n\n2. d\n",
        "1. a\n\n   > **Note**\n   >\n   > b\n   >\n   > - c\n\n2. d",
    );
}

#[test]
fn unknown_components_keep_what_stands_in_them() {
    assert_eq!(
        unrendered("<Box2 a={() => <b>c</b>}>\n  a\n\n  <Y/>\n</Box2>\n", "a"),
        ["1 component `<Box2>`", "4 component `<Y>`"]
    );
    assert_eq!(
        unrendered("a <X>*b*</X> c\n", "a *b* c"),
        ["1 component `<X>`"]
    );
    mdx("<>\n  a\n</>\n", "a");
}

#[test]
fn expressions_show_what_can_be_read() {
    mdx(
        "export const v = '1.2';\nexport const o = { a: ['x', 'y'] };\n\n{v} {o.a[1]} {'{'}a{\"}\"} {`t`} {3}{' '}b {/* c */}\n",
        "1.2 y {a} t 3 b",
    );
    mdx(
        "import logo from './a.png';\n\n<Image src={logo} alt=\"L\" /> <img src={require('./b.png').default} />\n",
        "![L](./a.png) ![](./b.png)",
    );
    assert_eq!(
        unrendered(
            "a {now()} b\n\n{list.map((x) => (\n  <li>{x}</li>\n))}\n\nc\n",
            "a b\n\nc"
        ),
        ["1 expression `{…}`", "3 expression `{…}`"]
    );
    mdx("# T {#id}\n", "# T {#id}");
}

#[test]
fn lines_are_those_of_the_source_behind_components() {
    let mut lines = Vec::new();
    let body = "<Tabs>\n  <TabItem label=\"a\">\n    [a](b)\n  </TabItem>\n</Tabs>\n\n[c](d)\n\n<p>\n[e](f)</p>\n\n[g](h)\n";
    publish(body.to_owned(), 10, true, &mut |reference| {
        lines.push((reference.target.to_owned(), reference.line));
        Outcome::Keep
    });
    let expected = [("b", 12), ("d", 16), ("f", 19), ("h", 21)];
    assert_eq!(
        lines,
        expected.map(|(target, line)| (target.to_owned(), line))
    );
}

#[test]
fn any_html_is_reduced_without_a_panic() {
    let seeds = [
        "<div я=\"ж\"><p>ю</p>\n<ul><li>ё<li>й</ul>\n\n> <b>д</b>\n> <table><tr><td>я|ж</td></tr></table>\n\n<pre>\nя</pre>",
        "<Tabs я={`${'ж'}`}>\n\t<TabItem label=\"ю\">\n\t\t```я\n\tж\n\t\t```\n\t</TabItem>\n</Tabs>{я}<a href={я}>",
        "- <div>я</div>\n  1. <Aside>ж\n     я</Aside>\n\n:::note[я]{я}\nж\n:::\n:kbd[я] <br/>я<sup>я</sup>",
    ];
    for seed in seeds {
        for (at, _) in seed.char_indices() {
            for body in [&seed[..at], &seed[at..]] {
                for is_mdx in [false, true] {
                    publish(body.to_owned(), 1, is_mdx, &mut |_| Outcome::Keep);
                }
            }
        }
    }
}
