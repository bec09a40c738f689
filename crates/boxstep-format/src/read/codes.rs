//! The format's tables of numbers and words.

use crate::model::{
    CurveUnit, InputNature, Interpolation, OutputNature, ParameterType, PortType, ResourceAcquisition, ResourceMode,
    ScriptLanguage,
};

pub(super) fn language(code: i32) -> Option<ScriptLanguage> {
    Some(match code {
        0 => ScriptLanguage::Cpp,
        1 => ScriptLanguage::Urbi,
        2 => ScriptLanguage::Ruby,
        3 => ScriptLanguage::DynamicLibrary,
        4 => ScriptLanguage::Python,
        5 => ScriptLanguage::QiChat,
        6 => ScriptLanguage::None,
        _ => return None,
    })
}

pub(super) fn port_type(code: i32) -> Option<PortType> {
    Some(match code {
        0 => PortType::Dynamic,
        1 => PortType::Bang,
        2 => PortType::Number,
        3 => PortType::String,
        4 => PortType::Bitmap,
        5 => PortType::Sound,
        _ => return None,
    })
}

pub(super) fn input_nature(code: i32) -> Option<InputNature> {
    Some(match code {
        0 => InputNature::OnLoad,
        1 => InputNature::OnEvent,
        2 => InputNature::OnStart,
        3 => InputNature::OnStop,
        4 => InputNature::Memory,
        _ => return None,
    })
}

pub(super) fn output_nature(code: i32) -> Option<OutputNature> {
    Some(match code {
        0 => OutputNature::Undefined,
        1 => OutputNature::OnStopped,
        2 => OutputNature::Punctual,
        3 => OutputNature::Recurrent,
        _ => return None,
    })
}

pub(super) fn parameter_type(code: i32) -> Option<ParameterType> {
    Some(match code {
        0 => ParameterType::Bool,
        1 => ParameterType::Int,
        2 => ParameterType::Float,
        3 => ParameterType::String,
        4 => ParameterType::File,
        5 => ParameterType::Localized,
        _ => return None,
    })
}

pub(super) fn acquisition(code: i32) -> Option<ResourceAcquisition> {
    Some(match code {
        0 => ResourceAcquisition::Passive,
        1 => ResourceAcquisition::Waiting,
        2 => ResourceAcquisition::Aggressive,
        _ => return None,
    })
}

pub(super) fn unit(code: i32) -> Option<CurveUnit> {
    Some(match code {
        -1 => CurveUnit::Unspecified,
        0 => CurveUnit::Degree,
        1 => CurveUnit::Percent,
        _ => return None,
    })
}

/// Parses a mode: a word as in files, one as in the published description (`Stop_on_demand`), or a number.
pub(super) fn resource_mode(text: &str) -> Option<ResourceMode> {
    let text = text.trim();
    let text = text.strip_suffix("(beta)").unwrap_or(text).trim_end();
    let is = |word: &str| {
        text.len() == word.len()
            && text.bytes().zip(word.bytes()).all(|(a, b)| a.eq_ignore_ascii_case(&b) || (a == b'_' && b == b' '))
    };
    Some(match text {
        "0" => ResourceMode::Lock,
        "1" => ResourceMode::StopOnDemand,
        "2" => ResourceMode::PauseOnDemand,
        "3" => ResourceMode::CallbackOnDemand,
        _ if is("lock") => ResourceMode::Lock,
        _ if is("stop on demand") => ResourceMode::StopOnDemand,
        _ if is("pause on demand") => ResourceMode::PauseOnDemand,
        _ if is("callback on demand") => ResourceMode::CallbackOnDemand,
        _ => return None,
    })
}

/// Parses a word as in files, or an older one that other readers of the format accept.
pub(super) fn interpolation(text: &str) -> Option<Interpolation> {
    Some(match text.trim() {
        "constant" | "piecewise constant" => Interpolation::Constant,
        "linear" | "none" => Interpolation::Linear,
        "bezier" | "bezier sym" | "bezier smooth" | "bezier harsh" => Interpolation::Bezier,
        "bezier auto" | "bezier_auto" | "bezierauto" => Interpolation::BezierAuto,
        _ => return None,
    })
}
