//! Reads `shelfmark.toml`.
//!
//! The whole file is walked and every problem in it is told at once, with its line and the nearest thing that would
//! have been right. What the file does not say stays unsaid in a [`Draft`]; guessing is not done here.
//!
//! `[site]` with `titel = "Tea"` gives the problem "`titel` is no key of `[site]`" at its line, with the help
//! "did you mean `title`?".

use std::ops::Range;

use artifact::catalogue::{Operation, Tool};
use artifact::route::Address;
use artifact::text::{Analyzer, synonyms};
use toml::Spanned;
use toml::de::{DeArray, DeTable, DeValue};

use super::keys::{closest, of_section};
use super::settings::*;
use super::{names, pattern};
use crate::generator::Kind;
use crate::problem::Problem;

/// What a configuration file says, and what it leaves open.
#[derive(Debug, Clone, Default)]
pub(crate) struct Draft {
    pub site: SiteSettings,
    pub title: Option<String>,
    pub content: Option<String>,
    pub url: Option<String>,
    /// `generator` under `[site]`.
    pub generator: Option<Kind>,
    /// Keys with a default of their own that the file gives: `site.language`.
    pub said: Vec<&'static str>,
    pub server: ServerSettings,
    /// `None` when the file does not speak of collections at all.
    pub collections: Option<Vec<CollectionSettings>>,
    pub pages: PageSettings,
    pub html: Vec<HtmlSettings>,
    pub tags: TagSettings,
    pub search: SearchSettings,
    pub limits: Limits,
    pub feedback: FeedbackSettings,
    pub exports: ExportSettings,
}

/// Reads the text of a configuration file. `file` is its name in problems.
pub(crate) fn read(text: &str, file: &str) -> (Draft, Vec<Problem>) {
    let mut reader = Reader {
        text,
        file,
        problems: Vec::new(),
    };
    let mut draft = Draft::default();
    let (root, errors) = DeTable::parse_recoverable(text);
    for error in errors {
        let span = error.span().unwrap_or(0..0);
        reader.error(span, format!("not valid TOML: {}", error.message().trim()));
    }
    // Half a table would bring forth problems that are not there.
    if reader.problems.is_empty() {
        reader.root(root.get_ref(), &mut draft);
    }
    (draft, reader.problems)
}

struct Reader<'a> {
    text: &'a str,
    file: &'a str,
    problems: Vec<Problem>,
}

type Value<'i> = Spanned<DeValue<'i>>;

impl Reader<'_> {
    fn root(&mut self, root: &DeTable<'_>, draft: &mut Draft) {
        self.known_keys(root, "");
        if let Some(table) = self.table(root, "site") {
            self.site(table, draft);
        }
        if let Some(table) = self.table(root, "server") {
            let server = &mut draft.server;
            self.set(table, "name", &mut server.name);
            self.set_option(table, "title", &mut server.title);
            self.set(table, "version", &mut server.version);
            self.set_option(table, "instructions", &mut server.instructions);
            self.set_option(table, "url", &mut server.url);
            self.set_option(table, "registry_name", &mut server.registry_name);
            // Blank is none, which is not the same as saying nothing.
            server.man = self.text(table, "man").map(|man| below(&man));
            self.folder(table, "man");
            self.set_list(table, "allowed_origins", &mut server.allowed_origins);
            self.set_list(table, "allowed_hosts", &mut server.allowed_hosts);
            self.access(table, draft);
            self.known_keys(table, "server");
            self.endpoint(table);
        }
        if let Some(table) = self.table(root, "pages") {
            let pages = &mut draft.pages;
            self.set_list(table, "include", &mut pages.include);
            self.set_list(table, "exclude", &mut pages.exclude);
            for name in ["include", "exclude"] {
                self.globs(table, name);
            }
            self.set(table, "route", &mut pages.route);
            self.pattern(table, &["path", "slug"], &["path", "slug"]);
            self.known_keys(table, "pages");
        }
        self.html(root, draft);
        if let Some(table) = self.table(root, "tags") {
            let tags = &mut draft.tags;
            self.set(table, "route", &mut tags.route);
            self.pattern(table, &["tag"], &["tag"]);
            self.set_list(table, "keys", &mut tags.keys);
            for (name, key) in [("keys", "tags.keys"), ("route", "tags.route")] {
                if table.contains_key(name) {
                    draft.said.push(key);
                }
            }
            self.set(table, "title", &mut tags.title);
            self.known_keys(table, "tags");
        }
        if let Some(table) = self.table(root, "search") {
            self.search(table, draft);
        }
        if let Some(table) = self.table(root, "limits") {
            let limits = &mut draft.limits;
            self.size(table, "markdown_chars", 100, &mut limits.markdown_chars);
            // A function hands over 6 MB at most. Escaping can double an answer, and a batch holds 2 MiB and one answer more.
            self.size_up_to(
                table,
                "answer_bytes",
                4_096,
                1_000_000,
                &mut limits.answer_bytes,
            );
            self.size(table, "request_bytes", 1_024, &mut limits.request_bytes);
            self.known_keys(table, "limits");
        }
        if let Some(table) = self.table(root, "feedback") {
            self.boolean(table, "enabled", &mut draft.feedback.enabled);
            self.known_keys(table, "feedback");
        }
        if let Some(table) = self.table(root, "exports") {
            let exports = &mut draft.exports;
            self.boolean(table, "llms", &mut exports.llms);
            self.size(table, "llms_bytes", 1_000, &mut exports.llms_bytes);
            self.size(table, "llms_full_bytes", 0, &mut exports.llms_full_bytes);
            self.boolean(table, "tools", &mut exports.tools);
            self.boolean(table, "discovery", &mut exports.discovery);
            self.known_keys(table, "exports");
        }
        self.collections(root, draft);
    }

    fn site(&mut self, table: &DeTable<'_>, draft: &mut Draft) {
        let site = &mut draft.site;
        self.set_option(table, "title", &mut draft.title);
        self.set_option(table, "description", &mut site.description);
        self.set_option(table, "author", &mut site.author);
        self.set(table, "language", &mut site.language);
        self.set_option(table, "content", &mut draft.content);
        self.folder(table, "content");
        self.boolean(table, "trailing_slash", &mut site.trailing_slash);
        self.set_option(table, "url", &mut draft.url);
        draft.generator = self.generator(table);
        for (name, key) in [
            ("language", "site.language"),
            ("trailing_slash", "site.trailing_slash"),
        ] {
            if table.contains_key(name) {
                draft.said.push(key);
            }
        }
        if let (Some(url), Some(value)) = (&draft.url, table.get("url"))
            && let Err(error) = Address::parse(url, site.trailing_slash)
        {
            let problem = self.error(value.span(), error.to_string());
            *problem = problem
                .clone()
                .help("write the site's whole address, as in `url = \"https://example.org/docs\"`");
        }
        self.known_keys(table, "site");
    }

    /// What is told to the world about the endpoint has to be what a registry takes.
    fn endpoint(&mut self, table: &DeTable<'_>) {
        if let Some(url) = self.text(table, "url")
            && !url.is_empty()
            && Address::parse(&url, false).is_err()
        {
            let problem = self.error(
                table["url"].span(),
                format!("`{url}` is no address of an endpoint"),
            );
            *problem = problem
                .clone()
                .help("write the whole address, as in `url = \"https://mcp.example.org/mcp\"`");
        }
        if let Some(name) = self.text(table, "registry_name")
            && !name.is_empty()
            && !names::is_registry_name(&name)
        {
            let what = format!("`{name}` is no name for a registry");
            let problem = self.error(table["registry_name"].span(), what);
            *problem = problem.clone().help(
                "write a domain of yours in reverse, `/` and a name, 200 characters at most, as in `registry_name = \"org.example/docs\"`",
            );
        }
    }

    /// What `[server]` says of tokens.
    fn access(&mut self, table: &DeTable<'_>, draft: &mut Draft) {
        let server = &mut draft.server;
        server.private = self.is_private(table);
        self.set_list(table, "token_sha256", &mut server.token_sha256);
        self.set_list(
            table,
            "authorization_servers",
            &mut server.authorization_servers,
        );
        let of = |name: &str| table.get(name).map(Spanned::span).unwrap_or(0..0);
        let is_digest =
            |text: &String| text.len() == 64 && text.bytes().all(|b| b.is_ascii_hexdigit());
        if !server.token_sha256.iter().all(is_digest) {
            // The text is not repeated: it may be the token itself.
            let problem = self.error(
                of("token_sha256"),
                "`token_sha256` is a list of SHA-256 digests, 64 hexadecimal digits each".into(),
            );
            *problem = problem.clone().help(
                "`builder token` makes a token and prints its digest; a token itself never stands in the settings",
            );
        }
        for url in &server.authorization_servers {
            let is_plain = url.bytes().all(|b| b.is_ascii_graphic());
            if !is_plain || Address::parse(url, false).is_err() {
                let problem = self.error(
                    of("authorization_servers"),
                    format!("`{url}` is not the address of a server"),
                );
                *problem = problem
                    .clone()
                    .help("write it whole, as in `https://login.example.org`");
            }
        }
    }

    /// `access = "private"`.
    fn is_private(&mut self, table: &DeTable<'_>) -> bool {
        let Some(access) = self.text(table, "access") else {
            return false;
        };
        if access != "public" && access != "private" {
            let problem = self.error(
                table["access"].span(),
                format!("`access` is `public` or `private`; got `{access}`"),
            );
            *problem = problem.clone().help("say `access = \"private\"`");
        }
        access != "public"
    }

    fn generator(&mut self, table: &DeTable<'_>) -> Option<Kind> {
        let name = self.text(table, "generator")?;
        let kind = Kind::of(&name);
        if kind.is_none() {
            let names: Vec<&str> = Kind::ALL.iter().map(|kind| kind.name()).collect();
            let help = match closest(&name, names.iter().copied()) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("known are {}", names.join(", ")),
            };
            let problem = self.error(
                table["generator"].span(),
                format!("`{name}` is no generator that is known"),
            );
            *problem = problem.clone().help(help);
        }
        kind
    }

    fn search(&mut self, table: &DeTable<'_>, draft: &mut Draft) {
        let wanted = &mut draft.search.language_synonyms;
        self.boolean(table, "language_synonyms", wanted);
        self.known_keys(table, "search");
        let mut lines = Vec::new();
        self.set_list(table, "synonyms", &mut lines);
        let array = table
            .get("synonyms")
            .and_then(|value| value.get_ref().as_array());
        let analyzer = Analyzer::new(&draft.site.language);
        let mut pairs = Vec::new();
        for value in array.into_iter().flat_map(|array| array.iter()) {
            let Some(line) = value.get_ref().as_str() else {
                continue;
            };
            match synonyms::read(line, &analyzer) {
                Ok(mut more) => pairs.append(&mut more),
                Err(fault) => {
                    let problem = self.error(value.span(), format!("`{line}` {fault}"));
                    *problem = problem.clone().help(
                        "write `\"k8s = kubernetes\"` for two names of one thing, `\"ship > deploy, release\"` for words that serve for another",
                    );
                }
            }
        }
        draft.search.synonyms = synonyms::compile(pairs);
    }

    fn html(&mut self, root: &DeTable<'_>, draft: &mut Draft) {
        let Some(value) = root.get("html") else {
            return;
        };
        let wanted = "an array of tables, `[[html]]`";
        let Some(tables) = value.get_ref().as_array() else {
            self.wrong_kind(value, "html", wanted);
            return;
        };
        for value in tables.iter() {
            let Some(table) = value.get_ref().as_table() else {
                self.wrong_kind(value, "html", wanted);
                continue;
            };
            let mut html = HtmlSettings::default();
            self.set(table, "path", &mut html.path);
            self.folder(table, "path");
            if !table.contains_key("path") {
                let problem = self.error(value.span(), "`[[html]]` names no folder".into());
                *problem = problem.clone().help("add `path = \"public\"`");
            }
            html.path = below(&html.path);
            self.set_list(table, "include", &mut html.include);
            self.set_list(table, "exclude", &mut html.exclude);
            for name in ["include", "exclude"] {
                self.globs(table, name);
            }
            self.set_option(table, "main", &mut html.main);
            if let Some(main) = &html.main
                && crate::html::Selector::read(main).is_none()
            {
                let problem =
                    self.error(table["main"].span(), format!("`{main}` names no element"));
                *problem = problem
                    .clone()
                    .help("write `main`, `#content`, `.post` or `div.post`");
            }
            self.known_keys(table, "html");
            draft.html.push(html);
        }
    }

    fn collections(&mut self, root: &DeTable<'_>, draft: &mut Draft) {
        let Some(value) = root.get("collections") else {
            return;
        };
        let Some(tables) = value.get_ref().as_array() else {
            self.wrong_kind(
                value,
                "collections",
                "an array of tables, `[[collections]]`",
            );
            return;
        };
        let mut found: Vec<CollectionSettings> = Vec::new();
        let mut lines: Vec<u32> = Vec::new();
        for value in tables.iter() {
            let Some(table) = value.get_ref().as_table() else {
                self.wrong_kind(
                    value,
                    "collections",
                    "an array of tables, `[[collections]]`",
                );
                continue;
            };
            let line = self.line(value.span().start);
            let collection = self.collection(table, value.span());
            let place = |f: &dyn Fn(&CollectionSettings) -> bool| found.iter().position(f);
            if let Some(at) = place(&|c| c.name == collection.name && !c.name.is_empty()) {
                let what = format!(
                    "two collections are called `{}`: here and at line {}",
                    collection.name, lines[at]
                );
                self.error(value.span(), what);
            } else if let Some(at) = place(&|c| c.path == collection.path) {
                let what = format!(
                    "the collections `{}` (line {}) and `{}` have the same folder, `{}`",
                    found[at].name, lines[at], collection.name, collection.path
                );
                self.error(value.span(), what);
            }
            lines.push(line);
            found.push(collection);
        }
        self.tool_names(&found, &lines, tables);
        if !found.iter().any(|c| c.posts) && !tables.iter().any(says_posts) {
            // The same in both views: a private collection is the first where there is no other.
            let public = found.iter().position(|c| !c.hidden && !c.private);
            let first = public.or_else(|| found.iter().position(|c| !c.hidden));
            if let Some(first) = first {
                found[first].posts = true;
            }
        }
        draft.collections = Some(found);
    }

    /// No two tools have one name: those of two collections, or of a collection and of every site.
    fn tool_names(&mut self, found: &[CollectionSettings], lines: &[u32], tables: &DeArray<'_>) {
        // Some clients fold letter case, some write `_` for `-`.
        let folded = |name: &str| name.to_lowercase().replace('-', "_");
        let with_tools = || {
            found
                .iter()
                .zip(lines)
                .zip(tables.iter())
                .filter(|((collection, _), _)| collection.tools && !collection.hidden)
        };
        for (at, ((collection, _), value)) in with_tools().enumerate() {
            let slug = collection.tool_slug();
            let names = || {
                let all = Operation::READ.into_iter().chain(Operation::WRITE);
                all.map(|operation| operation.tool_name(slug))
            };
            let own = names().find(|name| Tool::ALL.iter().any(|tool| folded(name) == tool.name()));
            let other = with_tools()
                .take(at)
                .find(|((other, _), _)| folded(other.tool_slug()) == folded(slug));
            let what = match (own, other) {
                (Some(name), _) => format!(
                    "the collection `{}` would make the tool `{name}`, which every site has",
                    collection.name
                ),
                (None, Some(((other, line), _))) => format!(
                    "the collections `{}` (line {line}) and `{}` would both make the tool `{}`",
                    other.name,
                    collection.name,
                    Operation::List.tool_name(slug)
                ),
                (None, None) => continue,
            };
            let problem = self.error(value.span(), what);
            *problem = problem.clone().help(format!(
                "give it another part of the names with `tool_name = \"{}_documents\"` under `[[collections]]`, or leave out `tools`",
                collection.name
            ));
        }
    }

    fn collection(&mut self, table: &DeTable<'_>, span: Range<usize>) -> CollectionSettings {
        let mut collection = CollectionSettings::default();
        self.set(table, "name", &mut collection.name);
        self.set(table, "path", &mut collection.path);
        self.folder(table, "path");
        if !table.contains_key("name") {
            let problem = self.error(span, "a collection has no name".into());
            *problem = problem.clone().help("add `name = \"writing\"`");
        } else if !names::is_name(&collection.name) && table.get("name").is_some_and(is_text) {
            let what = format!("`{}` cannot name a collection", collection.name);
            let help = format!(
                "use letters, digits, `-` and `_`, such as `name = \"{}\"`, and put the words in `title`",
                names::name_of(&collection.name)
            );
            let problem = self.error(table["name"].span(), what);
            *problem = problem.clone().help(help);
        }
        if !table.contains_key("path") {
            collection.path.clone_from(&collection.name);
        }
        collection.path = collection.path.trim_matches('/').to_owned();
        collection.title = names::prettified(&collection.name);
        self.set(table, "title", &mut collection.title);
        self.set_option(table, "description", &mut collection.description);
        collection.route = names::natural_route(&collection.path);
        collection.own_route = table.contains_key("route");
        self.set(table, "route", &mut collection.route);
        self.pattern(
            table,
            &["slug", "path", "year", "month", "day"],
            &["slug", "path"],
        );
        self.boolean(table, "posts", &mut collection.posts);
        self.boolean(table, "hidden", &mut collection.hidden);
        collection.private = self.is_private(table);
        self.set_option(table, "language", &mut collection.language);
        self.boolean(table, "tools", &mut collection.tools);
        self.set_option(table, "tool_name", &mut collection.tool_name);
        if let Some(name) = collection
            .tool_name
            .as_deref()
            .filter(|name| !names::is_name(name))
        {
            let what = format!("`{name}` cannot stand in the name of a tool");
            let problem = self.error(table["tool_name"].span(), what);
            *problem = problem.clone().help(format!(
                "use letters, digits, `-` and `_`, such as `tool_name = \"{}\"`",
                names::name_of(name)
            ));
        }
        if let Some(fields) = self.table(table, "fields") {
            collection.fields = self.fields(fields);
        }
        self.known_keys(table, "collections");
        collection
    }

    fn fields(&mut self, table: &DeTable<'_>) -> Vec<FieldSettings> {
        let mut entries: Vec<_> = table.iter().collect();
        entries.sort_by_key(|(key, _)| key.span().start);
        let mut fields = Vec::new();
        for (key, value) in entries {
            let mut field = FieldSettings {
                name: key.get_ref().to_string(),
                kind: FieldKind::Text,
                description: None,
                values: Vec::new(),
            };
            match value.get_ref() {
                DeValue::String(kind) => self.kind(kind, value.span(), &mut field),
                DeValue::Table(table) => {
                    if let Some(kind) = table.get("kind") {
                        match kind.get_ref() {
                            DeValue::String(word) => self.kind(word, kind.span(), &mut field),
                            _ => self.wrong_kind(kind, "kind", "text"),
                        }
                    }
                    self.set_option(table, "description", &mut field.description);
                    self.set_list(table, "values", &mut field.values);
                    self.known_keys(table, "collections.fields");
                }
                _ => self.wrong_kind(
                    value,
                    key.get_ref(),
                    "a kind such as `\"text\"`, or a table",
                ),
            }
            if field.kind == FieldKind::Enum && field.values.is_empty() {
                let what = format!("`{}` is an enum without values", field.name);
                let problem = self.error(value.span(), what);
                *problem = problem
                    .clone()
                    .help("add `values = [\"first\", \"second\"]`");
            }
            fields.push(field);
        }
        fields
    }

    fn kind(&mut self, word: &str, span: Range<usize>, field: &mut FieldSettings) {
        let found = FieldKind::ALL
            .into_iter()
            .find(|kind| kind.as_str() == word);
        if let Some(kind) = found {
            field.kind = kind;
            return;
        }
        let words: Vec<String> = FieldKind::ALL
            .iter()
            .map(|kind| format!("`{}`", kind.as_str()))
            .collect();
        let problem = self.error(span, format!("`{word}` is no kind of field"));
        *problem = problem
            .clone()
            .help(format!("use one of {}", words.join(", ")));
    }

    // What every table needs.

    fn known_keys(&mut self, table: &DeTable<'_>, section: &str) {
        for key in table.keys() {
            let name = key.get_ref().as_ref();
            if of_section(section).any(|known| known == name) {
                continue;
            }
            let place = match section {
                "" => "the configuration file".to_owned(),
                "collections" => "`[[collections]]`".to_owned(),
                section => format!("`[{section}]`"),
            };
            let help = match closest(name, of_section(section)) {
                Some(real) => format!("did you mean `{real}`?"),
                None => format!(
                    "the keys are {}",
                    of_section(section).collect::<Vec<_>>().join(", ")
                ),
            };
            let problem = self.error(key.span(), format!("`{name}` is no key of {place}"));
            *problem = problem.clone().help(help);
        }
    }

    fn table<'t, 'i>(&mut self, table: &'t DeTable<'i>, name: &str) -> Option<&'t DeTable<'i>> {
        let value = table.get(name)?;
        let found = value.get_ref().as_table();
        if found.is_none() {
            self.wrong_kind(value, name, &format!("a table, `[{name}]`"));
        }
        found
    }

    fn text(&mut self, table: &DeTable<'_>, name: &str) -> Option<String> {
        let value = table.get(name)?;
        match value.get_ref() {
            DeValue::String(text) => Some(text.trim().to_owned()),
            _ => {
                self.wrong_kind(value, name, "text, in quotes");
                None
            }
        }
    }

    /// A text that must not be blank.
    fn set(&mut self, table: &DeTable<'_>, name: &str, target: &mut String) {
        match self.text(table, name) {
            Some(text) if text.is_empty() => {
                let problem = self.error(table[name].span(), format!("`{name}` is empty"));
                *problem = problem
                    .clone()
                    .help("give it a value, or leave the key out");
            }
            Some(text) => *target = text,
            None => {}
        }
    }

    /// A text that is absent when it is blank.
    fn set_option(&mut self, table: &DeTable<'_>, name: &str, target: &mut Option<String>) {
        if let Some(text) = self.text(table, name) {
            *target = (!text.is_empty()).then_some(text);
        }
    }

    fn set_list(&mut self, table: &DeTable<'_>, name: &str, target: &mut Vec<String>) {
        let Some(value) = table.get(name) else { return };
        let Some(array) = value.get_ref().as_array() else {
            self.wrong_kind(value, name, "a list of texts");
            return;
        };
        *target = self.texts(array, name);
    }

    fn texts(&mut self, array: &DeArray<'_>, name: &str) -> Vec<String> {
        let mut texts = Vec::new();
        for value in array.iter() {
            match value.get_ref() {
                DeValue::String(text) => texts.push(text.trim().to_owned()),
                _ => self.wrong_kind(value, name, "a list of texts"),
            }
        }
        texts
    }

    fn boolean(&mut self, table: &DeTable<'_>, name: &str, target: &mut bool) {
        let Some(value) = table.get(name) else { return };
        match value.get_ref().as_bool() {
            Some(found) => *target = found,
            None => self.wrong_kind(value, name, "`true` or `false`"),
        }
    }

    fn size(&mut self, table: &DeTable<'_>, name: &str, least: usize, target: &mut usize) {
        self.size_up_to(table, name, least, 100_000_000, target);
    }

    fn size_up_to(
        &mut self,
        table: &DeTable<'_>,
        name: &str,
        least: usize,
        most: usize,
        target: &mut usize,
    ) {
        let Some(value) = table.get(name) else { return };
        let Some(integer) = value.get_ref().as_integer() else {
            self.wrong_kind(value, name, "a whole number");
            return;
        };
        match usize::from_str_radix(integer.as_str(), integer.radix()) {
            Ok(size) if (least..=most).contains(&size) => *target = size,
            _ => {
                let what = format!("`{name}` is {integer}, and has to be from {least} to {most}");
                self.error(value.span(), what);
            }
        }
    }

    /// A folder below another: relative, and not climbing out.
    fn folder(&mut self, table: &DeTable<'_>, name: &str) {
        let Some(value) = table.get(name) else { return };
        let Some(path) = value.get_ref().as_str() else {
            return;
        };
        let climbs = path.split(['/', '\\']).any(|part| part == "..");
        if path.starts_with('/') || path.contains('\\') || climbs {
            let what = format!("`{path}` is not a folder below the one it is looked for in");
            let problem = self.error(value.span(), what);
            *problem = problem
                .clone()
                .help("write a relative path with `/` between folders, and no `..`");
        }
    }

    fn pattern(&mut self, table: &DeTable<'_>, allowed: &[&str], needed: &[&str]) {
        let Some(value) = table.get("route") else {
            return;
        };
        let Some(text) = value.get_ref().as_str() else {
            return;
        };
        if let Err(what) = pattern::check(text.trim(), allowed, needed) {
            let names: Vec<String> = allowed.iter().map(|name| format!("`{{{name}}}`")).collect();
            let problem = self.error(value.span(), what);
            *problem = problem.clone().help(format!(
                "a route is text that starts with `/`, with the place holders {}",
                names.join(", ")
            ));
        }
    }

    fn globs(&mut self, table: &DeTable<'_>, name: &str) {
        let Some(array) = table.get(name).and_then(|value| value.get_ref().as_array()) else {
            return;
        };
        for value in array.iter() {
            let Some(text) = value.get_ref().as_str() else {
                continue;
            };
            if let Err(error) = globset::Glob::new(text) {
                self.error(
                    value.span(),
                    format!("`{text}` is no pattern: {}", error.kind()),
                );
            }
        }
    }

    fn wrong_kind(&mut self, value: &Value<'_>, name: &str, expected: &str) {
        let got = value.get_ref().type_str();
        self.error(value.span(), format!("`{name}` is {expected}; got {got}"));
    }

    fn error(&mut self, span: Range<usize>, what: String) -> &mut Problem {
        let before = self.text.get(..span.start).unwrap_or(self.text);
        let start = before.rfind('\n').map_or(0, |at| at + 1);
        let column = before[start..].chars().count() + 1;
        let problem = Problem::error(self.file, what)
            .at_column(self.line(span.start), u32::try_from(column).unwrap_or(1));
        self.problems.push(problem);
        self.problems.last_mut().expect("one was pushed just now")
    }

    fn line(&self, offset: usize) -> u32 {
        let before = self.text.get(..offset).unwrap_or(self.text);
        let lines = before.bytes().filter(|b| *b == b'\n').count();
        u32::try_from(lines + 1).unwrap_or(u32::MAX)
    }
}

/// A folder's path without what adds nothing.
fn below(path: &str) -> String {
    path.trim_matches('/').trim_start_matches("./").to_owned()
}

fn says_posts(value: &Value<'_>) -> bool {
    value
        .get_ref()
        .as_table()
        .is_some_and(|table| table.contains_key("posts"))
}

fn is_text(value: &Value<'_>) -> bool {
    value.get_ref().is_str()
}

#[cfg(test)]
mod tests;
