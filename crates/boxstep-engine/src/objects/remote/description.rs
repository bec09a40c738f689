//! Descriptions of boxes and timelines from scripts, and from programs that drive a run: maps of names.

use super::super::{Draft, Error};
use boxstep_format::model::{ActuatorCurve, CurveUnit, InputNature, Key, OutputNature, PortType, Timeline};
use boxstep_types::{Span, Value};

/// A description: a map of names to values.
pub(super) struct Described<'a>(pub(super) &'a [(Value, Value)]);

impl Described<'_> {
    fn get(&self, name: &str) -> Option<&Value> {
        let found = self.0.iter().find(|(key, _)| key.as_str() == Some(name));
        found.map(|(_, value)| value).filter(|value| **value != Value::Null)
    }

    fn list(&self, name: &str) -> &[Value] {
        self.get(name).and_then(Value::as_list).unwrap_or_default()
    }

    fn int(&self, name: &str) -> Result<Option<i32>, Error> {
        let number = |value: &Value| value.as_i64().and_then(|n| i32::try_from(n).ok());
        let wrong = || Error::Invalid(format!("{name} has to be a whole number"));
        self.get(name).map(|value| number(value).ok_or_else(wrong)).transpose()
    }

    pub(super) fn draft(&self) -> Result<Draft, Error> {
        let name = self.get("name").and_then(Value::as_str).unwrap_or("Unnamed-Box");
        let mut draft = Draft::new(name);
        for (name, nature) in pairs(self.list("inputs"))? {
            draft = draft.input(name, input_nature(nature)?, PortType::Dynamic);
        }
        for (name, nature) in pairs(self.list("outputs"))? {
            draft = draft.output(name, output_nature(nature)?, PortType::Dynamic);
        }
        for (name, value) in self.get("parameters").and_then(Value::as_map).unwrap_or_default() {
            let name = name.as_str().ok_or_else(|| Error::Invalid("parameters have texts for names".to_owned()))?;
            draft = draft.parameter(name, value.clone());
        }
        if let Some(timeline) = self.get("timeline").and_then(Value::as_map) {
            draft = draft.inside(Described(timeline).timeline()?);
        }
        if self.get("stateMachine") == Some(&Value::Bool(true)) {
            draft = draft.state_machine();
        }
        Ok(draft)
    }

    pub(super) fn timeline(&self) -> Result<Timeline, Error> {
        let (fps, start) = (self.int("fps")?.unwrap_or(25), self.int("start")?.unwrap_or(0));
        if fps <= 0 {
            return Err(Error::BadFps(fps));
        }
        let mut draft = Draft::bare("timeline").timeline(fps, start, self.int("end")?);
        for (actuator, keys) in self.get("curves").and_then(Value::as_map).unwrap_or_default() {
            let wrong =
                || Error::Invalid("a curve is a list of frames and values, by the name of its joint".to_owned());
            let actuator = actuator.as_str().ok_or_else(wrong)?;
            draft = draft.curve(curve(actuator, keys.as_list().ok_or_else(wrong)?).ok_or_else(wrong)?);
        }
        draft.into_timeline()
    }
}

/// Returns names, each with the word for its nature, which is empty if it is missing.
fn pairs(all: &[Value]) -> Result<Vec<(&str, &str)>, Error> {
    let wrong = || Error::Invalid("a port is a name, or a name and what it does".to_owned());
    let mut found = Vec::new();
    for value in all {
        let (name, nature) = match value.as_list() {
            None => (value.as_str().ok_or_else(wrong)?, ""),
            Some([name, nature]) => (name.as_str().ok_or_else(wrong)?, nature.as_str().ok_or_else(wrong)?),
            Some(_) => return Err(wrong()),
        };
        found.push((name, nature));
    }
    Ok(found)
}

fn input_nature(word: &str) -> Result<InputNature, Error> {
    Ok(match word {
        "" | "onEvent" => InputNature::OnEvent,
        "onStart" => InputNature::OnStart,
        "onStop" => InputNature::OnStop,
        "onLoad" => InputNature::OnLoad,
        other => return Err(Error::Invalid(format!("an input is onEvent, onStart, onStop or onLoad, not {other}"))),
    })
}

fn output_nature(word: &str) -> Result<OutputNature, Error> {
    Ok(match word {
        "" | "punctual" => OutputNature::Punctual,
        "onStopped" => OutputNature::OnStopped,
        other => return Err(Error::Invalid(format!("an output is punctual or onStopped, not {other}"))),
    })
}

/// Creates a curve of keys with automatic tangents. Values are in degrees, or 0…1 for hands.
fn curve(actuator: &str, keys: &[Value]) -> Option<ActuatorCurve> {
    let span = Span::default;
    let key = |value: &Value| {
        let [frame, value] = value.as_list()? else { return None };
        let frame = i32::try_from(frame.as_i64()?).ok()?;
        let (smooth, symmetrical, left, right) = (None, None, None, None);
        Some(Key { frame, value: value.as_f64()?, smooth, symmetrical, left, right, span: span() })
    };
    Some(ActuatorCurve {
        name: "value".to_owned(),
        actuator: actuator.into(),
        recordable: None,
        mute: false,
        always_visible: None,
        unit: CurveUnit::Unspecified,
        keys: keys.iter().map(key).collect::<Option<_>>()?,
        span: span(),
    })
}
