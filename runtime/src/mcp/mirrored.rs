//! Arguments that a tool's definition asks modern clients to repeat in headers (`x-mcp-header`).
//!
//! No tool of a site asks for this: each header is one way more to be refused on the way. The rule stands here because the core serves
//! whatever set of tools it is given, and one that asks has to compare, or a proxy could be told one thing and the tool another.
//!
//! ```text
//! "region": { "type": "string", "x-mcp-header": "Region" }        arguments {"region":"eu"}   =>   Mcp-Param-Region: eu
//! ```

use std::collections::BTreeMap;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use http::HeaderMap;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::headers::agrees;

/// The member of an argument's schema that asks.
const KEY: &str = "x-mcp-header";

/// By tool: each argument that is mirrored, and the name of its header in lower case.
#[derive(Debug, Default)]
pub(super) struct Mirrored(BTreeMap<String, Vec<(String, String)>>);

impl Mirrored {
    /// Reads the JSON array of definitions. What is no definition asks for nothing.
    pub(super) fn new(list: &[u8]) -> Mirrored {
        // No site's tools ask, and a function that starts cold has no time to read them for that.
        let asks = list.windows(KEY.len()).any(|part| part == KEY.as_bytes());
        if !asks {
            return Mirrored::default();
        }
        let tools: Vec<Value> = serde_json::from_slice(list).unwrap_or_default();
        let asking = tools.iter().filter_map(|tool| {
            let properties = tool["inputSchema"]["properties"].as_object()?;
            let arguments: Vec<(String, String)> = properties
                .iter()
                .filter_map(|(argument, schema)| {
                    let name = schema[KEY].as_str()?.to_ascii_lowercase();
                    Some((argument.clone(), format!("mcp-param-{name}")))
                })
                .collect();
            let name = tool["name"].as_str()?.to_owned();
            (!arguments.is_empty()).then_some((name, arguments))
        });
        Mirrored(asking.collect())
    }

    /// Whether every mirrored argument of a call has its header and every such header its argument; else the header's name.
    pub(super) fn check(
        &self,
        headers: &HeaderMap,
        tool: &str,
        arguments: Option<&RawValue>,
    ) -> Result<(), &str> {
        let Some(mirrored) = self.0.get(tool) else {
            return Ok(());
        };
        let given: Map<String, Value> = arguments
            .and_then(|raw| serde_json::from_str(raw.get()).ok())
            .unwrap_or_default();
        for (argument, header) in mirrored {
            let value = given.get(argument).filter(|value| !value.is_null());
            let agreed = match value {
                Some(value) => agrees(headers, header, |sent| says(sent, value)) == Some(true),
                None => !headers.contains_key(header),
            };
            if !agreed {
                return Err(header);
            }
        }
        Ok(())
    }
}

/// Whether a header's value says the same as an argument.
fn says(sent: &str, value: &Value) -> bool {
    match value {
        Value::String(text) => is_text(sent, text),
        Value::Number(number) => {
            sent == number.to_string() || sent.parse::<f64>().ok() == number.as_f64()
        }
        Value::Bool(truth) => sent == if *truth { "true" } else { "false" },
        // Only simple values can be mirrored.
        _ => false,
    }
}

/// Whether a header's value, plain or as `=?base64?…?=`, is `text`.
pub(super) fn is_text(sent: &str, text: &str) -> bool {
    let encoded = sent
        .strip_prefix("=?base64?")
        .and_then(|rest| rest.strip_suffix("?="));
    match encoded {
        Some(encoded) => STANDARD
            .decode(encoded)
            .is_ok_and(|decoded| decoded == text.as_bytes()),
        None => sent == text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(arguments: &str, headers: &[(&'static str, &'static str)]) -> bool {
        let list = r#"[{"name":"t","inputSchema":{"properties":{
            "region":{"type":"string","x-mcp-header":"Region"},
            "count":{"type":"integer","x-mcp-header":"Count"},
            "dry":{"type":"boolean","x-mcp-header":"Dry"},
            "plain":{"type":"string"}}}},{"name":"u"},7]"#;
        let mirrored = Mirrored::new(list.as_bytes());
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(*name, http::HeaderValue::from_static(value));
        }
        let raw: Box<RawValue> = serde_json::from_str(arguments).expect("JSON");
        assert_eq!(mirrored.check(&map, "u", Some(&raw)), Ok(()));
        mirrored.check(&map, "t", Some(&raw)).is_ok()
    }

    #[test]
    fn headers_and_arguments_agree() {
        for (arguments, headers) in [
            ("{}", &[][..]),
            (r#"{"region":null,"plain":"x"}"#, &[]),
            (r#"{"region":"eu"}"#, &[("mcp-param-region", "eu")]),
            (r#"{"region":"e,u"}"#, &[("mcp-param-region", "e,u")]),
            (
                r#"{"region":"eu"}"#,
                &[("mcp-param-region", "=?base64?ZXU=?=")],
            ),
            (
                r#"{"region":"=?base64?ZXU="}"#,
                &[("mcp-param-region", "=?base64?ZXU=")],
            ),
            (r#"{"count":42}"#, &[("mcp-param-count", "42")]),
            (r#"{"count":42}"#, &[("mcp-param-count", "42.0")]),
            (r#"{"dry":true}"#, &[("mcp-param-dry", "true")]),
        ] {
            assert!(check(arguments, headers), "{arguments} {headers:?}");
        }
    }

    #[test]
    fn what_differs_is_found() {
        for (arguments, headers) in [
            (r#"{"region":"eu"}"#, &[][..]),
            (r#"{"region":"eu"}"#, &[("mcp-param-region", "us")]),
            (r#"{"region":"eu"}"#, &[("mcp-param-region", "EU")]),
            (
                r#"{"region":"eu"}"#,
                &[("mcp-param-region", "eu"), ("mcp-param-region", "us")],
            ),
            (
                r#"{"region":"eu"}"#,
                &[("mcp-param-region", "=?base64?ZXU?=")],
            ),
            (
                r#"{"region":"eu"}"#,
                &[("mcp-param-region", "=?base64?Z!U=?=")],
            ),
            ("{}", &[("mcp-param-region", "eu")]),
            (r#"{"count":42}"#, &[("mcp-param-count", "41")]),
            (r#"{"dry":true}"#, &[("mcp-param-dry", "false")]),
            (r#"{"region":["eu"]}"#, &[("mcp-param-region", "eu")]),
        ] {
            assert!(!check(arguments, headers), "{arguments} {headers:?}");
        }
    }
}
