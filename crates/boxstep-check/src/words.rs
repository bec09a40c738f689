//! The names of types in messages.

use boxstep_format::model::PortType;

pub(crate) fn port_type(t: PortType) -> &'static str {
    match t {
        PortType::Dynamic => "dynamic",
        PortType::Bang => "bang",
        PortType::Number => "number",
        PortType::String => "string",
        PortType::Bitmap => "bitmap",
        PortType::Sound => "sound",
        PortType::Unknown(_) => "unknown type",
    }
}
