//! The clients of the cameras, and the pictures that they wait for.

use super::{camera_argument, image};
use crate::alarm::Alarm;
use crate::camera::DEPTH;
use crate::picture::{is_of_depth, layers, size_of};
use crate::table::{Answer, Call, Reply, bad, done, failed, ok};
use crate::world::World;
use boxstep_engine::CallId;
use boxstep_engine::services::{ServiceCx, ServiceError};
use boxstep_types::{Time, Value};
use std::collections::{BTreeMap, BTreeSet};

/// The most clients of a camera.
const MOST_CLIENTS: usize = 32;
/// The most pictures a second.
const FASTEST: i64 = 30;

/// What can be switched off.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Switch {
    Open,
    Started,
}

/// The pictures that a client takes: camera, resolution and colour space.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Stream {
    camera: i64,
    resolution: i64,
    space: i64,
}

#[derive(Clone, Debug)]
struct Client {
    name: String,
    streams: Vec<Stream>,
    rate: i64,
    /// The number of the next picture that it can get.
    next: i64,
}

/// How a client asks for a picture.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Wanted {
    One,
    /// In the camera's own form.
    Raw,
    /// One of each of its cameras.
    Each,
}

/// The state of the cameras.
#[derive(Clone, Debug, Default)]
pub(crate) struct Video {
    clients: Vec<Client>,
    active: i64,
    off: BTreeSet<(i64, Switch)>,
    pub(super) parameters: BTreeMap<(i64, i64), i64>,
}

impl Video {
    pub(super) fn has(&self, camera: i64, switch: Switch) -> bool {
        !self.off.contains(&(camera, switch))
    }

    /// Returns whether a camera has pictures.
    pub(crate) fn is_on(&self, camera: i64) -> bool {
        self.has(camera, Switch::Open) && self.has(camera, Switch::Started)
    }

    pub(super) fn switch(&mut self, camera: i64, switch: Switch, on: bool) {
        if on {
            self.off.remove(&(camera, switch));
        } else {
            self.off.insert((camera, switch));
        }
    }

    pub(super) fn active(&self) -> i64 {
        self.active
    }

    pub(super) fn activate(&mut self, camera: i64) {
        self.active = camera;
    }

    /// Returns the camera of a subscription, or the first of several.
    pub(super) fn camera_of(&mut self, name: &str) -> Result<i64, ServiceError> {
        Ok(self.find(name)?.streams.first().map_or(0, |stream| stream.camera))
    }

    fn find(&mut self, name: &str) -> Result<&mut Client, ServiceError> {
        match self.clients.iter_mut().find(|client| client.name == name) {
            Some(client) => Ok(client),
            None => failed(format!("`{name}` has not subscribed to a camera")),
        }
    }
}

/// Old form: the active camera. Its colour space may be a rate for it as well, the last argument.
pub(super) fn subscribe(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let camera = w.video.active;
    let stream = stream(camera, args.int(1, "resolution")?, args.int(2, "colour space")?)?;
    add(w, args.text(0, "name")?, vec![stream], args.int(3, "pictures a second")?)
}

pub(super) fn subscribe_camera(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let camera = camera_argument(w, args, 1)?.number;
    let stream = stream(camera, args.int(2, "resolution")?, args.int(3, "colour space")?)?;
    add(w, args.text(0, "name")?, vec![stream], args.int(4, "pictures a second")?)
}

/// Several cameras: a list of cameras, of resolutions and of colour spaces.
pub(super) fn subscribe_cameras(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let args = call.args;
    let name = args.text(0, "name")?;
    let lists = [args.numbers(1, "cameras")?, args.numbers(2, "resolutions")?, args.numbers(3, "colour spaces")?];
    let [cameras, resolutions, spaces] = lists.map(|list| list.iter().map(|x| *x as i64).collect::<Vec<_>>());
    if cameras.is_empty() || cameras.len() != resolutions.len() || cameras.len() != spaces.len() {
        return bad("the lists of cameras, resolutions and colour spaces must have the same length");
    }
    let mut streams = Vec::with_capacity(cameras.len());
    for ((camera, resolution), space) in cameras.into_iter().zip(resolutions).zip(spaces) {
        if !super::cameras(w).iter().any(|known| known.number == camera) {
            return bad(format!("argument 2 (cameras) must be cameras of this robot, not {camera}"));
        }
        streams.push(stream(camera, resolution, space)?);
    }
    add(w, name, streams, args.int(4, "pictures a second")?)
}

fn stream(camera: i64, resolution: i64, space: i64) -> Result<Stream, ServiceError> {
    if size_of(resolution).is_none() {
        return bad(format!("the resolution must be from 0 to 8, not {resolution}"));
    }
    if layers(space).is_none() || (is_of_depth(space) && camera != DEPTH) {
        return bad(format!("camera {camera} has no pictures of the colour space {space}"));
    }
    Ok(Stream { camera, resolution, space })
}

fn add(w: &mut World, name: &str, streams: Vec<Stream>, rate: i64) -> Reply {
    let clients = &mut w.video.clients;
    if clients.len() >= MOST_CLIENTS {
        return failed(format!("the camera has {MOST_CLIENTS} clients; unsubscribe some"));
    }
    let is_new = |id: &String| !clients.iter().any(|client| client.name == *id);
    let id = (0..=MOST_CLIENTS).map(|i| format!("{name}_{i}")).find(is_new).unwrap_or_default();
    clients.push(Client { name: id.clone(), streams, rate: rate.clamp(1, FASTEST), next: 0 });
    ok(id)
}

pub(super) fn unsubscribe(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "name")?;
    let before = w.video.clients.len();
    w.video.clients.retain(|client| client.name != name);
    ok(w.video.clients.len() < before)
}

pub(super) fn unsubscribe_all_instances(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let prefix = format!("{}_", call.args.text(0, "name")?);
    w.video.clients.retain(|client| !client.name.starts_with(&prefix));
    done()
}

pub(super) fn get_subscribers(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.video.clients.iter().map(|client| client.name.clone()).collect::<Vec<_>>())
}

pub(super) fn get_image(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    request(w, cx, call, Wanted::One)
}

pub(super) fn get_raw_image(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    request(w, cx, call, Wanted::Raw)
}

pub(super) fn get_images(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    request(w, cx, call, Wanted::Each)
}

/// Answers with the newest picture, or waits for the next one if the client has that already.
fn request(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>, wanted: Wanted) -> Reply {
    let name = call.args.text(0, "name")?;
    let now = cx.now();
    // Without a subscription there is no picture.
    let Ok(client) = w.video.find(name) else { return ok(Value::Null) };
    if client.next > picture_at(now, client.rate) {
        let at = time_of(client.next, client.rate);
        client.next += 1;
        w.alarm(cx, at, Alarm::Picture(call.id, name.to_owned(), wanted));
        return Ok(Answer::Later);
    }
    client.next = picture_at(now, client.rate) + 1;
    ok(picture(w, now, name, wanted))
}

/// Handles the alarm of a picture that a call waits for.
pub(crate) fn taken(w: &mut World, cx: &mut ServiceCx<'_>, call: CallId, name: &str, wanted: Wanted) {
    let picture = picture(w, cx.now(), name, wanted);
    cx.complete(call, Ok(picture));
}

/// Returns the picture of this moment; nothing if the client has unsubscribed.
fn picture(w: &World, now: Time, name: &str, wanted: Wanted) -> Value {
    let Some(client) = w.video.clients.iter().find(|client| client.name == name) else { return Value::Null };
    let taken = time_of(picture_at(now, client.rate), client.rate);
    let space = |stream: &Stream| match (wanted, stream.camera) {
        (Wanted::Raw, DEPTH) => RAW_DEPTH,
        (Wanted::Raw, _) => YUV422,
        _ => stream.space,
    };
    let mut images = client.streams.iter().map(|s| image(w, now, taken, s.camera, s.resolution, space(s)));
    if wanted == Wanted::Each { Value::list(images) } else { images.next().unwrap_or_default() }
}

const YUV422: i64 = 9;
const RAW_DEPTH: i64 = 23;
const SECOND: i64 = 1_000_000_000;

/// Returns the number of the newest picture.
fn picture_at(now: Time, rate: i64) -> i64 {
    (i128::from(now.0) * i128::from(rate) / i128::from(SECOND)) as i64
}

/// Returns when a picture is taken.
fn time_of(picture: i64, rate: i64) -> Time {
    Time(((i128::from(picture) * i128::from(SECOND) + i128::from(rate) - 1) / i128::from(rate)) as i64)
}

pub(super) fn release_image(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "name")?;
    ok(w.video.find(name).is_ok())
}

/// The client's name may precede the camera: then only the client changes to it.
pub(super) fn set_active_camera(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let camera = camera_argument(w, call.args, call.args.len() - 1)?.number;
    if call.args.len() == 1 {
        w.video.active = camera;
        return ok(true);
    }
    let client = w.video.find(call.args.text(0, "name")?)?;
    client.streams.iter_mut().for_each(|stream| stream.camera = camera);
    ok(true)
}

pub(super) fn get_active_camera(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let active = w.video.active;
    match call.args.get(0).and_then(Value::as_str) {
        Some(name) => ok(w.video.find(name)?.streams.first().map_or(active, |stream| stream.camera)),
        None => ok(active),
    }
}

pub(super) fn set_frame_rate(w: &mut World, cx: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let rate = call.args.int(1, "pictures a second")?.clamp(1, FASTEST);
    let client = w.video.find(call.args.text(0, "name")?)?;
    (client.rate, client.next) = (rate, picture_at(cx.now(), rate));
    ok(true)
}

pub(super) fn set_resolution(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    change(w, call, |old, resolution| stream(old.camera, resolution, old.space))
}

pub(super) fn set_color_space(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    change(w, call, |old, space| stream(old.camera, old.resolution, space))
}

fn change(w: &mut World, call: &Call<'_>, to: impl Fn(Stream, i64) -> Result<Stream, ServiceError>) -> Reply {
    let value = call.args.int(1, "value")?;
    let client = w.video.find(call.args.text(0, "name")?)?;
    client.streams = client.streams.iter().map(|old| to(*old, value)).collect::<Result<_, _>>()?;
    ok(true)
}

pub(super) fn get_frame_rate(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    of_client_or_camera(w, call, |client, _| client.rate)
}

pub(super) fn get_resolution(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    of_client_or_camera(w, call, |_, stream| stream.resolution)
}

pub(super) fn get_color_space(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    of_client_or_camera(w, call, |_, stream| stream.space)
}

/// Answers for a client by its name, or for the first client of a camera; −1 if the camera has none.
fn of_client_or_camera(w: &mut World, call: &Call<'_>, get: impl Fn(&Client, &Stream) -> i64) -> Reply {
    if let Some(name) = call.args.get(0).and_then(Value::as_str) {
        let client = w.video.find(name)?;
        return ok(client.streams.first().map_or(-1, |stream| get(client, stream)));
    }
    let camera = camera_argument(w, call.args, 0)?.number;
    let of = |client: &Client| client.streams.iter().find(|s| s.camera == camera).map(|stream| get(client, stream));
    ok(w.video.clients.iter().find_map(of).unwrap_or(-1))
}
