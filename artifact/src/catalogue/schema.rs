//! The shape of an argument or of a member of an answer, and its JSON Schema.
//!
//! Only what every client digests is written: `type`, `properties`, `required`, `enum`, `description`, `items`, `minimum`,
//! `maximum`, `default` and `additionalProperties: false`. References, unions, lists of types and formats make some clients
//! drop the tool or the whole list, so a [`Kind`] cannot express them.

use std::borrow::Cow;

use serde::ser::{Serialize, SerializeMap, Serializer};

/// One argument of a tool, or one member of its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// The key in the JSON object.
    pub name: Cow<'static, str>,
    /// What the value may be.
    pub kind: Kind,
    /// Whether it is always there.
    pub required: bool,
    /// What it means, with its default and its bounds; may be empty in answers.
    pub description: String,
    /// Names that callers try instead, for the hint when they do.
    pub synonyms: &'static [&'static str],
}

/// What a value may be. Each has one JSON type.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A whole number.
    Integer {
        /// The smallest value.
        min: i64,
        /// The greatest value.
        max: Option<i64>,
        /// What an absent value stands for.
        default: Option<i64>,
    },
    /// Any number. Only answers have one.
    Number,
    /// Yes or no. Only answers have one.
    Boolean,
    /// Text. The bound is checked on reading, and named in the description, since some clients refuse `maxLength`.
    Text {
        /// The greatest number of characters.
        max_chars: usize,
    },
    /// A UUID in any common spelling, read into its lower-case form with hyphens.
    Uuid,
    /// One of some words.
    Choice {
        /// The words.
        options: Vec<String>,
        /// What an absent value stands for.
        default: Option<&'static str>,
    },
    /// An object with these members and, as an argument, no others.
    Object(Vec<Field>),
    /// Any number of values of one kind.
    List(Box<Kind>),
}

impl Field {
    /// A field that may be left out.
    pub fn optional(
        name: impl Into<Cow<'static, str>>,
        kind: Kind,
        description: impl Into<String>,
    ) -> Field {
        Field {
            name: name.into(),
            kind,
            required: false,
            description: description.into(),
            synonyms: &[],
        }
    }

    /// A field that is always there.
    pub fn required(
        name: impl Into<Cow<'static, str>>,
        kind: Kind,
        description: impl Into<String>,
    ) -> Field {
        Field {
            required: true,
            ..Field::optional(name, kind, description)
        }
    }

    /// Names what else callers call it.
    pub fn or(self, synonyms: &'static [&'static str]) -> Field {
        Field { synonyms, ..self }
    }
}

impl Kind {
    /// The word for the kind in JSON Schema.
    pub fn type_name(&self) -> &'static str {
        match self {
            Kind::Integer { .. } => "integer",
            Kind::Number => "number",
            Kind::Boolean => "boolean",
            Kind::Text { .. } | Kind::Uuid | Kind::Choice { .. } => "string",
            Kind::Object(_) => "object",
            Kind::List(_) => "array",
        }
    }
}

/// The schema of an object with these fields. `closed` refuses others; answers stay open, so that a later server may say more.
#[derive(Clone, Copy, Debug)]
pub struct ObjectSchema<'a> {
    /// The members.
    pub fields: &'a [Field],
    /// Whether other members are refused.
    pub closed: bool,
}

impl Serialize for ObjectSchema<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", "object")?;
        self.members(&mut map)?;
        map.end()
    }
}

impl ObjectSchema<'_> {
    fn members<M: SerializeMap>(&self, map: &mut M) -> Result<(), M::Error> {
        map.serialize_entry(
            "properties",
            &Properties {
                fields: self.fields,
                closed: self.closed,
            },
        )?;
        let required: Vec<&str> = self
            .fields
            .iter()
            .filter(|field| field.required)
            .map(|field| &*field.name)
            .collect();
        if !required.is_empty() {
            map.serialize_entry("required", &required)?;
        }
        if self.closed {
            map.serialize_entry("additionalProperties", &false)?;
        }
        Ok(())
    }
}

/// The schema of one field's value.
#[derive(Clone, Copy, Debug)]
pub struct FieldSchema<'a>(pub &'a Field);

impl Serialize for FieldSchema<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let property = Property {
            kind: &self.0.kind,
            description: &self.0.description,
            closed: true,
        };
        property.serialize(serializer)
    }
}

struct Properties<'a> {
    fields: &'a [Field],
    closed: bool,
}

impl Serialize for Properties<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let schemas = self.fields.iter().map(|field| {
            let schema = Property {
                kind: &field.kind,
                description: &field.description,
                closed: self.closed,
            };
            (&field.name, schema)
        });
        serializer.collect_map(schemas)
    }
}

struct Property<'a> {
    kind: &'a Kind,
    description: &'a str,
    closed: bool,
}

impl Serialize for Property<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("type", self.kind.type_name())?;
        if !self.description.is_empty() {
            map.serialize_entry("description", self.description)?;
        }
        match self.kind {
            Kind::Integer { min, max, default } => {
                if *min > i64::MIN {
                    map.serialize_entry("minimum", min)?;
                }
                if let Some(max) = max {
                    map.serialize_entry("maximum", max)?;
                }
                if let Some(default) = default {
                    map.serialize_entry("default", default)?;
                }
            }
            Kind::Number | Kind::Boolean | Kind::Text { .. } | Kind::Uuid => {}
            Kind::Choice { options, default } => {
                map.serialize_entry("enum", options)?;
                if let Some(default) = default {
                    map.serialize_entry("default", default)?;
                }
            }
            Kind::Object(fields) => ObjectSchema {
                fields,
                closed: self.closed,
            }
            .members(&mut map)?,
            Kind::List(kind) => {
                let items = Property {
                    kind,
                    description: "",
                    closed: self.closed,
                };
                map.serialize_entry("items", &items)?;
            }
        }
        map.end()
    }
}
