//! Whether a value has the form that a schema promises: the part of JSON Schema that our tools use.
//!
//! A keyword that is not known here is not checked, so that a newer server is not called wrong for it.

use serde_json::Value;

/// Compares a value with a schema.
///
/// # Errors
/// In words: where they differ, and how.
pub(super) fn fits(schema: &Value, value: &Value) -> Result<(), String> {
    at("the answer", schema, value)
}

fn at(place: &str, schema: &Value, value: &Value) -> Result<(), String> {
    let wanted = schema["type"].as_str();
    let has_type = match wanted {
        Some("object") => value.is_object(),
        Some("array") => value.is_array(),
        Some("string") => value.is_string(),
        Some("integer") => value.is_i64() || value.is_u64(),
        Some("number") => value.is_number(),
        Some("boolean") => value.is_boolean(),
        _ => true,
    };
    if !has_type {
        return Err(format!("{place} is no {}", wanted.unwrap_or_default()));
    }
    if let Some(allowed) = schema["enum"].as_array()
        && !allowed.contains(value)
    {
        return Err(format!(
            "{place} is none of the values that its schema names"
        ));
    }
    for name in schema["required"].as_array().into_iter().flatten() {
        let name = name.as_str().unwrap_or_default();
        if value.get(name).is_none() {
            return Err(format!("{place} has no `{name}`"));
        }
    }
    let properties = &schema["properties"];
    for (name, member) in value.as_object().into_iter().flatten() {
        match properties.get(name) {
            Some(schema) => at(&format!("`{name}` of {place}"), schema, member)?,
            None if schema["additionalProperties"] == false => {
                return Err(format!(
                    "{place} has `{name}`, which its schema does not name"
                ));
            }
            None => {}
        }
    }
    if let Some(items) = schema.get("items") {
        for item in value.as_array().into_iter().flatten() {
            at(&format!("an item of {place}"), items, item)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn what_does_not_fit_is_told_with_its_place() {
        let schema = json!({"type": "object", "required": ["a"], "additionalProperties": false, "properties": {
            "a": {"type": "array", "items": {"type": "object", "required": ["n"], "properties": {"n": {"type": "integer"}}}},
            "b": {"type": "string", "enum": ["x"]}}});
        let cases = [
            (json!({"a": [{"n": 1, "more": 2}], "b": "x"}), ""),
            (json!(null), "the answer is no object"),
            (json!({}), "the answer has no `a`"),
            (
                json!({"a": [{}]}),
                "an item of `a` of the answer has no `n`",
            ),
            (
                json!({"a": [{"n": 1.5}]}),
                "`n` of an item of `a` of the answer is no integer",
            ),
            (
                json!({"a": [], "b": "y"}),
                "`b` of the answer is none of the values that its schema names",
            ),
            (
                json!({"a": [], "c": 1}),
                "the answer has `c`, which its schema does not name",
            ),
        ];
        for (value, expected) in cases {
            assert_eq!(
                fits(&schema, &value).err().unwrap_or_default(),
                expected,
                "{value}"
            );
        }
    }
}
