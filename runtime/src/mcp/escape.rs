//! Text within JSON strings.
//!
//! An answer goes out twice, as structured content and as a text that holds the same JSON, in which every quote and backslash is escaped. Most
//! text has little to escape, so it is looked at in blocks, and a block without anything to escape is passed over whole.

/// Bytes that are looked at together.
const BLOCK: usize = 32;

/// What escaped text is appended to.
pub(crate) trait Sink {
    /// Appends a piece as it is.
    fn put(&mut self, piece: &str);
}

impl Sink for String {
    #[inline]
    fn put(&mut self, piece: &str) {
        self.push_str(piece);
    }
}

impl Sink for Vec<u8> {
    #[inline]
    fn put(&mut self, piece: &str) {
        self.extend_from_slice(piece.as_bytes());
    }
}

/// Whether a byte cannot stand in a JSON string as it is.
#[inline]
fn is_special(byte: u8) -> bool {
    byte < 0x20 || byte == b'"' || byte == b'\\'
}

/// Whether a text can stand in a JSON string as it is.
#[inline]
pub(crate) fn is_plain(text: &str) -> bool {
    text.as_bytes().chunks(BLOCK).all(is_plain_block)
}

/// Without a branch, so that one instruction looks at several bytes.
#[inline]
fn is_plain_block(block: &[u8]) -> bool {
    !block
        .iter()
        .fold(false, |found, byte| found | is_special(*byte))
}

/// Appends what stands between the quotes of a JSON string that is `text`.
pub(crate) fn escape(out: &mut impl Sink, text: &str) {
    let mut kept = 0;
    for (number, block) in text.as_bytes().chunks(BLOCK).enumerate() {
        if is_plain_block(block) {
            continue;
        }
        for (place, byte) in block.iter().enumerate() {
            if !is_special(*byte) {
                continue;
            }
            let at = number * BLOCK + place;
            out.put(&text[kept..at]);
            kept = at + 1;
            match byte {
                b'"' => out.put("\\\""),
                b'\\' => out.put("\\\\"),
                b'\n' => out.put("\\n"),
                b'\r' => out.put("\\r"),
                b'\t' => out.put("\\t"),
                0x08 => out.put("\\b"),
                0x0c => out.put("\\f"),
                _ => {
                    const DIGITS: &str = "0123456789abcdef";
                    let low = usize::from(byte & 0xf);
                    out.put(if *byte < 0x10 { "\\u000" } else { "\\u001" });
                    out.put(&DIGITS[low..=low]);
                }
            }
        }
    }
    out.put(&text[kept..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_as_serde_does_it() {
        let every: String = (0..0x250).filter_map(char::from_u32).collect();
        let texts = [
            "",
            "plain",
            "\"",
            "a long text with \"quotes\" far from each other, and a \\ at the end \\",
            &every,
        ];
        for text in texts.into_iter().chain((1..70).map(|at| &every[at..])) {
            let mut escaped = String::new();
            escape(&mut escaped, text);
            let expected = serde_json::to_string(text).expect("text is JSON");
            assert_eq!(format!("\"{escaped}\""), expected);
            assert_eq!(is_plain(text), escaped == text);
        }
    }
}
