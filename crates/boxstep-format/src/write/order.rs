//! The order in which Choregraphe writes the attributes of an element.

/// Returns the known attributes of an element, in order. Where no file shows the order (`scale` beside
/// `resources_acquisition`, `password`), this order is Boxstep's choice.
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

/// Returns the position of an attribute in its element; unknown attributes come last.
pub(super) fn rank(element: &str, attribute: &str) -> usize {
    let known = attributes(element);
    known.iter().position(|a| *a == attribute).unwrap_or(known.len())
}

/// Returns false for an unknown element, and for `pluginContent`, whose content belongs to a plugin.
pub(super) fn is_known(element: &str) -> bool {
    !attributes(element).is_empty() || matches!(element, "bitmap" | "content" | "dialogFile" | "watches")
}

/// The child elements whose order Choregraphe keeps, in that order. No element has children of more than one of the
/// groups.
const CHILDREN: [&[&str]; 6] = [
    &["dialogFile", "bitmap", "script", "pluginContent", "Input", "Output", "Parameter", "Timeline", "Resource"],
    &["BehaviorLayer", "ActuatorList", "StateMachine"],
    &["Box", "Link"],
    &["BehaviorKeyframe"],
    &["ActuatorCurve"],
    &["Key"],
];

/// Returns the position of a child element among its siblings of other kinds; `None` if it is unknown.
pub(super) fn child_rank(element: &str) -> Option<usize> {
    let element = match element {
        "Bitmap" => "bitmap",
        "Script" => "script",
        other => other,
    };
    CHILDREN.iter().find_map(|group| group.iter().position(|name| *name == element))
}
