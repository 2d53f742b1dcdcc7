//! Which instance, version and language each file belongs to.

use std::collections::HashMap;

use super::Slot;
use super::config::{Instance, Role};
use crate::generator::SiteFiles;
use crate::generator::settings::{self, Config};
use crate::place::below;
use crate::site_map::joined;
use crate::source::markdown_ending;

/// The site's languages.
pub(super) struct Locales {
    pub default: String,
    /// The folder of translations, below the configuration's.
    folder: String,
    /// The others, each with its folder's name and its address.
    others: Vec<(String, String)>,
    /// Those that have a host of their own.
    elsewhere: Vec<String>,
}

impl Locales {
    pub(super) fn of(config: &Config) -> Locales {
        let default = config
            .text("i18n.defaultLocale")
            .unwrap_or_else(|| "en".into());
        let mut locales = Locales {
            folder: config.text("i18n.path").unwrap_or_else(|| "i18n".into()),
            others: Vec::new(),
            elsewhere: Vec::new(),
            default,
        };
        let named = config
            .node("i18n.locales")
            .map(settings::texts)
            .unwrap_or_default();
        for name in named.into_iter().filter(|name| *name != locales.default) {
            let key = |key: &str| config.text(&format!("i18n.localeConfigs.{name}.{key}"));
            if key("url").is_some() {
                locales.elsewhere.push(name);
                continue;
            }
            let folder = key("path").unwrap_or_else(|| name.clone());
            locales.others.push((name, folder));
        }
        locales
    }
}

/// Finds out which instance, version and locale each markdown file belongs to.
pub(super) fn slots(
    files: &SiteFiles,
    root: &str,
    folders: &[String],
    instances: &[Instance],
    locales: &Locales,
    notices: &mut Vec<String>,
) -> HashMap<String, Slot> {
    // The folders of all versions in all languages, the deepest first.
    let mut places: Vec<(String, Slot)> = Vec::new();
    for (instance, held) in instances.iter().enumerate() {
        for (version, own) in held.versions.iter().enumerate() {
            let slot = |locale: Option<&str>| Slot {
                instance,
                version,
                locale: locale.map(str::to_owned),
                path: String::new(),
            };
            places.push((own.folder.clone(), slot(None)));
            let plugin = format!("docusaurus-plugin-{}", held.role.plugin());
            let plugin = match held.id.as_str() {
                "default" => plugin,
                id => format!("{plugin}-{id}"),
            };
            let inside = match held.role {
                Role::Docs if own.folder == folders[instance] => "/current".to_owned(),
                Role::Docs => format!("/{}", own.folder.rsplit('/').next().unwrap_or_default()),
                _ => String::new(),
            };
            for (locale, folder) in &locales.others {
                let path = format!("{}/{folder}/{plugin}{inside}", locales.folder);
                places.extend(joined(root, &path).map(|path| (path, slot(Some(locale)))));
            }
        }
    }
    places.sort_by_key(|(folder, _)| std::cmp::Reverse(folder.len()));
    let mut slots = HashMap::new();
    let mut translated = 0;
    for source in files.paths().filter(|path| markdown_ending(path).is_some()) {
        let found = places.iter().find_map(|(folder, slot)| {
            let path = below(source, folder)?;
            let held = &instances[slot.instance];
            let is_in = held.include.is_match(path) && !held.exclude.is_match(path);
            is_in.then(|| Slot {
                path: path.to_owned(),
                ..slot.clone()
            })
        });
        if let Some(slot) = found {
            translated += usize::from(slot.locale.is_some());
            slots.insert(source.to_owned(), slot);
        }
    }
    if translated > 0 {
        notices.push(format!(
            "{translated} translated pages are taken from `{}`; pages without a translation stand in `{}` only",
            locales.folder, locales.default
        ));
    }
    if !locales.elsewhere.is_empty() {
        notices.push(format!(
            "the locales {} have addresses of their own and are left out",
            locales.elsewhere.join(", ")
        ));
    }
    slots
}

/// The nearest folder that holds all of some folders, `.` for the site's own.
pub(super) fn shared_folder<'a>(folders: impl Iterator<Item = &'a str>) -> String {
    let mut shared: Option<Vec<&str>> = None;
    for folder in folders {
        let parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
        let length = match &shared {
            None => parts.len(),
            Some(known) => known.iter().zip(&parts).take_while(|(a, b)| a == b).count(),
        };
        shared = Some(parts[..length].to_vec());
    }
    match shared.unwrap_or_default().join("/") {
        folder if folder.is_empty() => ".".into(),
        folder => folder,
    }
}
