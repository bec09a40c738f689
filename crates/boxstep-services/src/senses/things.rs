//! Marks, balls, codes, light, and whatever moves.

use super::{View, angle_of, around, float, floats, stamp, tell};
use crate::surroundings::{Plate, Vec3};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::{Time, Value};

/// The farthest mark and ball, in sizes of theirs: the picture is too small beyond.
const FARTHEST_IN_SIZES: f64 = 40.0;
/// The most oblique view of a mark, in radians.
const MOST_OBLIQUE: f64 = 1.05;

/// What moved before.
#[derive(Debug, Default)]
pub(crate) struct Movements {
    moved: bool,
}

/// Returns where a camera sees a mark or code; `None` if it does not, or only from the side or from too far.
fn sees_plate(view: &View<'_>, plate: &Plate, t: f64) -> Option<(f64, f64, f64)> {
    let place = plate.track.at(t)?;
    let seen = view.sees(place)?;
    let [x, y, _] = [0, 1, 2].map(|i| view.eye.place()[i] - place[i]);
    let (sin, cos) = plate.facing.sin_cos();
    let ahead = x * cos + y * sin;
    let slant = (y * cos - x * sin).atan2(ahead).abs();
    (slant <= MOST_OBLIQUE && seen.ahead <= FARTHEST_IN_SIZES * plate.size)
        .then_some((seen.left, seen.down, seen.ahead))
}

/// Where the mark of a number is, if the camera of the mark detection sees it; any mark, if there is no number.
pub(crate) fn mark_in_view(w: &World, now: Time, numbers: &[i64]) -> Option<Vec3> {
    let around = around(w);
    let view = View::of(w, &around, now, "ALLandMarkDetection")?;
    let t = now.as_secs_f64();
    let is_wanted = |mark: &&Plate| numbers.is_empty() || numbers.contains(&mark.number);
    let mut marks = around.marks.iter().filter(is_wanted).filter(|mark| sees_plate(&view, mark, t).is_some());
    marks.next().and_then(|mark| mark.track.at(t))
}

pub(super) fn work_on_marks(w: &mut World, cx: &mut ServiceCx<'_>) {
    let (around, now) = (around(w), cx.now());
    let Some(view) = View::of(w, &around, now, "ALLandMarkDetection") else { return };
    let info = |mark: &Plate| {
        let (left, down, ahead) = sees_plate(&view, mark, now.as_secs_f64())?;
        let size = angle_of(mark.size, ahead);
        let shape = [Value::Int(1), float(left), float(down), float(size), float(size), Value::Float(0.0)];
        Some(Value::list([Value::list(shape), Value::list([Value::Int(mark.number)])]))
    };
    let marks: Vec<Value> = around.marks.iter().filter_map(info).collect();
    let value = (!marks.is_empty()).then(|| {
        let [torso, robot] = view.poses(w, now);
        Value::list([stamp(w, now), Value::List(marks.into()), torso, robot, view.eye.camera.name().into()])
    });
    tell(w, cx, "LandmarkDetected", value);
}

fn is_red([r, g, b]: [u8; 3]) -> bool {
    r >= 80 && r / 2 >= g && r / 2 >= b
}

/// Where the nearest red ball is that the camera of the ball detection sees, and its diameter.
pub(crate) fn ball_in_view(w: &World, now: Time) -> Option<(Vec3, f64)> {
    let around = around(w);
    let view = View::of(w, &around, now, "ALRedBallDetection")?;
    let balls = around.balls.iter().filter(|ball| is_red(ball.color)).filter_map(|ball| {
        let place = ball.track.at(now.as_secs_f64())?;
        let seen = view.sees(place).filter(|seen| seen.ahead <= FARTHEST_IN_SIZES * ball.diameter)?;
        Some((seen.ahead, place, ball.diameter))
    });
    balls.min_by(|a, b| a.0.total_cmp(&b.0)).map(|(_, place, diameter)| (place, diameter))
}

pub(super) fn work_on_balls(w: &mut World, cx: &mut ServiceCx<'_>) {
    let (around, now) = (around(w), cx.now());
    let Some(view) = View::of(w, &around, now, "ALRedBallDetection") else { return };
    let value = ball_in_view(w, now).and_then(|(place, diameter)| {
        let seen = view.sees(place)?;
        let size = angle_of(diameter, seen.ahead);
        let [torso, robot] = view.poses(w, now);
        let ball = floats([seen.left, seen.down, size, size]);
        Some(Value::list([stamp(w, now), ball, torso, robot, Value::Int(view.eye.camera.number)]))
    });
    tell(w, cx, "redBallDetected", value);
}

/// The service that looks for a colour.
const BLOBS: &str = "ALColorBlobDetection";

/// Returns the circle around the nearest ball of the colour that was set: its middle across and down, and its radius, in
/// parts of the picture.
pub(crate) fn blob(w: &World, now: Time) -> Option<[f64; 3]> {
    let around = around(w);
    let view = View::of(w, &around, now, BLOBS)?;
    let color = w.setting(BLOBS, "color").and_then(Value::as_list)?;
    let numbers: Vec<i64> = color.iter().filter_map(Value::as_i64).collect();
    let [r, g, b, tolerance] = numbers.as_slice() else { return None };
    let fits = |of: [u8; 3]| of.into_iter().zip([*r, *g, *b]).all(|(a, b)| (i64::from(a) - b).abs() <= *tolerance);
    let balls = around.balls.iter().filter(|ball| fits(ball.color)).filter_map(|ball| {
        let seen = view.sees(ball.track.at(now.as_secs_f64())?)?;
        Some((seen, ball.diameter))
    });
    let (seen, diameter) = balls.min_by(|a, b| a.0.ahead.total_cmp(&b.0.ahead))?;
    let camera = view.eye.camera;
    let part = |angle: f64, whole: f64| angle.tan() / (2.0 * (whole / 2.0).tan());
    let radius = diameter / 2.0 / seen.ahead / (2.0 * (camera.wide / 2.0).tan());
    Some([0.5 - part(seen.left, camera.wide), 0.5 + part(seen.down, camera.high), radius])
}

/// The value is the circle, and the time.
pub(super) fn work_on_blobs(w: &mut World, cx: &mut ServiceCx<'_>) {
    let now = cx.now();
    let value = blob(w, now).map(|circle| Value::list([floats(circle), stamp(w, now)]));
    tell(w, cx, "ALTracker/ColorBlobDetected", value);
}

/// The picture in which the corners of a code are counted.
const CODE_PICTURE: [f64; 2] = [320.0, 240.0];

pub(super) fn work_on_codes(w: &mut World, cx: &mut ServiceCx<'_>) {
    let (around, now) = (around(w), cx.now());
    let Some(view) = View::of(w, &around, now, "ALBarcodeReader") else { return };
    let code = |code: &Plate| {
        let (left, down, ahead) = sees_plate(&view, code, now.as_secs_f64())?;
        let camera = view.eye.camera;
        let tangent = |angle: f64| angle.tan();
        let half = code.size / 2.0 / ahead;
        let corner = |[x, y]: [f64; 2]| {
            let across = 0.5 - (tangent(left) - x * half) / (2.0 * tangent(camera.wide / 2.0));
            let below = 0.5 + (tangent(down) + y * half) / (2.0 * tangent(camera.high / 2.0));
            floats([across * CODE_PICTURE[0], below * CODE_PICTURE[1]])
        };
        let corners = [[-1.0, -1.0], [1.0, -1.0], [1.0, 1.0], [-1.0, 1.0]].map(corner);
        Some(Value::list([code.text.as_str().into(), Value::list(corners)]))
    };
    let codes: Vec<Value> = around.codes.iter().filter_map(code).collect();
    tell(w, cx, "BarcodeReader/BarcodeDetected", (!codes.is_empty()).then(|| Value::List(codes.into())));
}

/// Whatever moves in view is reported: people, balls and boxes that change their places.
pub(super) fn work_on_movements(w: &mut World, cx: &mut ServiceCx<'_>) {
    let (around, now) = (around(w), cx.now());
    let Some(view) = View::of(w, &around, now, "ALMovementDetection") else { return };
    let t = now.as_secs_f64();
    let people = around.people.iter().filter(|p| p.track.moves(t)).filter_map(|p| Some((p.face(t)?, [0.4, p.height])));
    let balls = around.balls.iter().filter(|b| b.track.moves(t));
    let balls = balls.filter_map(|b| Some((b.track.at(t)?, [b.diameter; 2])));
    let boxes = around.boxes.iter().filter(|b| b.track.moves(t));
    let boxes =
        boxes.filter_map(|b| b.track.at(t).map(|[x, y, z]| ([x, y, z + b.size[2] / 2.0], [b.size[1], b.size[2]])));
    let clusters = people.chain(balls).chain(boxes).filter_map(|(place, size)| {
        let seen = view.sees(place)?;
        let [wide, high] = size.map(|length| angle_of(length, seen.ahead));
        let region = floats([seen.left + wide / 2.0, seen.down - high / 2.0, wide, high]);
        let part = wide * high / (view.eye.camera.wide * view.eye.camera.high);
        Some(Value::list([
            floats([seen.left, seen.down]),
            region,
            float(part.min(1.0)),
            float(seen.ahead),
            floats(size),
            floats([seen.left, seen.down]),
        ]))
    });
    let clusters: Vec<Value> = clusters.collect();
    let moves = !clusters.is_empty();
    let before = std::mem::replace(&mut w.senses.movements.moved, moves);
    if moves {
        let [torso, robot] = view.poses(w, now);
        let camera = Value::Int(view.eye.camera.number);
        let info = Value::list([stamp(w, now), Value::List(clusters.into()), torso, robot, camera]);
        w.notice(cx, "MovementDetection/MovementInfo", info.clone());
        w.notice(cx, "MovementDetection/MovementDetected", info);
    } else if before {
        w.notice(cx, "MovementDetection/NoMovement", Value::list([]));
    }
}

/// The value is how dark it is, from 0 to 100.
pub(super) fn work_on_light(w: &mut World, cx: &mut ServiceCx<'_>) {
    let darkness = ((1.0 - w.options.world.room.light) * 100.0).round() as i64;
    let threshold = w.setting("ALDarknessDetection", "threshold").and_then(Value::as_f64).unwrap_or(40.0);
    if darkness as f64 >= threshold {
        w.notice(cx, "DarknessDetection/DarknessDetected", darkness);
    }
}
