//! `ALVideoDevice`: pictures of what is around the robot, in the documented layout.
//!
//! A client gets each picture once: a call that comes before the next one waits for it, at the rate that the client asked
//! for. Source: the page ALVideoDevice API of the NAOqi documentation.

mod clients;
mod parameters;

pub(crate) use clients::{Video, Wanted, taken};

use crate::args::Args;
use crate::camera::{Camera, Eye, cameras, eye};
use crate::picture::{Picture, bytes_of, draw, layers, size_of};
use crate::surroundings::Scene;
use crate::table::{Call, Const, Reply, Service, answers, bad, described, ok, robot, runs, service, unknown};
use crate::world::World;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::{Time, Value};

const YES: Const = Const::Bool(true);

pub(crate) static SERVICES: &[Service] = &[service(
    "ALVideoDevice",
    "Cameras",
    &[
        runs("subscribe", "Takes pictures; name of the subscription", robot("(siii)s (mmmmm)s"), clients::subscribe),
        runs("subscribeCamera", "Takes pictures of a camera", robot("(siiii)s"), clients::subscribe_camera),
        runs("unsubscribe", "Ends it", robot("(s)b"), clients::unsubscribe),
        runs("unsubscribeAllInstances", "Ends all of a name", robot("(s)v"), clients::unsubscribe_all_instances),
        runs("getSubscribers", "Subscriptions", robot("()m"), clients::get_subscribers),
        runs("getImageRemote", "Picture with its data", robot("(s)m"), clients::get_image),
        runs("getImageLocal", "Picture in the robot; here the same", robot("(s)X"), clients::get_image),
        runs("getDirectRawImageRemote", "Picture in YUV422", robot("(s)m"), clients::get_raw_image),
        runs("releaseImage", "Gives a picture back", robot("(s)b"), clients::release_image),
        runs("setActiveCamera", "Camera 0 top, 1 bottom", robot("(i)b (si)b"), clients::set_active_camera),
        runs("getActiveCamera", "Camera", robot("()i (s)i"), clients::get_active_camera),
        runs("setParam", "Sets a parameter of the active camera", robot("(ii)v"), parameters::set_param),
        runs("getParam", "Parameter of the active camera", robot("(i)i"), parameters::get_param),
        runs("setParameter", "Sets a parameter of a camera", robot("(iii)b"), parameters::set_parameter),
        runs("setAllParametersToDefault", "Usual parameters", robot("(i)b"), parameters::set_all_to_default),
        runs("setParamDefault", "Usual parameter of the active camera", robot("(i)v"), parameters::set_param_default),
        runs("getParameter", "Value of a parameter", robot("(ii)i"), parameters::get_parameter),
        runs("getParameterRange", "Least, greatest and usual value", robot("(ii)m"), parameters::get_parameter_range),
        runs(
            "setCameraParameter",
            "Sets a parameter of a subscription's camera",
            described("(sii)b"),
            parameters::set_of_client,
        ),
        runs("getCameraParameter", "Value of a parameter", described("(si)i"), parameters::get_of_client),
        runs(
            "setCameraParameterToDefault",
            "Usual value of a parameter",
            described("(si)b"),
            parameters::set_of_client_to_default,
        ),
        runs(
            "setAllCameraParametersToDefault",
            "Usual parameters",
            described("(s)b"),
            parameters::set_all_of_client_to_default,
        ),
        runs("setFrameRate", "Pictures a second", robot("(si)b"), clients::set_frame_rate),
        runs("getFrameRate", "Pictures a second", robot("(i)i (s)i"), clients::get_frame_rate),
        runs("setResolution", "Size of pictures", robot("(si)b"), clients::set_resolution),
        runs("getResolution", "Size of pictures", robot("(i)i (s)i"), clients::get_resolution),
        runs("setColorSpace", "Kind of picture", robot("(si)b"), clients::set_color_space),
        runs("getColorSpace", "Kind of picture", robot("(i)i (s)i"), clients::get_color_space),
        runs("openCamera", "Camera on", robot("(i)b"), switch_camera),
        runs("closeCamera", "Camera off: it has no pictures", robot("(i)b"), switch_camera),
        runs("isCameraOpen", "Whether it is on", robot("(i)b"), is_camera_on),
        runs("startCamera", "Starts it", robot("(i)b"), switch_camera),
        runs("stopCamera", "Stops it", robot("(i)b"), switch_camera),
        runs("isCameraStarted", "Whether it runs", robot("(i)b"), is_camera_on),
        runs("hasDepthCamera", "Whether there is a depth camera", robot("()b"), has_depth_camera),
        runs(
            "getAngularPositionFromImagePosition",
            "Direction of a point, 0…1 across and down",
            robot("(i[f])[f]"),
            angle_of_point,
        ),
        runs("getImagePositionFromAngularPosition", "Point of a direction", robot("(i[f])[f]"), point_of_angle),
        runs("getAngularSizeFromImageSize", "Angles of a size, 0…1", unknown("(mm)m"), angle_of_size),
        runs("getImageSizeFromAngularSize", "Size of angles", unknown("(mm)m"), size_of_angle),
        runs(
            "subscribeCameras",
            "Subscribes to several cameras; its name",
            described("(smmmi)s"),
            clients::subscribe_cameras,
        ),
        runs("setParameterToDefault", "Usual value of a parameter", unknown("(mm)b"), parameters::set_to_default),
        runs("getDirectRawImageLocal", "Picture in YUV422", unknown("(m)m"), clients::get_raw_image),
        runs("getImagesRemote", "Pictures of several cameras", unknown("(m)m"), clients::get_images),
        runs("getImagesLocal", "Pictures of several cameras", unknown("(m)m"), clients::get_images),
        runs("getCameraIndexes", "Numbers of the cameras", unknown("()m"), get_camera_indexes),
        runs("getCameraName", "Name of a camera", unknown("(m)m"), get_camera_name),
        runs("getCameraModel", "Model of a camera", unknown("(m)m"), get_camera_model),
        runs("getHorizontalFOV", "Field of view, radians", unknown("(m)m"), get_horizontal_fov),
        runs("getVerticalFOV", "Field of view, radians", unknown("(m)m"), get_vertical_fov),
        answers("releaseImages", "Lets pictures go", unknown("(m)m"), YES),
    ],
)];

/// Returns the camera that an argument names by its number.
fn camera_argument(w: &World, args: Args<'_>, i: usize) -> Result<Camera, ServiceError> {
    let number = args.int(i, "camera")?;
    let found = cameras(w).iter().find(|camera| camera.number == number).copied();
    found.map_or_else(|| bad(format!("argument {} (camera) must be a camera of this robot, not {number}", i + 1)), Ok)
}

/// Draws what a camera sees now, with its mirror and brightness; `None` if it is off.
pub(crate) fn photograph(w: &World, now: Time, camera: i64, (width, height): (usize, usize)) -> Option<(Picture, Eye)> {
    if !w.video.is_on(camera) {
        return None;
    }
    let eye = eye(w, now, camera)?;
    let scene = Scene::at(&w.options.world, now.as_secs_f64(), eye.place());
    let mut picture = draw(&scene, &eye, width, height);
    parameters::apply(&w.video, camera, &mut picture);
    Some((picture, eye))
}

/// Returns a picture in the documented layout: width, height, bytes of a pixel, colour space, seconds and microseconds
/// of the robot's clock, the bytes, the camera, and the angles of its edges.
fn image(w: &World, now: Time, taken: Time, camera: i64, resolution: i64, space: i64) -> Value {
    let Some(size) = size_of(resolution) else { return Value::Null };
    let Some((picture, Eye { camera, .. })) = photograph(w, now, camera, size) else { return Value::Null };
    let bytes = bytes_of(&picture, space, [(camera.wide / 2.0).tan(), (camera.high / 2.0).tan()]);
    let nanoseconds = taken.0;
    Value::list([
        Value::Int(size.0 as i64),
        Value::Int(size.1 as i64),
        Value::Int(layers(space).unwrap_or_default()),
        Value::Int(space),
        Value::Int(w.options.epoch + nanoseconds.div_euclid(1_000_000_000)),
        Value::Int(nanoseconds.rem_euclid(1_000_000_000) / 1000),
        Value::Bytes(bytes.into()),
        Value::Int(camera.number),
        Value::Float(camera.wide / 2.0),
        Value::Float(-camera.high / 2.0),
        Value::Float(-camera.wide / 2.0),
        Value::Float(camera.high / 2.0),
    ])
}

/// `openCamera`, `closeCamera`, `startCamera`, `stopCamera`.
fn switch_camera(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let camera = camera_argument(w, call.args, 0)?;
    let (which, on) = match call.method.name {
        "openCamera" => (clients::Switch::Open, true),
        "closeCamera" => (clients::Switch::Open, false),
        "startCamera" => (clients::Switch::Started, true),
        _ => (clients::Switch::Started, false),
    };
    w.video.switch(camera.number, which, on);
    ok(true)
}

fn is_camera_on(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let camera = camera_argument(w, call.args, 0)?;
    let is_open = w.video.has(camera.number, clients::Switch::Open);
    ok(if call.method.name == "isCameraOpen" { is_open } else { w.video.is_on(camera.number) })
}

fn has_depth_camera(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(cameras(w).iter().any(|camera| camera.number == crate::camera::DEPTH))
}

fn get_camera_indexes(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(Value::list(cameras(w).iter().map(|camera| Value::Int(camera.number))))
}

fn get_camera_name(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(camera_argument(w, call.args, 0)?.name())
}

fn get_camera_model(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(camera_argument(w, call.args, 0)?.model)
}

fn get_horizontal_fov(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(camera_argument(w, call.args, 0)?.wide)
}

fn get_vertical_fov(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    ok(camera_argument(w, call.args, 0)?.high)
}

/// Reads two numbers.
fn two(args: Args<'_>, i: usize) -> Result<[f64; 2], ServiceError> {
    match args.numbers(i, "point")?.as_slice() {
        [x, y] => Ok([*x, *y]),
        _ => bad(format!("argument {} must be a list of two numbers", i + 1)),
    }
}

/// Decision: angles grow evenly from edge to edge, as the documented conversions of the robot's own library do.
fn angle_of_point(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let camera = camera_argument(w, call.args, 0)?;
    let [x, y] = two(call.args, 1)?;
    ok(vec![(0.5 - x) * camera.wide, (y - 0.5) * camera.high])
}

fn point_of_angle(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let camera = camera_argument(w, call.args, 0)?;
    let [left, down] = two(call.args, 1)?;
    ok(vec![0.5 - left / camera.wide, 0.5 + down / camera.high])
}

fn angle_of_size(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let camera = camera_argument(w, call.args, 0)?;
    let [x, y] = two(call.args, 1)?;
    ok(vec![x * camera.wide, y * camera.high])
}

fn size_of_angle(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let camera = camera_argument(w, call.args, 0)?;
    let [x, y] = two(call.args, 1)?;
    ok(vec![x / camera.wide, y / camera.high])
}
