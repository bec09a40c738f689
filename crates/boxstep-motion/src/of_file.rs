//! Curves as files have them, converted to those of this crate.

use crate::{CurveError, JointCurve, Key, Tangent, Unit};
use boxstep_format::model;

impl From<model::CurveUnit> for Unit {
    fn from(unit: model::CurveUnit) -> Self {
        match unit {
            model::CurveUnit::Degree => Unit::Degree,
            model::CurveUnit::Percent => Unit::Percent,
            model::CurveUnit::Unspecified | model::CurveUnit::Unknown(_) => Unit::Unspecified,
        }
    }
}

impl From<&model::Tangent> for Tangent {
    fn from(tangent: &model::Tangent) -> Self {
        match tangent.interpolation {
            model::Interpolation::Constant => Tangent::CONSTANT,
            model::Interpolation::Linear => Tangent::LINEAR,
            model::Interpolation::Bezier => Tangent::bezier(tangent.abscissa, tangent.ordinate),
            model::Interpolation::BezierAuto => Tangent::AUTO,
        }
    }
}

impl From<&model::Key> for Key {
    fn from(key: &model::Key) -> Self {
        let side = |tangent: &Option<model::Tangent>| tangent.as_ref().map_or(Tangent::AUTO, Tangent::from);
        Key::new(key.frame.into(), key.value).with_tangents(side(&key.left), side(&key.right))
    }
}

impl TryFrom<&model::ActuatorCurve> for JointCurve {
    type Error = CurveError;

    fn try_from(curve: &model::ActuatorCurve) -> Result<Self, CurveError> {
        let keys: Vec<Key> = curve.keys.iter().map(Key::from).collect();
        JointCurve::new(curve.actuator.clone(), curve.unit.into(), curve.mute, &keys)
    }
}
