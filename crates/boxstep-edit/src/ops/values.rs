//! Values of boxes: parameters, scripts, pictures, names and places.

use super::{missing, new_name};
use crate::error::EditError;
use crate::fields::Placed;
use crate::scratch::Scratch;
use boxstep_format::model::{ParameterType, Script, ScriptLanguage};
use boxstep_format::{XarFile, typed_value};
use boxstep_types::{BoxPath, Span, Value};

pub(super) fn set_parameter(to: &mut Scratch<'_>, path: &BoxPath, name: &str, value: &str) -> Result<(), EditError> {
    let def = to.change(path)?;
    let Some(parameter) = def.parameters.iter_mut().find(|parameter| *parameter.name == *name) else {
        return Err(missing(path, "parameter", name, def.parameters.iter().map(|p| &*p.name)));
    };
    parameter.value = written(path, parameter.content_type, value)?.into();
    // A value of its own is seen only if the box does not take its parent's.
    parameter.inherits_from_parent = false;
    Ok(())
}

/// Returns a value as files have it.
pub(super) fn written(path: &BoxPath, of: ParameterType, value: &str) -> Result<String, EditError> {
    match typed_value(of, value) {
        Ok(Value::Bool(on)) => Ok(i32::from(on).to_string()),
        Ok(_) => Ok(value.to_owned()),
        Err(e) => Err(EditError::Value(path.clone(), e)),
    }
}

pub(super) fn set_script(to: &mut Scratch<'_>, path: &BoxPath, text: &str, was: Option<&str>) -> Result<(), EditError> {
    let text = with_line_ends(to.file, text);
    let def = to.change(path)?;
    let is = def.script.as_ref().map_or("", |script| &script.text);
    let lines = |text: &str| text.replace("\r\n", "\n").replace('\r', "\n");
    if was.is_some_and(|was| lines(is) != lines(was)) {
        return Err(EditError::ScriptChanged(path.clone()));
    }
    match &mut def.script {
        Some(script) => {
            if !matches!(script.language, ScriptLanguage::Python | ScriptLanguage::None) {
                return Err(EditError::NotPython(path.clone(), script.language.words()));
            }
            script.language = ScriptLanguage::Python;
            script.text = text.into();
        }
        script @ None => *script = Some(python(&text)),
    }
    Ok(())
}

/// Returns a text with the line ends of a file.
pub(super) fn with_line_ends(file: &XarFile, text: &str) -> String {
    let lines_end_with_cr = file.text().split_once('\n').is_some_and(|(line, _)| line.ends_with('\r'));
    let text = text.replace("\r\n", "\n");
    if lines_end_with_cr { text.replace('\n', "\r\n") } else { text }
}

/// Returns a script in Python.
pub(super) fn python(text: &str) -> Script {
    let none = Span::default();
    let language = ScriptLanguage::Python;
    Script { language, text: text.into(), is_program: false, args: None, text_span: none, span: none }
}

pub(super) fn set_picture(to: &mut Scratch<'_>, path: &BoxPath, picture: &str) -> Result<(), EditError> {
    let bitmaps = &mut to.change(path)?.bitmaps;
    let picture = picture.trim();
    match (bitmaps.first_mut(), picture) {
        (_, "") => bitmaps.clear(),
        (Some(first), _) => picture.clone_into(first),
        (None, _) => bitmaps.push(picture.to_owned()),
    }
    Ok(())
}

pub(super) fn rename(to: &mut Scratch<'_>, path: &BoxPath, name: &str) -> Result<(), EditError> {
    let (place, index) = to.find_inner(path)?;
    let name = new_name(path, "box", name)?;
    let (_, diagram) = to.diagram(&place)?;
    let others = diagram.boxes.iter().enumerate().filter(|(at, _)| *at != index);
    if others.map(|(_, def)| &def.name).any(|other| **other == *name) {
        return Err(EditError::NameTaken { path: to.path(&place.of), kind: "box", name: name.to_owned() });
    }
    to.change(path)?.name = name.into();
    Ok(())
}

pub(super) fn place(to: &mut Scratch<'_>, boxes: &[Placed]) -> Result<(), EditError> {
    for Placed { r#box, x, y } in boxes {
        to.find_inner(r#box)?;
        let number = |what, value: f64| {
            if value.is_finite() { Ok(value) } else { Err(EditError::Number(r#box.clone(), what, value)) }
        };
        let place = (number("a place", *x)?, number("a place", *y)?);
        let def = to.change(r#box)?;
        (def.x, def.y) = place;
    }
    Ok(())
}

pub(super) fn shift(to: &mut Scratch<'_>, boxes: &[BoxPath], (dx, dy): (f64, f64)) -> Result<(), EditError> {
    let moved = |path: &BoxPath| {
        to.find_inner(path)?;
        let def = to.def(&to.find(path)?);
        Ok(Placed { r#box: path.clone(), x: def.x + dx, y: def.y + dy })
    };
    let moved = boxes.iter().map(moved).collect::<Result<Vec<_>, EditError>>()?;
    place(to, &moved)
}
