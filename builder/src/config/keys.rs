//! Every key of `shelfmark.toml`, as data.
//!
//! The reader takes its list of known keys from here and the documentation page is tested against it, so a key that
//! is not in this table does not exist.

/// One key of the configuration file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Key {
    /// The table it stands in, without brackets; empty for the tables themselves.
    pub section: &'static str,
    /// The key.
    pub name: &'static str,
    /// The kind of value, in words.
    pub kind: &'static str,
    /// What holds when the key is left out.
    pub default: &'static str,
    /// What the key means.
    pub meaning: &'static str,
}

const fn key(
    section: &'static str,
    name: &'static str,
    kind: &'static str,
    default: &'static str,
    meaning: &'static str,
) -> Key {
    Key {
        section,
        name,
        kind,
        default,
        meaning,
    }
}

/// All keys, in the order of the documentation.
#[rustfmt::skip]
pub const KEYS: &[Key] = &[
    key("", "site", "table", "", "What the site is and where it stands."),
    key("", "server", "table", "", "How the MCP server introduces itself and whom it answers."),
    key("", "collections", "array of tables", "guessed from the folders", "Documents of one kind. An empty array means that there are none and nothing is guessed."),
    key("", "pages", "table", "", "The markdown that no collection holds."),
    key("", "html", "array of tables", "none", "Pages that are taken in as the generator built them, for those that have no markdown."),
    key("", "tags", "table", "", "Where tags come from and where their pages stand."),
    key("", "search", "table", "", "What words mean on this site."),
    key("", "limits", "table", "", "How large pages, answers and requests may get."),
    key("", "feedback", "table", "", "Whether readers may leave feedback."),
    key("", "exports", "table", "", "What is written to be published beside the site's own pages."),

    key("site", "title", "text", "the root page's title, else the folder's name", "The site's name."),
    key("site", "url", "text", "`http://localhost:8787`", "The absolute address of the site's root, base path included."),
    key("site", "description", "text", "none", "What the site is about, in a sentence."),
    key("site", "author", "text", "none", "Who wrote the pages that do not name an author."),
    key("site", "language", "text", "`en`", "The language of pages that do not name one."),
    key("site", "content", "text", "`.`", "The folder that holds the markdown, below the site's folder."),
    key("site", "generator", "text", "found out from the site's files", "What the site is made with: `hugo`, `zola`, `jekyll`, `starlight`, `docusaurus`, `vitepress`, `eleventy`, `mdbook`, `mkdocs`, or `plain` for none of them."),
    key("site", "trailing_slash", "boolean", "`false`", "Whether the site's own addresses end with a slash."),

    key("server", "name", "text", "the slug of the site's title", "The name the server gives itself, for programs."),
    key("server", "title", "text", "the site's title", "The name the server gives itself, for people."),
    key("server", "version", "text", "`1.0.0`", "The version the server tells its clients."),
    key("server", "url", "text", "none", "The public address of the MCP endpoint, which discovery files, `llms.txt` and protected resource metadata name."),
    key("server", "registry_name", "text", "the site's host, reversed, and the server's name", "The server's name in MCP registries, such as `org.example/docs`."),
    key("server", "instructions", "text", "none", "What the server tells a model about itself."),
    key("server", "man", "text", "`man`, unless a collection or the generator reads it", "The folder, below the site's folder, with pages of its own for the manual. Empty for none."),
    key("server", "allowed_origins", "list of texts", "empty", "Origins that a browser may call from, besides the site's own."),
    key("server", "allowed_hosts", "list of texts", "empty", "Host names the server answers to, besides the site's own."),

    key("server", "access", "text", "`public`", "`private` demands a bearer token for everything the server answers."),
    key("server", "token_sha256", "list of texts", "empty", "The SHA-256 of each token that is known, as `builder token` prints it."),
    key("server", "authorization_servers", "list of texts", "empty", "The addresses of the servers that issue tokens, for protected resource metadata."),

    key("collections", "name", "text", "required", "The collection's name in tool calls: letters, digits, `-` and `_`."),
    key("collections", "title", "text", "the name, prettified", "The collection's name for people."),
    key("collections", "description", "text", "none", "What its documents are."),
    key("collections", "path", "text", "the name", "The folder that holds it, below the content folder."),
    key("collections", "route", "text", "`/` + path + `/{path}`", "The pattern of its documents' routes, made of text and `{slug}`, `{path}`, `{year}`, `{month}` and `{day}`."),
    key("collections", "posts", "boolean", "`true` for the first collection when no collection says it", "Whether its documents are posts."),
    key("collections", "hidden", "boolean", "`false`", "Whether the collection is left out of everything that is published."),
    key("collections", "access", "text", "`public`", "`private` shows the collection to requests with a known bearer token alone."),
    key("collections", "language", "text", "the site's language", "The language of its documents that do not name one."),
    key("collections", "tools", "boolean", "`false`", "Whether the collection has tools of its own: `list_…`, `get_…`, `count_…` and `search_…`."),
    key("collections", "tool_name", "text", "the name", "The collection's part of the names of its tools: letters, digits, `-` and `_`."),
    key("collections", "fields", "table", "none", "The fields its documents declare in their front matter: a kind, or a table that describes one."),

    key("collections.fields", "kind", "text", "`text`", "The kind of value: `text`, `integer`, `number`, `boolean`, `date` or `list`, `enum` (one of `values`) or `link` (the address of a page or file of the site, or of another site)."),
    key("collections.fields", "description", "text", "none", "What the field means."),
    key("collections.fields", "values", "list of texts", "empty", "The only values it may have, when it is not empty."),

    key("pages", "include", "list of patterns", "all markdown", "The files to read, below the content folder."),
    key("pages", "exclude", "list of patterns", "empty", "The files to leave out, those of collections included."),
    key("pages", "route", "text", "`/{path}`", "The pattern of the pages' routes, made of text and `{path}` or `{slug}`."),

    key("html", "path", "text", "required", "The folder of the built site, below the site's folder."),
    key("html", "include", "list of patterns", "all HTML", "The files to take in, below that folder. A route that markdown has stays its own."),
    key("html", "exclude", "list of patterns", "empty", "The files to leave out."),
    key("html", "main", "text", "`main`, `article` or `body`", "The element that holds a page's content: a name, `#id`, `.class`, or a name with one of them."),

    key("tags", "route", "text", "`/tags/{tag}`", "The pattern of a tag's route."),
    key("tags", "keys", "list of texts", "`[\"tags\"]`", "The front matter keys that hold tags."),
    key("tags", "title", "text", "`Tags`", "The title of the page that lists all tags."),

    key("search", "synonyms", "list of texts", "empty", "Words that serve for each other: `k8s = kubernetes` both ways, `ship > deploy, release` one way."),
    key("search", "language_synonyms", "boolean", "`true`", "Whether the synonyms for English documentation are used, on a site in English."),

    key("limits", "markdown_chars", "integer", "`24000`", "How many characters of one page's markdown stand in one answer."),
    key("limits", "answer_bytes", "integer", "`262144`", "How many bytes one answer may have."),
    key("limits", "request_bytes", "integer", "`65536`", "How many bytes one request may have."),

    key("feedback", "enabled", "boolean", "`true`", "Whether readers may leave feedback."),

    key("exports", "llms", "boolean", "`true`", "Whether `llms.txt`, its full texts and `sitemap.md` are written."),
    key("exports", "llms_bytes", "integer", "`100000`", "How many bytes `llms.txt` may have before it lists its largest collections in files of their own only."),
    key("exports", "llms_full_bytes", "integer", "`2000000`", "How many bytes one file with full texts may have. 0 writes none."),
    key("exports", "tools", "boolean", "`true`", "Whether the page about the tools is written, as markdown, HTML and JSON."),
    key("exports", "discovery", "boolean", "`true`", "Whether discovery files are written, when `server.url` is known."),
];

/// The keys of one table.
pub fn of_section(section: &str) -> impl Iterator<Item = &'static str> {
    KEYS.iter()
        .filter(move |key| key.section == section)
        .map(|key| key.name)
}

/// The one of `names` that `word` was most likely meant to be.
pub fn closest<'a>(word: &str, names: impl Iterator<Item = &'a str>) -> Option<&'a str> {
    let word = word.to_lowercase();
    names
        .map(|name| (strsim::jaro_winkler(&word, &name.to_lowercase()), name))
        .filter(|(likeness, _)| *likeness > 0.75)
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .map(|(_, name)| name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_slip_of_the_pen_finds_its_key() {
        assert_eq!(closest("titel", of_section("site")), Some("title"));
        assert_eq!(closest("Titel", of_section("site")), Some("title"));
        assert_eq!(
            closest("trailingSlash", of_section("site")),
            Some("trailing_slash")
        );
        assert_eq!(closest("colection", of_section("")), Some("collections"));
        assert_eq!(closest("xyz", of_section("site")), None);
    }
}
