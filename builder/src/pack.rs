//! From an assembly to the bytes of the artifact.
//!
//! Everything here is a function of the assembly: the same site gives the same bytes on any machine with any number of cores.

use artifact::format::{
    self, Collection, Contents, Cut, CutRank, Error, Heading, PackedPage, Packer, PageEntry,
    PreparedItems, Site as SiteFacts, Span, TagEntry,
};
use rayon::prelude::*;

use crate::assemble::{Assembly, NumberedPage};
use crate::index::Weights;
use crate::{index, manual, rows, site, surface};

/// How hard zstd tries. Measured on the largest corpora at hand (4,600 and 10,900 pages): level 15 takes a third more of the whole build's time for 3 % less.
const LEVEL: i32 = 12;
/// Bytes of the largest dictionary; more did not make the frames smaller.
const LARGEST_DICTIONARY: usize = 112 * 1024;
/// A dictionary takes at most this part of the text: on a small site a large one costs more than it saves.
const TEXT_TO_DICTIONARY: usize = 48;
/// Bytes of pages that the dictionary is learnt from at most: learning takes about a second for these.
const MOST_TO_LEARN_FROM: usize = 8 << 20;

/// A step of packing that a progress bar can show.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Step {
    /// So many documents more are indexed.
    Indexed(usize),
    /// So many pages more are compressed.
    Packed(usize),
}

/// An artifact and what is in it.
#[derive(Debug)]
pub struct Artifact {
    /// The file's bytes.
    pub bytes: Vec<u8>,
    /// How many different terms it has.
    pub terms: usize,
}

/// Packs an assembly.
///
/// # Errors
/// Those of [`artifact::format::write`].
pub fn pack(assembly: &Assembly, progress: &(dyn Fn(Step) + Sync)) -> Result<Artifact, Error> {
    pack_with(assembly, Vec::new(), progress)
}

/// Packs the assembly of the public view around the artifact of the full one, which is empty when nothing is private.
///
/// # Errors
/// Those of [`artifact::format::write`].
pub fn pack_with(
    assembly: &Assembly,
    full: Vec<u8>,
    progress: &(dyn Fn(Step) + Sync),
) -> Result<Artifact, Error> {
    let frames = frames(assembly, progress)?;
    write(assembly, frames, full, &Weights::default(), progress)
}

/// Packs an assembly without its page frames: the index alone, to be compared with search engines that keep no text.
///
/// It opens and ranks; reading a page of it fails.
///
/// # Errors
/// Those of [`artifact::format::write`].
pub fn pack_index(
    assembly: &Assembly,
    weights: &Weights,
    progress: &(dyn Fn(Step) + Sync),
) -> Result<Artifact, Error> {
    let frames = vec![Vec::new(); assembly.pages.len()];
    write(
        assembly,
        (Vec::new(), frames),
        Vec::new(),
        weights,
        progress,
    )
}

fn write(
    assembly: &Assembly,
    (dictionary, frames): (Vec<u8>, Vec<Vec<u8>>),
    full: Vec<u8>,
    weights: &Weights,
    progress: &(dyn Fn(Step) + Sync),
) -> Result<Artifact, Error> {
    let indexed = index::index(assembly, weights, &|documents| {
        progress(Step::Indexed(documents))
    })?;
    let site = assembly.site;
    let mut tags: Vec<TagEntry> = site
        .tags
        .iter()
        .zip(&assembly.tag_pages)
        .map(|(tag, page)| TagEntry {
            slug: &tag.slug,
            title: &tag.title,
            page: *page,
            pages: Vec::new(),
        })
        .collect();
    for (number, page) in assembly.pages.iter().enumerate() {
        page.tags()
            .iter()
            .for_each(|tag| tags[*tag].pages.push(number as u32));
    }
    let listed = &assembly.pages[assembly.documents as usize..];
    let answer_bytes = site.settings.limits.answer_bytes;
    let contents = Contents {
        site: facts(assembly),
        pages: assembly
            .pages
            .iter()
            .map(|page| PageEntry {
                kind: page.kind,
                collection: page.collection.map(|place| place as u16),
                language: page.language,
                route: &page.route,
            })
            .collect(),
        documents: assembly.documents,
        newest_first: assembly.newest_first.clone(),
        titles: assembly
            .pages
            .iter()
            .map(|page| page.title.as_str())
            .collect(),
        collections: assembly
            .collections
            .iter()
            .map(|collection| Collection {
                name: &collection.settings.name,
                title: &collection.settings.title,
                description: collection.settings.description.as_deref(),
                archive: collection.archive,
                first: collection.first,
                documents: collection.documents,
                posts: collection.settings.posts,
            })
            .collect(),
        tags,
        tags_of_pages: assembly
            .pages
            .iter()
            .map(|page| page.tags().iter().map(|tag| *tag as u32).collect())
            .collect(),
        cites: assembly
            .pages
            .iter()
            .map(|page| page.cites.clone())
            .collect(),
        postings: indexed.postings,
        lines: indexed.lines,
        versions: indexed.versions,
        prepared: [
            PreparedItems::shown(
                assembly.collections.len(),
                rows::collections(assembly),
                answer_bytes,
            ),
            PreparedItems::shown(
                listed.len(),
                listed.iter().map(|page| rows::row(assembly, page)),
                answer_bytes,
            ),
            PreparedItems::shown(site.tags.len(), rows::tags(assembly), answer_bytes),
            PreparedItems::all(surface::prepared(assembly)),
            PreparedItems::all(manual::prepared(assembly)),
            PreparedItems::all(rows::collection_tools(assembly)),
            PreparedItems::all(rows::front_matter(assembly)),
        ],
        dictionary,
        frames,
        full,
    };
    Ok(Artifact {
        bytes: format::write(contents)?,
        terms: indexed.terms,
    })
}

fn facts<'s>(assembly: &'s Assembly<'s>) -> SiteFacts<'s> {
    let settings = &assembly.site.settings;
    SiteFacts {
        title: &settings.site.title,
        url: &settings.site.url,
        description: settings.site.description.as_deref(),
        author: settings.site.author.as_deref(),
        language: &settings.site.language,
        languages: assembly.languages[1..]
            .iter()
            .map(|language| language.code())
            .collect(),
        trailing_slash: settings.site.trailing_slash,
        server_name: &settings.server.name,
        server_title: settings.server.title.as_deref(),
        server_version: &settings.server.version,
        instructions: settings.server.instructions.as_deref(),
        allowed_origins: texts(&settings.server.allowed_origins),
        allowed_hosts: texts(&settings.server.allowed_hosts),
        language_synonyms: settings.search.language_synonyms,
        synonyms: &settings.search.synonyms,
        feedback: settings.feedback.enabled,
        markdown_chars: bounded(settings.limits.markdown_chars),
        answer_bytes: bounded(settings.limits.answer_bytes),
        request_bytes: bounded(settings.limits.request_bytes),
        token_sha256: texts(&settings.server.token_sha256),
        token_demanded: settings.server.private,
        authorization_servers: texts(&settings.server.authorization_servers),
        endpoint: settings.server.url.as_deref(),
    }
}

fn texts(list: &[String]) -> Vec<&str> {
    list.iter().map(String::as_str).collect()
}

fn bounded(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

/// The dictionary and the compressed pages.
fn frames(
    assembly: &Assembly,
    progress: &(dyn Fn(Step) + Sync),
) -> Result<(Vec<u8>, Vec<Vec<u8>>), Error> {
    let dictionary = dictionary(assembly);
    // Each task compresses a few pages: a packer is made for a task and knows the dictionary, which takes longer than a page.
    const PAGES_TO_A_TASK: usize = 64;
    let packed: Result<Vec<Vec<Vec<u8>>>, Error> = assembly
        .pages
        .par_chunks(PAGES_TO_A_TASK)
        .map(|pages| {
            let mut packer = Packer::new(&dictionary, LEVEL)?;
            let frames = pages
                .iter()
                .map(|page| packer.pack(&encode(assembly, page)))
                .collect();
            progress(Step::Packed(pages.len()));
            frames
        })
        .collect();
    Ok((dictionary, packed?.into_iter().flatten().collect()))
}

/// Learns a dictionary from pages spread evenly over the site.
fn dictionary(assembly: &Assembly) -> Vec<u8> {
    let total: usize = assembly
        .pages
        .iter()
        .map(|page| page.markdown().len())
        .sum();
    let size = (total / TEXT_TO_DICTIONARY).min(LARGEST_DICTIONARY);
    if size < 2048 {
        return Vec::new();
    }
    let every = total.div_ceil(MOST_TO_LEARN_FROM).max(1);
    let mut samples: Vec<Vec<u8>> = assembly
        .pages
        .par_iter()
        .step_by(every)
        .map(|page| encode(assembly, page))
        .collect();
    // A long page teaches by its beginning; learning reads no further anyway.
    samples
        .iter_mut()
        .for_each(|sample| sample.truncate(64 * 1024));
    let samples: Vec<&[u8]> = samples.iter().map(Vec::as_slice).collect();
    format::train_dictionary(&samples, size)
}

fn encode(assembly: &Assembly, page: &NumberedPage) -> Vec<u8> {
    let reading = page.reading();
    let rank = |rank| match rank {
        site::CutRank::Block => CutRank::Block,
        site::CutRank::Part => CutRank::Part,
        site::CutRank::Line => CutRank::Line,
    };
    format::encode_page(&PackedPage {
        row: &rows::row(assembly, page),
        info: &rows::info(assembly, page),
        headings: reading
            .outline
            .iter()
            .map(|heading| Heading {
                level: heading.level,
                start: heading.start,
                text: &heading.text,
                anchor: &heading.anchor,
            })
            .collect(),
        spans: reading
            .spans
            .iter()
            .map(|span| Span {
                start: span.start,
                end: span.end,
                joined: span.joined,
            })
            .collect(),
        cuts: reading
            .cuts
            .iter()
            .map(|cut| Cut {
                offset: cut.offset,
                rank: rank(cut.rank),
                fence: cut.fence.clone(),
            })
            .collect(),
        markdown: page.markdown(),
    })
}
