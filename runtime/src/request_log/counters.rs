//! Requests by method, tool, era and outcome, with how long they took and how much they carried.
//!
//! Times are counted in buckets, four for each doubling, so that a quantile is at most a quarter too high and memory does not grow with requests. The number of
//! rows is bounded: methods, eras and outcomes are ours, and tools are those that are served. Hashes of searches are bounded by [`MOST_HASHES`].

use std::collections::BTreeMap;
use std::io::Write;
use std::time::Duration;

use jiff::Timestamp;

use super::line::{Line, close, name, number, open, text};
use crate::mcp::{Era, Outcome};

/// Different searches without a result that are counted; those that come after them are counted in the sum alone.
const MOST_HASHES: usize = 10_000;

/// Hashes that are shown, the most frequent first.
const SHOWN_HASHES: usize = 50;

/// Four for each power of two below 2^32 µs, an hour and more.
const BUCKETS: usize = 128;

/// All requests of a server.
#[derive(Debug, Default)]
pub(super) struct Counters {
    rows: Vec<Row>,
    zero_results: u64,
    hashes: BTreeMap<String, u64>,
}

#[derive(Debug)]
struct Row {
    method: &'static str,
    tool: Option<String>,
    era: Option<Era>,
    outcome: Outcome,
    requests: u64,
    request_bytes: u64,
    answer_bytes: u64,
    most_micros: u64,
    times: Box<[u32; BUCKETS]>,
}

impl Counters {
    pub(super) fn add(&mut self, line: &Line<'_>) {
        let note = line.note;
        let is_same = |row: &Row| {
            row.method == note.method
                && row.outcome == note.outcome
                && row.era == note.caller.era
                && row.tool == note.tool
        };
        let row = match self.rows.iter().position(is_same) {
            Some(place) => &mut self.rows[place],
            None => {
                self.rows.push(Row {
                    method: note.method,
                    tool: note.tool.clone(),
                    era: note.caller.era,
                    outcome: note.outcome,
                    requests: 0,
                    request_bytes: 0,
                    answer_bytes: 0,
                    most_micros: 0,
                    times: Box::new([0; BUCKETS]),
                });
                let last = self.rows.len() - 1;
                &mut self.rows[last]
            }
        };
        row.requests += 1;
        row.request_bytes += line.request_bytes as u64;
        row.answer_bytes += line.answer_bytes as u64;
        row.most_micros = row.most_micros.max(line.micros);
        let bucket = &mut row.times[bucket(line.micros)];
        *bucket = bucket.saturating_add(1);
        if note.missed.is_some() {
            self.zero_results += 1;
        }
        if let Some(hash) = &line.hash {
            let is_full = self.hashes.len() >= MOST_HASHES;
            match self.hashes.get_mut(hash) {
                Some(times) => *times += 1,
                None if is_full => {}
                None => {
                    self.hashes.insert(hash.clone(), 1);
                }
            }
        }
    }

    fn sum(&self, of: impl Fn(&Row) -> u64) -> u64 {
        self.rows.iter().map(of).sum()
    }

    /// The rows, busiest first.
    fn sorted(&self) -> Vec<&Row> {
        let mut rows: Vec<&Row> = self.rows.iter().collect();
        rows.sort_by_key(|row| std::cmp::Reverse(row.requests));
        rows
    }

    /// The most frequent hashes.
    fn frequent(&self) -> Vec<(&str, u64)> {
        let mut hashes: Vec<(&str, u64)> = self.hashes.iter().map(|(h, n)| (&**h, *n)).collect();
        hashes.sort_by_key(|(_, times)| std::cmp::Reverse(*times));
        hashes.truncate(SHOWN_HASHES);
        hashes
    }

    pub(super) fn write_json(&self, out: &mut Vec<u8>, now: Timestamp, uptime: Duration) {
        open(out, now, "INFO", "counters");
        number(out, "uptimeSeconds", uptime.as_secs());
        number(out, "requests", self.sum(|row| row.requests));
        number(out, "requestBytes", self.sum(|row| row.request_bytes));
        number(out, "answerBytes", self.sum(|row| row.answer_bytes));
        number(out, "zeroResults", self.zero_results);
        name(out, "by");
        out.push(b'[');
        for (place, row) in self.sorted().into_iter().enumerate() {
            out.extend_from_slice(if place == 0 { b"{" } else { b",{" });
            text(out, "method", row.method);
            if let Some(tool) = &row.tool {
                text(out, "tool", tool);
            }
            if let Some(era) = row.era {
                text(out, "era", era.name());
            }
            text(out, "outcome", row.outcome.word());
            if let Outcome::Error(code) = row.outcome {
                number(out, "code", code);
            }
            number(out, "requests", row.requests);
            number(out, "requestBytes", row.request_bytes);
            number(out, "answerBytes", row.answer_bytes);
            number(out, "p50Micros", row.quantile(50));
            number(out, "p99Micros", row.quantile(99));
            number(out, "maxMicros", row.most_micros);
            out.push(b'}');
        }
        out.push(b']');
        let hashes = self.frequent();
        if !hashes.is_empty() {
            name(out, "zeroResultHashes");
            out.push(b'{');
            for (hash, times) in hashes {
                number(out, hash, times);
            }
            out.push(b'}');
        }
        close(out);
    }

    pub(super) fn write_pretty(&self, out: &mut Vec<u8>, uptime: Duration) {
        // Writing to memory cannot fail.
        let _ = writeln!(
            out,
            "{} requests in {} s: {} B in, {} B out; searches that found nothing: {}",
            self.sum(|row| row.requests),
            uptime.as_secs(),
            self.sum(|row| row.request_bytes),
            self.sum(|row| row.answer_bytes),
            self.zero_results
        );
        if !self.rows.is_empty() {
            let _ = writeln!(
                out,
                "  {:<30} {:<7} {:<12} {:>8} {:>8} {:>8} {:>8} {:>10}",
                "", "era", "outcome", "requests", "p50 µs", "p99 µs", "max µs", "B out"
            );
        }
        for row in self.sorted() {
            let what = match &row.tool {
                Some(tool) => format!("{} {tool}", row.method),
                None => row.method.to_owned(),
            };
            let outcome = match row.outcome {
                Outcome::Error(code) => format!("error {code}"),
                outcome => outcome.word().to_owned(),
            };
            let _ = writeln!(
                out,
                "  {what:<30} {:<7} {outcome:<12} {:>8} {:>8} {:>8} {:>8} {:>10}",
                row.era.map_or("-", Era::name),
                row.requests,
                row.quantile(50),
                row.quantile(99),
                row.most_micros,
                row.answer_bytes
            );
        }
        for (hash, times) in self.frequent() {
            let _ = writeln!(out, "  {hash}  found nothing {times} times");
        }
    }
}

impl Row {
    /// The time that so many of a hundred requests did not pass, up to a quarter too high.
    fn quantile(&self, of_hundred: u64) -> u64 {
        let rank = (self.requests * of_hundred).div_ceil(100).max(1);
        let mut seen = 0;
        for (place, count) in self.times.iter().enumerate() {
            seen += u64::from(*count);
            if seen >= rank {
                return upper(place).min(self.most_micros);
            }
        }
        self.most_micros
    }
}

/// 0 to 3 are their own buckets; above, the highest bit and the two below it say which.
fn bucket(micros: u64) -> usize {
    if micros < 4 {
        return micros as usize;
    }
    let exponent = 63 - micros.leading_zeros() as usize;
    let quarter = (micros >> (exponent - 2)) as usize & 3;
    ((exponent - 1) * 4 + quarter).min(BUCKETS - 1)
}

/// The longest time in a bucket.
fn upper(bucket: usize) -> u64 {
    if bucket < 4 {
        return bucket as u64;
    }
    let (exponent, quarter) = (bucket / 4 + 1, bucket as u64 % 4);
    (1 << exponent) + ((quarter + 1) << (exponent - 2)) - 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_time_has_a_bucket_that_is_at_most_a_quarter_wide() {
        let mut before = 0;
        for micros in (0..100_000).chain([1 << 20, (1 << 31) + 5]) {
            let at = bucket(micros);
            assert!(at >= before, "{micros}");
            before = at;
            let high = upper(at);
            assert!(
                high >= micros && high <= micros + micros / 4,
                "{micros} {high}"
            );
        }
        assert_eq!(bucket(u64::MAX), BUCKETS - 1);
    }
}
