//! Small sites of Hugo, for what went wrong elsewhere.

use crate::read_site;
use crate::reader::tests;
use crate::site::Site;

fn site(files: &[(&str, &str)]) -> Site {
    let folder = tests::folder(files);
    read_site(&tests::options(folder.path()), &|_| ()).unwrap()
}

const CONFIG: (&str, &str) = ("hugo.toml", "baseURL = 'https://x.dev/'\n");

fn markdown<'a>(site: &'a Site, route: &str) -> &'a str {
    let page = site.pages.iter().find(|page| page.route == route);
    page.map_or("", |page| &page.markdown)
}

#[test]
fn shortcodes_stood_in_the_markdown() {
    let site = site(&[
        CONFIG,
        (
            "content/a.md",
            "{{< tabs >}}{{< tab \"npm\" >}}text{{< /tab >}}{{< /tabs >}} see [x]({{< ref \"b.md\" >}}) `http://<addr>/<ns>` {{< manifests >}}\n",
        ),
        ("content/b.md", "b\n"),
    ]);
    let text = markdown(&site, "/a");
    assert!(!text.contains("{{"), "{text}");
    assert!(
        text.contains("npm")
            && text.contains("text see [x](https://x.dev/b/) `http://<addr>/<ns>`"),
        "{text}"
    );
    let told: Vec<&str> = site
        .unrendered
        .iter()
        .map(|piece| piece.what.as_str())
        .collect();
    assert_eq!(told, ["shortcode `manifests`"]);
}

#[test]
fn tabs_of_code_and_buttons() {
    let site = site(&[
        CONFIG,
        (
            "content/a.md",
            "{{< tabpane lang=\"sh\" >}}\n{{< tab header=\"Languages\" disabled=true />}}\n{{< tab header=\"npm\" >}}\n# install\n<b>\n{{< /tab >}}\n\
             {{< tab header=\"yaml\" lang=\"yaml\" >}}\na: 1\n{{< /tab >}}\n{{% tab header=\"why\" text=true %}}\nSome *text*.\n{{% /tab %}}\n{{< /tabpane >}}\n\n\
             {{< tabpane text=true >}}\n{{% tab header=\"de\" lang=\"de\" %}}\n**Hallo**\n{{% /tab %}}\n{{< /tabpane >}}\n\n\
             {{< button relref=\"/b\" >}}Go on{{< /button >}}\n",
        ),
        ("content/b.md", "b\n"),
    ]);
    let text = markdown(&site, "/a");
    for wanted in [
        "**npm**\n\n```sh\n# install\n<b>\n```\n",
        "**yaml**\n\n```yaml\na: 1\n```\n",
        "**why**\n\nSome *text*.\n",
        "**de**\n\n**Hallo**\n",
        "[Go on](https://x.dev/b/)",
    ] {
        assert!(text.contains(wanted), "{wanted:?} in {text}");
    }
}

#[test]
fn code_beside_a_shortcode_was_flattened() {
    let code = "```yaml\na:\n  b: 1\n```";
    let text = format!("{{{{< notebox >}}}}\n**Note**\n{{{{< /notebox >}}}}\n{code}\n");
    let site = site(&[CONFIG, ("content/a.md", &text)]);
    let found = markdown(&site, "/a");
    assert!(
        found.contains("> **Note**") && found.contains(code),
        "{found}"
    );
}

#[test]
fn keys_were_lost_for_their_letter_case() {
    let site = site(&[
        CONFIG,
        ("content/a.md", "---\nTitle: T\nDraft: true\n---\na\n"),
        ("content/b.md", "---\nTitle: B\nSLUG: c\n---\nb\n"),
    ]);
    let found: Vec<(&str, &str)> = site
        .pages
        .iter()
        .map(|page| (page.route.as_str(), page.title.as_str()))
        .collect();
    assert_eq!(found, [("/c", "B")]);
}

#[test]
fn a_byte_order_mark_published_the_front_matter() {
    let site = site(&[
        CONFIG,
        (
            "content/a.md",
            "\u{FEFF}+++\ntitle = \"Setup\"\n+++\nBody\n",
        ),
    ]);
    assert_eq!(
        (
            site.pages[0].title.as_str(),
            site.pages[0].markdown.as_str()
        ),
        ("Setup", "Body\n")
    );
}

#[test]
fn a_draft_reaches_nobody_by_way_of_source() {
    let site = site(&[
        CONFIG,
        ("content/a.md", "---\nsource: /shared/own.md\n---\n"),
        (
            "content/b.md",
            "---\nsource: shared/given.md\n---\n<!-- see there -->\n",
        ),
        (
            "content/c.md",
            "---\nsource: shared/given.md\n---\nIts own.\n",
        ),
        (
            "content/shared/_index.md",
            "---\ncascade: {draft: true}\n---\n",
        ),
        ("content/shared/own.md", "---\ndraft: true\n---\nsecret\n"),
        ("content/shared/given.md", "---\ntitle: x\n---\nGiven.\n"),
    ]);
    assert_eq!(markdown(&site, "/a"), "");
    assert_eq!(markdown(&site, "/b"), "Given.\n");
    assert_eq!(markdown(&site, "/c"), "Its own.\n");
    assert_eq!(site.pages.len(), 3);
    assert!(
        site.problems
            .iter()
            .any(|problem| problem.what.contains("not published"))
    );
}

#[test]
fn a_configuration_of_zola_is_not_hugos() {
    let kind = |config| site(&[("content/a.md", "a\n"), ("config.toml", config)]).generator;
    assert_eq!(
        kind("base_url = \"https://x.dev\"\n"),
        crate::generator::Kind::Zola
    );
    assert_eq!(
        kind("baseURL = \"https://x.dev\"\n"),
        crate::generator::Kind::Hugo
    );
    assert_eq!(kind("other = 1\n"), crate::generator::Kind::Plain);
}
