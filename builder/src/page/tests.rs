use super::*;
use crate::site::{CutRank, Reading};

/// Every `.md` becomes a page of `x.dev`; `hidden.md` is hidden.
fn resolve(reference: &Reference<'_>) -> Outcome {
    let target = reference.target;
    if target.contains("hidden") {
        Outcome::Unlink
    } else if target.contains("://") {
        Outcome::Keep
    } else {
        Outcome::Replace(format!("https://x.dev/{}", target.replace(".md", "")))
    }
}

fn published(body: &str, mdx: bool) -> Published {
    publish(body.to_owned(), 1, mdx, &mut resolve)
}

fn check(body: &str, expected: &str) {
    assert_eq!(published(body, false).markdown, expected, "{body:?}");
}

fn check_mdx(body: &str, expected: &str) {
    assert_eq!(published(body, true).markdown, expected, "{body:?}");
}

fn lines_of_links(body: &str) -> Vec<u32> {
    let mut lines = Vec::new();
    publish(body.to_owned(), 10, true, &mut |reference| {
        lines.push(reference.line);
        Outcome::Keep
    });
    lines
}

fn outline(markdown: &str) -> Vec<String> {
    read(markdown, usize::MAX)
        .outline
        .iter()
        .map(|h| format!("{} {}#{}", h.level, h.text, h.anchor))
        .collect()
}

fn text(markdown: &str) -> String {
    read(markdown, usize::MAX).text
}

fn spans(markdown: &str) -> Vec<String> {
    let reading = read(markdown, usize::MAX);
    reading
        .spans
        .iter()
        .map(|s| {
            format!(
                "{}{}",
                if s.joined { "+" } else { "" },
                &markdown[s.start as usize..s.end as usize]
            )
        })
        .collect()
}

#[test]
fn comments_appeared_in_what_was_published() {
    check("<!-- TODO: needs confirmation -->\n\ntext\n", "text\n");
    check("a <!-- x --> b <!-- y -->\n", "a b\n");
    check("a\n<!-- x -->\nb\n", "a\n\nb\n");
    check("a\n\n<!-- x\n\ny -->\n\nb\n", "a\n\nb\n");
    check("a\n\n<!-- x --> b\n", "a\n\nb\n");
    check("<!-- a --><!-- b -->c<!-- d -->\n", "c\n");
    check("<!--> a <!---> b\n", "a b\n");
    check("<div>\n<!-- x -->\n<p>y</p>\n</div>\n", "y\n");
    check("- a\n  <!-- x -->\n- b\n", "- a\n\n- b\n");
    check("a<!-- x -->b\n", "ab\n");
}

#[test]
fn a_comment_with_code_or_blank_lines_in_it_is_one_comment() {
    check("a <!-- x\n\n```\nb\n```\n\ny --> c\n", "a c\n");
    check("<!-- x\n\n```\n--> a\n```\nb\n", "a\n```\nb\n");
    check("<!<!-- x -->-- secret -->a\n", "a\n");
}

#[test]
fn a_comment_that_is_never_closed_hides_the_rest() {
    let found = published("a\n\nb <!-- secret\n\nmore\n", false);
    assert_eq!(found.markdown, "a\n\nb\n");
    assert_eq!(found.unclosed_comments, [3]);
}

#[test]
fn comments_in_code_stay() {
    for text in [
        "`<!-- a -->`\n",
        "```html\n<!-- a -->\n```\n",
        "    <!-- a -->\n",
        "\\<!-- a -->\n",
    ] {
        check(text, text);
    }
    for text in ["`{/* a */}`\n", "```jsx\n{/* a */}\n```\n"] {
        check_mdx(text, text);
    }
    check(
        "{/* plain markdown shows this */}\n",
        "{/* plain markdown shows this */}\n",
    );
}

#[test]
fn internal_comments_of_mdx_were_readable() {
    check_mdx(
        "{/* deliberately undocumented because X */}\n\ntext\n",
        "text\n",
    );
    check_mdx("a {/* x\n\ny */} b\n", "a b\n");
    check_mdx(
        "<Tabs>\n    <Tab>\n        {/* secret */}\n        shown\n    </Tab>\n</Tabs>\n",
        "shown\n",
    );
    check_mdx("{ /* x */ }a\n", "a\n");
    check_mdx("{/* x */ 'value'}\n", "value\n");
    check_mdx("a {/* never closed\n", "a\n");
    check_mdx("# T {/* #id */}\n", "# T\n");
}

#[test]
fn module_code_leaked_into_the_markdown() {
    check_mdx(
        "export function Btn() {\n  return <button>Hi</button>\n}\n\n# Title\n",
        "# Title\n",
    );
    check_mdx("import X from 'x'\n\n# H\n", "# H\n");
    check_mdx(
        "import X from 'x'\nimport { A,\n  B } from \"y\";\nimport 'z.css'\ntext\n",
        "text\n",
    );
    check_mdx(
        "a\n\nexport const x = {\n\n  b: `}\n\n`,\n};\n\nb\n",
        "a\n\nb\n",
    );
    check_mdx("export const f = (a) =>\n  a + 1\n\nb\n", "b\n");
    check_mdx("export const A = () => <p>Don't</p>\n\nb\n", "b\n");
    check_mdx("export const broken = {\n\nb\n", "b\n");
    check_mdx(
        "importing goods is hard\n\nexports too\n",
        "importing goods is hard\n\nexports too\n",
    );
    check_mdx("import duties are paid\n", "import duties are paid\n");
}

#[test]
fn module_code_in_an_example_was_taken_out() {
    let text = "```jsx\nexport {A} from \"./A\"\nexport {B} from \"./B\"\n```\n";
    check_mdx(text, text);
    check("import X from 'x'\n", "import X from 'x'\n");
}

#[test]
fn relative_links_and_images_become_absolute() {
    check(
        "[c](../c.md#x) ![i](img/a.png)\n",
        "[c](https://x.dev/../c#x) ![i](https://x.dev/img/a.png)\n",
    );
    check("[a](<a.md> \"T\")\n", "[a](https://x.dev/a \"T\")\n");
    check("[a *b* `c`](a.md)\n", "[a *b* `c`](https://x.dev/a)\n");
    check("[](a.md)\n", "[](https://x.dev/a)\n");
    check(
        "[![i](i.png)](a.md)\n",
        "[![i](https://x.dev/i.png)](https://x.dev/a)\n",
    );
    check(
        "[a][r], [r][], [r]\n\n[r]: a.md 'T'\n",
        "[a][r], [r][], [r]\n\n[r]: https://x.dev/a 'T'\n",
    );
    check("[a](<b c.md>)\n", "[a](https://x.dev/b%20c)\n");
    check("[a](f(x).md)\n", "[a](https://x.dev/f%28x%29)\n");
    check("> [a](\n> b.md)\n", "> [a](\n> https://x.dev/b)\n");
    check(
        "[a\\]](b.md) [x[y]](z.md)\n",
        "[a\\]](https://x.dev/b) [x[y]](https://x.dev/z)\n",
    );
    check(
        "| a |\n|---|\n| [b](c\\|d.md) |\n",
        "| a |\n|---|\n| [b](https://x.dev/c%7Cd) |\n",
    );
    check("<a class=x href=\"b.md\">c</a>\n", "[c](https://x.dev/b)\n");
    check(
        "<p><img alt='' src='i.png'></p>\n",
        "![](https://x.dev/i.png)\n",
    );
    check("<https://y.dev>\n", "<https://y.dev>\n");
}

#[test]
fn a_lambda_in_code_was_rewritten_as_a_link() {
    for text in [
        "```cpp\nconst auto f = []() { return 1; };\n```\n",
        "`[a](b.md)`\n",
        "    [a](b.md)\n",
        "```html\n<a href=\"b.md\">\n```\n",
        "[no link] (b.md)\n",
    ] {
        check(text, text);
    }
}

#[test]
fn a_link_to_a_hidden_page_keeps_its_text() {
    check("see [the *plan*](hidden.md).\n", "see the *plan*.\n");
    check(
        "[a][r] and [r]\n\n[r]: hidden.md\n\nb\n",
        "a and r\n\n\n\nb\n",
    );
    check("<a href=\"hidden.md\">x</a>\n", "x\n");
    check("[![i](i.png)](hidden.md)\n", "![i](https://x.dev/i.png)\n");
    check("<https://x.dev/hidden>\n", "https://x.dev/hidden\n");
}

#[test]
fn lines_are_those_of_the_source_file() {
    assert_eq!(
        lines_of_links("import A from 'a'\n\n<!-- x\ny -->\n[a](b)\n\n[c](d) [e](f)\n"),
        [14, 16, 16]
    );
}

#[test]
fn invisible_characters_go() {
    check(
        "a\u{202E}b `c\u{202E}d` \u{E0041}e\n",
        "ab `c\u{202E}d` e\n",
    );
    check("`a\u{E0041}b` 👩\u{200D}💻\n", "`ab` 👩\u{200D}💻\n");
    check("<!\u{202E}-- secret -->a\n", "a\n");
}

#[test]
fn blank_lines_around_go() {
    check("\n\n  \n    code\n\n", "    code\n");
    check("", "");
    check("\n \n", "");
    check("a", "a\n");
}

#[test]
fn a_comment_in_code_became_a_section() {
    assert_eq!(
        outline("# Real\n\n```python\n# not a heading\nx = 1\n```\nmore\n"),
        ["1 Real#real"]
    );
    assert_eq!(
        outline("~~~sh\n# step\n~~~\n\n    # code\n\n`# c`\n"),
        [""; 0]
    );
    assert_eq!(outline("````\n```\n# a\n```\n````\n# b\n"), ["1 b#b"]);
}

#[test]
fn a_second_heading_of_one_name_counts() {
    assert_eq!(
        outline("## Heading\n\n## Heading\n"),
        ["2 Heading#heading", "2 Heading#heading-1"]
    );
    assert_eq!(
        outline("## `my_function` reference\n## foo & bar"),
        [
            "2 my_function reference#my_function-reference",
            "2 foo & bar#foo--bar"
        ]
    );
    assert_eq!(outline("## C\n## C++\n"), ["2 C#c", "2 C++#c-1"]);
    assert_eq!(
        outline("## A {#b}\n## B\n## B {#b}\n"),
        ["2 A#b", "2 B#b-1", "2 B#b-2"]
    );
    assert_eq!(
        outline("Setext *x*\n===\n\n#\n\n> ## In a quote\n"),
        ["1 Setext x#setext-x", "2 In a quote#in-a-quote"]
    );
}

#[test]
fn a_fence_that_never_closes_loses_nothing() {
    let markdown = "# T\n\n```python\nx = 1\n\n## Important\ntext\n";
    assert_eq!(outline(markdown), ["1 T#t"]);
    assert_eq!(text(markdown), "T\nx = 1\n\n## Important\ntext");
}

#[test]
fn plain_text_and_its_places() {
    let markdown = "# A *b*\n\nc `d` e**f**g &amp; h\ni\n\n- j\n- k\n";
    assert_eq!(text(markdown), "A b\nc d efg & h i\nj\nk");
    assert_eq!(
        spans(markdown),
        [
            "A ", "+b", "c ", "+d", "+ e", "+f", "+g ", "+&amp;", "+ h", "i", "j", "k"
        ]
    );
    assert_eq!(text("| a | b |\n|---|---|\n| c | d |\n"), "a b\nc d");
    assert_eq!(text("![alt](x.png) <b>y</b>z<br>w\n"), "alt yz w");
    assert_eq!(
        text("<div>\n<p>a &lt; b</p>\n<script>var x</script>\n</div>\n\nc\n"),
        "a < b\nc"
    );
    assert_eq!(text("a <script>var x</script> b\n\nc\n"), "a  b\nc");
    assert_eq!(text("```\na\n\n  b\n```\n"), "a\n\n  b");
    assert_eq!(text("> [!NOTE]\n> n[^1]\n\n[^1]: foot\n"), "n\nfoot");
    assert_eq!(
        text("<Tabs><TabItem label=\"npm\">`npm i`</TabItem></Tabs>\n"),
        "npm i"
    );
}

fn cuts(markdown: &str, limit: usize) -> Vec<(String, CutRank, String)> {
    let reading = read(markdown, limit);
    reading
        .cuts
        .iter()
        .map(|cut| {
            let rest = &markdown[cut.offset as usize..];
            let fence = cut
                .fence
                .clone()
                .map_or("", |f| &markdown[f.start as usize..f.end as usize]);
            (
                rest.lines().next().unwrap_or_default().to_owned(),
                cut.rank,
                fence.to_owned(),
            )
        })
        .collect()
}

#[test]
fn places_to_cut() {
    use CutRank::{Block, Line, Part};
    let cut = |line: &str, rank, fence: &str| (line.to_owned(), rank, fence.to_owned());
    let markdown =
        "# A\n\np\n\n- i\n- j\n\n  ~~~~x\n  c\n  d\n  ~~~~\n\n> q\n>\n> r\n\n| a |\n|---|\n| b |\n";
    assert_eq!(
        cuts(markdown, 10),
        [
            cut("p", Block, ""),
            cut("- i", Block, ""),
            cut("- j", Part, ""),
            cut("  ~~~~x", Part, ""),
            cut("  d", Line, "  ~~~~"),
            cut("> q", Block, ""),
            cut("> r", Part, ""),
            cut("| a |", Block, ""),
            cut("| b |", Part, ""),
        ]
    );
    assert_eq!(cuts(markdown, 1_000), []);
}

#[test]
fn a_cut_in_a_fence_knows_its_marker() {
    let fences = |markdown: &str| -> Vec<String> {
        cuts(markdown, 1)
            .into_iter()
            .filter(|c| c.1 == CutRank::Line)
            .map(|c| c.2)
            .collect()
    };
    assert_eq!(
        fences("A script:\n\n```bash\n#!/bin/bash\necho hello\n```\n"),
        ["```"]
    );
    assert_eq!(fences("~~~python\na\nb\n"), ["~~~"]);
    assert_eq!(fences("````\n```\na\n```\n````\n"), ["````", "````"]);
    assert_eq!(fences("> ```\n> a\n> b\n> ```\n"), ["> ```"]);
    assert_eq!(fences("- ```\n  a\n  b\n  ```\n"), [""; 0]);
}

#[test]
fn a_page_of_one_line_can_be_cut() {
    for line in [
        "日本語".repeat(2_000),
        "word ".repeat(3_000),
        format!("```\n{}\n```", "я".repeat(9_000)),
        format!("<div>{}</div>", "x".repeat(9_000)),
    ] {
        let markdown = format!("{line}\n");
        let reading = read(&markdown, 100);
        assert!(reading.cuts.len() >= 5, "{}", &line[..12]);
        assert!(
            reading
                .cuts
                .iter()
                .all(|cut| markdown.is_char_boundary(cut.offset as usize))
        );
    }
}

/// What has to hold for any text.
fn sound(markdown: &str, reading: &Reading) {
    let mut end = 0;
    let mut rebuilt = 0;
    for span in &reading.spans {
        let (start, stop) = (span.start as usize, span.end as usize);
        assert!(
            start < stop && markdown.get(start..stop).is_some(),
            "{markdown:?} {span:?}"
        );
        end = end.max(stop);
        rebuilt += 1;
    }
    assert!(rebuilt == 0 || !reading.text.is_empty());
    for heading in &reading.outline {
        assert!(markdown.is_char_boundary(heading.start as usize));
        assert!(!heading.text.is_empty() && !heading.anchor.is_empty());
    }
    let mut last = 0;
    for cut in &reading.cuts {
        let at = cut.offset as usize;
        assert!(at > last || last == 0, "{markdown:?}");
        assert!(
            markdown.is_char_boundary(at) && at < markdown.len(),
            "{markdown:?}"
        );
        if let Some(fence) = &cut.fence {
            assert!(
                markdown
                    .get(fence.start as usize..fence.end as usize)
                    .is_some()
            );
            assert!((fence.end as usize) < at);
        }
        last = at;
    }
}

#[test]
fn any_text_is_published_and_read_without_a_panic() {
    let seeds = [
        "Я  \nnext",
        "𛲟<td:^𛲟",
        "# Ж {#я}\n\n> - a ``x` [л](<м.md> 'ю') ![](n)\n>\n>   ~~~я\n>   к\n\n<!-- ё\n\n--> | a |\n|--|\n| [х](y\\|z) |\n",
        "{/* я */ x} import {Я,\n} from 'ы'\nexport const x = {`ж\n${y}`: [1,\n\n{/*\n```ю\n*/}\n```\n",
        "[я]: <б\n> 'c'\n[я][я] [я][] [^ж]\n\n[^ж]: <a href='щ' src=\"\n\">э&#1103;&lt;</a\n<script>ф</",
        "a\u{202E}\u{E0041}<!\u{2066}-- `я\u{202E}\n\t\t- \t```\n\n---\n***\n&nbsp;<\u{0}\u{b}>\\\n~~x~~ <я@б.ю>",
    ];
    for seed in seeds {
        for (at, _) in seed.char_indices() {
            for body in [&seed[..at], &seed[at..]] {
                for mdx in [false, true] {
                    let found = published(body, mdx);
                    sound(&found.markdown, &read(&found.markdown, 3));
                    sound(body, &read(body, 3));
                }
            }
        }
    }
}

#[test]
fn code_stays_byte_for_byte() {
    let blocks = [
        "```js\nimport a from 'b'\n<!-- x -->  \n[a](b.md)\n\n\n{/* y */}\t\n```",
        "~~~\n\u{202E}<a href=\"x.md\">\n~~~",
    ];
    for block in blocks {
        let body = format!("<!-- c -->\n\n[a](b.md)\n\n{block}\n\n<!-- d -->\n");
        for mdx in [false, true] {
            let found = published(&body, mdx);
            assert!(found.markdown.contains(block), "{:?}", found.markdown);
        }
    }
}
