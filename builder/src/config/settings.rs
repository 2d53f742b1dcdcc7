//! The settings of a site, as types with their defaults.
//!
//! The names are the names of `shelfmark.toml`: `settings.site.title` is `title` under `[site]`.
//! Reading the file and guessing what it leaves out is not done here.

use crate::place::folder_of;
use artifact::route::Address;

/// Everything a site decides about itself.
#[derive(Debug, Clone)]
pub struct Settings {
    /// `[site]`.
    pub site: SiteSettings,
    /// `[server]`.
    pub server: ServerSettings,
    /// `[[collections]]`, in the order written.
    pub collections: Vec<CollectionSettings>,
    /// Whether the collections are guessed. Then a page that stands for its folder is a document like any other when it has a text.
    pub guessed_collections: bool,
    /// `[pages]`.
    pub pages: PageSettings,
    /// `[[html]]`, in the order written.
    pub html: Vec<HtmlSettings>,
    /// `[tags]`.
    pub tags: TagSettings,
    /// `[search]`.
    pub search: SearchSettings,
    /// `[limits]`.
    pub limits: Limits,
    /// `[feedback]`.
    pub feedback: FeedbackSettings,
    /// `[exports]`.
    pub exports: ExportSettings,
    /// `site.url` and `site.trailing_slash`, parsed.
    pub address: Address,
}

/// `[site]`: what the site is and where it stands.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SiteSettings {
    /// The site's name.
    pub title: String,
    /// Its absolute address, base path included.
    pub url: String,
    /// What it is about.
    pub description: Option<String>,
    /// Who writes it, where a page does not say.
    pub author: Option<String>,
    /// The language of pages that do not say.
    pub language: String,
    /// The folder below the site's folder that holds the markdown; `.` is the site's folder itself.
    pub content: String,
    /// Whether the site's own addresses end in `/`.
    pub trailing_slash: bool,
}

/// `[server]`: how the MCP server introduces itself and whom it answers.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerSettings {
    /// The server's name, by default the slug of the site's title.
    pub name: String,
    /// The server's name for people.
    pub title: Option<String>,
    /// The version it tells its clients.
    pub version: String,
    /// The public address of the MCP endpoint.
    pub url: Option<String>,
    /// Its name in registries, `org.example/docs`; made of the site's host and `name` when absent.
    pub registry_name: Option<String>,
    /// What it tells a model about itself.
    pub instructions: Option<String>,
    /// The folder below the site's folder that holds the manual's own pages; empty for none.
    pub man: Option<String>,
    /// Origins a browser may call from, besides the site's own.
    pub allowed_origins: Vec<String>,
    /// Host names it answers to, besides the site's own.
    pub allowed_hosts: Vec<String>,
    /// Whether every request needs a bearer token.
    pub private: bool,
    /// The SHA-256 of each token that is known, in hexadecimal digits.
    pub token_sha256: Vec<String>,
    /// The addresses of the servers that issue tokens.
    pub authorization_servers: Vec<String>,
}

/// `[[collections]]`: documents of one kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct CollectionSettings {
    /// The collection's name in tool calls.
    pub name: String,
    /// Its name for people.
    pub title: String,
    /// What its documents are.
    pub description: Option<String>,
    /// The folder below the content folder that holds it.
    pub path: String,
    /// The pattern of its documents' routes, such as `/writing/{slug}`.
    pub route: String,
    /// Whether the configuration gives `route`, which then holds before what the site's generator says.
    pub own_route: bool,
    /// Whether its documents are posts.
    pub posts: bool,
    /// Whether it is left out of everything. In the public view private collections are hidden ones.
    pub hidden: bool,
    /// Whether it is shown to requests with a known token alone.
    pub private: bool,
    /// The language of its documents that do not say; the site's when absent.
    pub language: Option<String>,
    /// The fields its documents declare in their front matter.
    pub fields: Vec<FieldSettings>,
    /// Whether it has tools of its own.
    pub tools: bool,
    /// Its part of their names, when that is not its name.
    pub tool_name: Option<String>,
}

impl CollectionSettings {
    /// Its part of the names of its tools.
    pub fn tool_slug(&self) -> &str {
        self.tool_name.as_deref().unwrap_or(&self.name)
    }

    /// The route of the page that lists the collection: what stands before the first place holder of `route`.
    ///
    /// `/writing/{slug}` and `/writing/{year}/{slug}` both give `/writing`.
    pub fn archive_route(&self) -> String {
        let fixed = self.route.split('{').next().unwrap_or_default();
        // `/writing-{slug}` has the archive `/`: a segment that is only begun is no folder.
        let folder = folder_of(fixed);
        artifact::route::canonical(if folder.is_empty() { "/" } else { folder })
    }
}

/// One entry of `[collections.fields]`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FieldSettings {
    /// The front matter key.
    pub name: String,
    /// What kind of value it holds.
    pub kind: FieldKind,
    /// What it means.
    pub description: Option<String>,
    /// The values it may have; empty when any will do.
    pub values: Vec<String>,
}

/// The kinds of value a declared field may hold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// Text.
    Text,
    /// A whole number.
    Integer,
    /// Any number.
    Number,
    /// `true` or `false`.
    Boolean,
    /// A date or a date-time.
    Date,
    /// Several texts.
    List,
    /// One of the texts in `values`.
    Enum,
    /// An address: of a page or file of the site, or of another site.
    Link,
}

impl FieldKind {
    /// Every kind, in the order they are documented.
    pub const ALL: [FieldKind; 8] = [
        FieldKind::Text,
        FieldKind::Integer,
        FieldKind::Number,
        FieldKind::Boolean,
        FieldKind::Date,
        FieldKind::List,
        FieldKind::Enum,
        FieldKind::Link,
    ];

    /// The word that names the kind in `shelfmark.toml`.
    pub fn as_str(self) -> &'static str {
        match self {
            FieldKind::Text => "text",
            FieldKind::Integer => "integer",
            FieldKind::Number => "number",
            FieldKind::Boolean => "boolean",
            FieldKind::Date => "date",
            FieldKind::List => "list",
            FieldKind::Enum => "enum",
            FieldKind::Link => "link",
        }
    }
}

/// `[pages]`: the markdown that no collection holds.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PageSettings {
    /// Patterns of the files to read, below the content folder. Empty reads all markdown.
    pub include: Vec<String>,
    /// Patterns of files to leave out, collections included.
    pub exclude: Vec<String>,
    /// The pattern of the pages' routes.
    pub route: String,
}

/// `[[html]]`: pages that are taken in as the generator built them.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct HtmlSettings {
    /// The folder of the built site, below the site's folder.
    pub path: String,
    /// Patterns of the files to take in, below that folder. Empty takes in all.
    pub include: Vec<String>,
    /// Patterns of files to leave out.
    pub exclude: Vec<String>,
    /// The element that holds a page's content: `main`, `#content`, `.post`, `div.post`.
    pub main: Option<String>,
}

/// `[tags]`: where tags come from and where their pages stand.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TagSettings {
    /// The pattern of a tag's route.
    pub route: String,
    /// The front matter keys that hold tags.
    pub keys: Vec<String>,
    /// The title of the page that lists all tags.
    pub title: String,
}

/// `[search]`: what words mean on this site.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SearchSettings {
    /// Whether the synonyms that come with the site's language are used.
    pub language_synonyms: bool,
    /// The site's own synonyms, compiled by [`artifact::text::synonyms::compile`].
    pub synonyms: String,
}

/// `[limits]`: how large things may get.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Characters of one page's markdown in one answer.
    pub markdown_chars: usize,
    /// Bytes of one answer.
    pub answer_bytes: usize,
    /// Bytes of one request.
    pub request_bytes: usize,
}

/// `[feedback]`: whether readers may leave feedback.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FeedbackSettings {
    /// Whether the tool is there at all.
    pub enabled: bool,
}

/// `[exports]`: what is written to be published beside the site's own pages.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExportSettings {
    /// Whether `llms.txt`, its full texts and `sitemap.md` are written.
    pub llms: bool,
    /// Bytes of `llms.txt` that are not passed as long as its collections can be listed in files of their own.
    pub llms_bytes: usize,
    /// Bytes of one file with full texts; 0 for no such files.
    pub llms_full_bytes: usize,
    /// Whether the page about the tools is written.
    pub tools: bool,
    /// Whether discovery files are written.
    pub discovery: bool,
}

impl Default for ExportSettings {
    fn default() -> Self {
        ExportSettings {
            llms: true,
            llms_bytes: 100_000,
            llms_full_bytes: 2_000_000,
            tools: true,
            discovery: true,
        }
    }
}

impl Default for SiteSettings {
    fn default() -> Self {
        SiteSettings {
            title: String::new(),
            url: "http://localhost:8787".into(),
            description: None,
            author: None,
            language: "en".into(),
            content: ".".into(),
            trailing_slash: false,
        }
    }
}

impl Default for ServerSettings {
    fn default() -> Self {
        ServerSettings {
            name: String::new(),
            title: None,
            version: "1.0.0".into(),
            url: None,
            registry_name: None,
            instructions: None,
            man: None,
            allowed_origins: Vec::new(),
            allowed_hosts: Vec::new(),
            private: false,
            token_sha256: Vec::new(),
            authorization_servers: Vec::new(),
        }
    }
}

impl Default for PageSettings {
    fn default() -> Self {
        PageSettings {
            include: Vec::new(),
            exclude: Vec::new(),
            route: "/{path}".into(),
        }
    }
}

impl Default for TagSettings {
    fn default() -> Self {
        TagSettings {
            route: "/tags/{tag}".into(),
            keys: vec!["tags".into()],
            title: "Tags".into(),
        }
    }
}

impl Default for SearchSettings {
    fn default() -> Self {
        Self {
            language_synonyms: true,
            synonyms: String::new(),
        }
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            markdown_chars: 24_000,
            answer_bytes: 262_144,
            request_bytes: 65_536,
        }
    }
}

impl Default for FeedbackSettings {
    fn default() -> Self {
        FeedbackSettings { enabled: true }
    }
}
