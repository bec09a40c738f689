//! The JSON Schema of the table of keys, for editors.

use crate::schema_table::{
    CHARACTER, COMMON, CONDITIONS, COOLDOWN, ENTRY, Field, MapSchema, NODES, Shape, TAKES, TRANSITION,
};
use serde_json::{Map, Value as Json, json};

/// Returns the JSON Schema of character files, as published in `docs/schemas/character.schema.json`.
///
/// It is less strict than [`check`](crate::check): a schema cannot check what names refer to.
pub fn json_schema() -> String {
    let mut schema = object(CHARACTER);
    schema["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    schema["title"] = json!("Boxstep character");
    schema["description"] = json!("Who has control of a robot, and when.");
    schema["$defs"] = json!({
        "parameter": { "description": "The value of a parameter.", "type": "string", "pattern": "^\\$[^$]" },
        "name": { "description": "The name of a behavior, or a parameter.", "type": "string", "minLength": 1 },
        "common": { "properties": properties(COMMON) },
        "form": { "oneOf": forms(NODES) },
        "behavior": whole(&[&[TAKES]]),
        "child": either_name(whole(&[])),
        "child-cooldown": either_name(whole(&[&entry(&["cooldown"])])),
        "child-cooldown-weight": either_name(whole(&[ENTRY])),
        "state": { "anyOf": [{ "type": "null" }, { "$ref": "#/$defs/child" }] },
        "transition": parameter_or(object(TRANSITION)),
        "cooldown": object(COOLDOWN),
        "condition": parameter_or(json!({ "anyOf": [
            { "type": "boolean" },
            { "type": "object", "oneOf": forms(CONDITIONS), "unevaluatedProperties": false },
        ] })),
    });
    let mut text = serde_json::to_string_pretty(&schema).unwrap_or_default();
    text.push('\n');
    text
}

/// The largest integer that every JSON reader represents exactly.
const MOST: i64 = (1 << 53) - 1;

fn entry(keys: &[&str]) -> Vec<Field> {
    ENTRY.iter().filter(|field| keys.contains(&field.key)).copied().collect()
}

fn properties(fields: &[Field]) -> Json {
    let one = |field: &Field| {
        let mut schema = shape(field.shape);
        schema["description"] = json!(field.doc);
        (field.key.to_owned(), schema)
    };
    Json::Object(fields.iter().map(one).collect::<Map<String, Json>>())
}

fn required(fields: &[Field]) -> Vec<&'static str> {
    fields.iter().filter(|field| field.needed).map(|field| field.key).collect()
}

/// Returns the schema of a map with these keys and no others.
fn object(fields: &[Field]) -> Json {
    json!({
        "type": "object",
        "properties": properties(fields),
        "required": required(fields),
        "additionalProperties": false,
    })
}

/// Returns the schemas of forms, of which a map matches exactly one.
fn forms(forms: &[MapSchema]) -> Vec<Json> {
    let one = |form: &MapSchema| {
        json!({
            "title": form.key(),
            "description": form.doc,
            "properties": properties(form.fields),
            "required": required(form.fields),
        })
    };
    forms.iter().map(one).collect()
}

/// Returns the schema of a behavior with additional keys.
fn whole(besides: &[&[Field]]) -> Json {
    let mut all = vec![json!({ "$ref": "#/$defs/form" }), json!({ "$ref": "#/$defs/common" })];
    all.extend(besides.iter().map(|fields| json!({ "properties": properties(fields) })));
    json!({ "type": "object", "allOf": all, "unevaluatedProperties": false })
}

fn either_name(schema: Json) -> Json {
    json!({ "anyOf": [{ "$ref": "#/$defs/name" }, schema] })
}

fn parameter_or(schema: Json) -> Json {
    json!({ "anyOf": [{ "$ref": "#/$defs/parameter" }, schema] })
}

fn shape(shape: Shape) -> Json {
    let list = |of: &str| parameter_or(json!({ "type": "array", "items": { "$ref": format!("#/$defs/{of}") } }));
    let text = || json!({ "type": "string", "minLength": 1 });
    match shape {
        Shape::Bool => parameter_or(json!({ "type": "boolean" })),
        Shape::Count(from) => parameter_or(json!({ "type": "integer", "minimum": from, "maximum": MOST })),
        Shape::Number(from, to) if from.is_finite() && to < 1e300 => {
            parameter_or(json!({ "type": "number", "minimum": from, "maximum": to }))
        }
        Shape::Number(..) => parameter_or(json!({ "type": "number" })),
        Shape::Text => text(),
        Shape::Texts => json!({ "anyOf": [text(), { "type": "array", "items": text(), "minItems": 1 }] }),
        Shape::Value => json!({}),
        Shape::Values => parameter_or(json!({ "type": "object" })),
        Shape::Choice(all) => parameter_or(json!({ "enum": all })),
        Shape::ChoiceOrCount(all) => {
            parameter_or(json!({ "anyOf": [{ "enum": all }, { "type": "integer", "minimum": 1, "maximum": MOST }] }))
        }
        Shape::Child => json!({ "anyOf": [{ "$ref": "#/$defs/child" }] }),
        Shape::Children(entry) => {
            let of: String = std::iter::once("child").chain(entry.iter().copied()).collect::<Vec<_>>().join("-");
            parameter_or(json!({ "type": "array", "minItems": 1, "items": { "$ref": format!("#/$defs/{of}") } }))
        }
        Shape::States => parameter_or(json!({
            "type": "object",
            "minProperties": 1,
            "additionalProperties": { "$ref": "#/$defs/state" },
        })),
        Shape::Transitions => list("transition"),
        Shape::Condition => json!({ "anyOf": [{ "$ref": "#/$defs/condition" }] }),
        Shape::Conditions => list("condition"),
        Shape::Cooldown => parameter_or(json!({ "anyOf": [
            { "type": "number", "minimum": 0, "maximum": 1e9 },
            { "$ref": "#/$defs/cooldown" },
        ] })),
        Shape::AtEnd => parameter_or(json!({ "anyOf": [
            { "enum": ["restart", "stop"] },
            {
                "type": "object",
                "properties": { "idle": text() },
                "required": ["idle"],
                "additionalProperties": false,
            },
        ] })),
        Shape::Behaviors => json!({
            "type": "object",
            "minProperties": 1,
            "additionalProperties": either_name(json!({ "$ref": "#/$defs/behavior" })),
        }),
    }
}
