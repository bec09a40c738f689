//! The order in which Choregraphe writes the attributes of an element.

/// The known attributes of an element, in their order. Where files do not show an order (`scale` beside
/// `resources_acquisition`, `password`), the one here is ours.
pub(super) fn attributes(element: &str) -> &'static [&'static str] {
    match element {
        "ChoregrapheProject" | "ChoregrapheBox" => &["xmlns", "xar_version"],
        "Box" => &["name", "id", "localization", "tooltip", "plugin", "robot", "bitmap_expanded", "x", "y"],
        "script" => &["language"],
        "Input" => &["name", "type", "type_size", "nature", "stm_value_name", "inner", "tooltip", "id"],
        "Output" => &["name", "type", "type_size", "nature", "inner", "tooltip", "id"],
        "Parameter" => &[
            "name",
            "inherits_from_parent",
            "content_type",
            "value",
            "default_value",
            "min",
            "max",
            "custom_choice",
            "password",
            "tooltip",
            "id",
        ],
        "Choice" => &["value"],
        "Resource" => &["name", "type", "timeout"],
        "Timeline" => &["enable", "fps", "start_frame", "end_frame", "size", "resources_acquisition", "scale", "name"],
        "BehaviorLayer" => &["name", "mute"],
        "BehaviorKeyframe" => &["name", "index", "bitmap"],
        "Diagram" => &["scale"],
        "Link" => &["inputowner", "indexofinput", "outputowner", "indexofoutput"],
        "ActuatorList" => &["model"],
        "ActuatorCurve" => &["name", "actuator", "recordable", "mute", "alwaysVisible", "unit"],
        "Key" => &["frame", "value", "smooth", "symmetrical"],
        "Tangent" => &["side", "interpType", "abscissaParam", "ordinateParam"],
        _ => &[],
    }
}

/// Where an attribute of an element belongs; unknown ones come last.
pub(super) fn rank(element: &str, attribute: &str) -> usize {
    let known = attributes(element);
    known.iter().position(|a| *a == attribute).unwrap_or(known.len())
}

/// False for an element of which nothing is known, and for `pluginContent`, whose inside is a plugin's own.
pub(super) fn is_known(element: &str) -> bool {
    !attributes(element).is_empty() || matches!(element, "bitmap" | "content" | "dialogFile" | "watches")
}
