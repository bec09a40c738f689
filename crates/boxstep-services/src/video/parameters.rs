//! The parameters of the cameras: mirroring and brightness change the picture, the others are kept.

use super::Video;
use super::camera_argument;
use crate::args::Args;
use crate::picture::Picture;
use crate::table::{Call, Reply, bad, done, ok};
use crate::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::Value;

/// A parameter: its number, least, greatest and usual value.
struct Parameter(i64, i64, i64, i64);

const BRIGHTNESS: i64 = 0;
const MIRROR: i64 = 7;
const UPSIDE_DOWN: i64 = 8;
/// Selects the active camera.
const SELECT: i64 = 18;
const DEFAULTS: i64 = 19;

/// The documented parameters.
static PARAMETERS: &[Parameter] = &[
    Parameter(BRIGHTNESS, 0, 255, 55),
    // Contrast, saturation, hue, gain.
    Parameter(1, 16, 64, 32),
    Parameter(2, 0, 255, 128),
    Parameter(3, -180, 180, 0),
    Parameter(6, 32, 255, 32),
    Parameter(MIRROR, 0, 1, 0),
    Parameter(UPSIDE_DOWN, 0, 1, 0),
    // Automatic exposure, white balance and gain.
    Parameter(11, 0, 1, 1),
    Parameter(12, 0, 1, 1),
    Parameter(13, 0, 1, 1),
    // Resolution, pictures a second, exposure.
    Parameter(14, 0, 8, 1),
    Parameter(15, 1, 30, 15),
    Parameter(17, 0, 512, 0),
    Parameter(SELECT, 0, 1, 0),
    Parameter(DEFAULTS, 0, 1, 0),
    // Colour space, correction and algorithm of the exposure, fast switch, sharpness.
    Parameter(20, 0, 23, 11),
    Parameter(21, 0, 255, 0),
    Parameter(22, 0, 3, 1),
    Parameter(23, 0, 1, 0),
    Parameter(24, -7, 7, 0),
    // White balance in kelvin, light from behind, automatic focus.
    Parameter(33, 2700, 6500, 2700),
    Parameter(34, 0, 4, 1),
    Parameter(40, 0, 1, 0),
];

fn parameter(args: Args<'_>, i: usize) -> Result<&'static Parameter, ServiceError> {
    let number = args.int(i, "parameter")?;
    let found = PARAMETERS.iter().find(|parameter| parameter.0 == number);
    found
        .map_or_else(|| bad(format!("argument {} (parameter) must be a parameter of cameras, not {number}", i + 1)), Ok)
}

impl Video {
    fn parameter(&self, camera: i64, parameter: &Parameter) -> i64 {
        let set = self.parameters.get(&(camera, parameter.0)).copied();
        if parameter.0 == SELECT { self.active() } else { set.unwrap_or(parameter.3) }
    }

    /// Sets a parameter; returns whether the value is in its range.
    fn set(&mut self, camera: i64, parameter: &Parameter, value: i64) -> bool {
        let fits = (parameter.1..=parameter.2).contains(&value);
        match parameter.0 {
            _ if !fits => {}
            SELECT => self.activate(value),
            DEFAULTS => self.parameters.retain(|key, _| key.0 != camera),
            number => {
                self.parameters.insert((camera, number), value);
            }
        }
        fits
    }
}

pub(super) fn set_param(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let (parameter, value) = (parameter(call.args, 0)?, call.args.int(1, "value")?);
    let camera = w.video.active();
    w.video.set(camera, parameter, value);
    done()
}

pub(super) fn get_param(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(w.video.parameter(w.video.active(), parameter(call.args, 0)?))
}

pub(super) fn set_param_default(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let parameter = parameter(call.args, 0)?;
    let camera = w.video.active();
    w.video.parameters.remove(&(camera, parameter.0));
    done()
}

pub(super) fn set_parameter(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let camera = camera_argument(w, call.args, 0)?.number;
    ok(w.video.set(camera, parameter(call.args, 1)?, call.args.int(2, "value")?))
}

pub(super) fn get_parameter(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let camera = camera_argument(w, call.args, 0)?.number;
    ok(w.video.parameter(camera, parameter(call.args, 1)?))
}

pub(super) fn get_parameter_range(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    camera_argument(w, call.args, 0)?;
    let Parameter(_, least, greatest, usual) = parameter(call.args, 1)?;
    ok(Value::list([*least, *greatest, *usual].map(Value::Int)))
}

pub(super) fn set_to_default(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let camera = camera_argument(w, call.args, 0)?.number;
    let parameter = parameter(call.args, 1)?;
    w.video.parameters.remove(&(camera, parameter.0));
    ok(true)
}

pub(super) fn set_all_to_default(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let camera = camera_argument(w, call.args, 0)?.number;
    w.video.parameters.retain(|key, _| key.0 != camera);
    ok(true)
}

// Methods of subscriptions, whose camera is meant.

pub(super) fn set_of_client(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let camera = w.video.camera_of(call.args.text(0, "name")?)?;
    ok(w.video.set(camera, parameter(call.args, 1)?, call.args.int(2, "value")?))
}

pub(super) fn get_of_client(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let camera = w.video.camera_of(call.args.text(0, "name")?)?;
    ok(w.video.parameter(camera, parameter(call.args, 1)?))
}

pub(super) fn set_of_client_to_default(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let camera = w.video.camera_of(call.args.text(0, "name")?)?;
    let parameter = parameter(call.args, 1)?;
    w.video.parameters.remove(&(camera, parameter.0));
    ok(true)
}

pub(super) fn set_all_of_client_to_default(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let camera = w.video.camera_of(call.args.text(0, "name")?)?;
    w.video.parameters.retain(|key, _| key.0 != camera);
    ok(true)
}

/// Changes a drawn picture as the parameters of its camera say.
pub(super) fn apply(video: &Video, camera: i64, picture: &mut Picture) {
    let value = |number: i64| {
        let parameter = PARAMETERS.iter().find(|parameter| parameter.0 == number);
        parameter.map_or(0, |parameter| video.parameter(camera, parameter))
    };
    let width = picture.width.max(1);
    if value(MIRROR) == 1 {
        picture.rgb.chunks_mut(width).for_each(<[_]>::reverse);
        picture.depth.chunks_mut(width).for_each(<[_]>::reverse);
    }
    if value(UPSIDE_DOWN) == 1 {
        // Turned by half a turn, and each row back.
        picture.rgb.reverse();
        picture.depth.reverse();
        picture.rgb.chunks_mut(width).for_each(<[_]>::reverse);
        picture.depth.chunks_mut(width).for_each(<[_]>::reverse);
    }
    let brighter = value(BRIGHTNESS) - 55;
    if brighter != 0 {
        let brighten = |part: u8| (i64::from(part) + brighter).clamp(0, 255) as u8;
        picture.rgb.iter_mut().for_each(|rgb| *rgb = rgb.map(brighten));
    }
}
