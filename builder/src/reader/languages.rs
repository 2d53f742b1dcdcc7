//! The language of pages that say none, where the site keeps its translations below a code: `/fr/guide` beside `/guide` or `/en/guide`.

use std::collections::{BTreeMap, HashMap, HashSet};

use super::files::File;
use crate::config::Settings;
use crate::site_map::State;

/// The two-letter codes of ISO 639-1.
const CODES: &str = "aa ab ae af ak am an ar as av ay az ba be bg bh bi bm bn bo br bs ca ce ch co cr cs cu cv cy da de dv dz ee el en eo es et eu fa \
ff fi fj fo fr fy ga gd gl gn gu gv ha he hi ho hr ht hu hy hz ia id ie ig ii ik io is it iu ja jv ka kg ki kj kk kl km kn ko kr ks ku kv kw ky la lb lg \
li ln lo lt lu lv mg mh mi mk ml mn mr ms mt my na nb nd ne ng nl nn no nr nv ny oc oj om or os pa pi pl ps pt qu rm rn ro ru rw sa sc sd se sg si sk sl \
sm sn so sq sr ss st su sv sw ta te tg th ti tk tl tn to tr ts tt tw ty ug uk ur uz ve vi vo wa wo xh yi yo za zh zu";

/// Gives the pages below a code its language, unless they, their collection or the generator name one.
///
/// A first part of routes is taken for a code when it is one, with or without a region or a script, and at least half of the pages below it
/// stand elsewhere as well: at the same address without the code, or below another code. A folder that only looks like one,
/// `/is` or `/to`, has no such pages.
pub(super) fn guess(files: &mut [File], settings: &Settings, notices: &mut Vec<String>) {
    let published: Vec<&File> = files
        .iter()
        .filter(|file| file.state == State::Published)
        .collect();
    let plain: HashSet<&str> = published.iter().map(|file| file.route.as_str()).collect();
    let mut below: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut held: HashMap<&str, usize> = HashMap::new();
    for (code, rest) in published.iter().filter_map(|file| coded(&file.route)) {
        below.entry(code).or_default().push(rest);
        *held.entry(rest).or_default() += 1;
    }
    let codes: HashSet<String> = below
        .into_iter()
        .filter(|(_, pages)| {
            let elsewhere = pages
                .iter()
                .filter(|rest| plain.contains(*rest) || held[*rest] > 1);
            elsewhere.count() * 2 >= pages.len()
        })
        .map(|(code, _)| code.to_owned())
        .collect();
    let mut told: BTreeMap<String, usize> = BTreeMap::new();
    for file in files
        .iter_mut()
        .filter(|file| file.state == State::Published)
    {
        let collection = file.collection.map(|at| &settings.collections[at]);
        if collection.is_some_and(|collection| collection.language.is_some()) {
            continue;
        }
        if let Some((code, _)) = coded(&file.route).filter(|(code, _)| codes.contains(*code))
            && file.meta.language.is_none()
            && code != settings.site.language
        {
            file.meta.language = Some(code.to_owned());
            *told.entry(code.to_owned()).or_default() += 1;
        }
    }
    notices.extend(told.into_iter().map(|(code, count)| {
        let pages = if count == 1 { "page" } else { "pages" };
        format!(
            "{count} {pages} below `/{code}` are taken to be in the language `{code}`; say `lang` in the front matter, or `language` under `[[collections]]`"
        )
    }));
}

/// A route's code of a language, and the route without it.
fn coded(route: &str) -> Option<(&str, &str)> {
    let inside = route.strip_prefix('/')?;
    let (code, rest) = match inside.find('/') {
        Some(at) => (&inside[..at], &inside[at..]),
        None => (inside, "/"),
    };
    let mut parts = code.split(['-', '_']);
    let primary = parts.next()?.to_ascii_lowercase();
    let is_code = primary.len() == 2 && CODES.split(' ').any(|code| code == primary);
    let is_more = |part: &str| {
        matches!(part.len(), 2..=4) && part.bytes().all(|byte| byte.is_ascii_alphanumeric())
    };
    (is_code && parts.all(is_more)).then_some((code, rest))
}
