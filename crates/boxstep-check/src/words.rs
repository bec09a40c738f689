//! The words for types and languages.

use boxstep_format::model::{PortType, ScriptLanguage};

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

pub(crate) fn language(language: ScriptLanguage) -> &'static str {
    match language {
        ScriptLanguage::Cpp => "C++",
        ScriptLanguage::Urbi => "URBI",
        ScriptLanguage::Ruby => "Ruby",
        ScriptLanguage::DynamicLibrary => "a dynamic library",
        ScriptLanguage::Python => "Python",
        ScriptLanguage::QiChat => "QiChat",
        ScriptLanguage::None => "of no language",
        ScriptLanguage::Unknown(_) => "of an unknown language",
    }
}
