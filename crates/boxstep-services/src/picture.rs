//! Pictures of the surroundings: the drawing of what a camera sees, and the numbers of resolutions.
//!
//! A pinhole camera without noise or blur draws a room with solids in it; the robot's own body is not in the picture.

mod color;
mod file;

pub(crate) use color::{bytes_of, is_of_depth, layers};
pub(crate) use file::encoded;

use crate::camera::Eye;
use crate::frames;
use crate::surroundings::{Paint, Room, Scene, Shape, Vec3, dot, room_hit};

/// A drawn picture.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Picture {
    pub(crate) width: usize,
    pub(crate) height: usize,
    /// Red, green and blue of each pixel, row by row from the top.
    pub(crate) rgb: Vec<[u8; 3]>,
    /// How far each pixel is along the camera's axis, in metres.
    pub(crate) depth: Vec<f32>,
}

impl Picture {
    /// Takes the colours out.
    pub(crate) fn grey(&mut self) {
        self.rgb.iter_mut().for_each(|rgb| *rgb = [color::yuv(*rgb)[0]; 3]);
    }
}

/// Returns the width and height of a resolution by its documented number.
pub(crate) fn size_of(resolution: i64) -> Option<(usize, usize)> {
    Some(match resolution {
        0 => (160, 120),
        1 => (320, 240),
        2 => (640, 480),
        3 => (1280, 960),
        4 => (2560, 1920),
        5 => (1280, 720),
        6 => (1920, 1080),
        7 => (80, 60),
        8 => (40, 30),
        _ => return None,
    })
}

/// Draws what a camera sees.
pub(crate) fn draw(scene: &Scene<'_>, eye: &Eye, width: usize, height: usize) -> Picture {
    let mut canvas = Canvas::new(eye, width, height);
    canvas.room(scene);
    for solid in &scene.solids {
        canvas.solid(&solid.shape, solid.paint, scene.room.light);
    }
    canvas.picture
}

struct Canvas {
    picture: Picture,
    from: Vec3,
    /// The directions ahead, to the left and up, the latter two as long as half the picture one metre away.
    axes: [Vec3; 3],
}

/// Where the light comes from.
const LIGHT: Vec3 = [-0.424, 0.424, 0.8];
/// The brightness of a surface that looks away from the light.
const SHADE: f64 = 0.55;

impl Canvas {
    fn new(eye: &Eye, width: usize, height: usize) -> Self {
        let half = [1.0, (eye.camera.wide / 2.0).tan(), (eye.camera.high / 2.0).tan()];
        let axes = frames::axes(&eye.pose);
        let axes = [0, 1, 2].map(|axis| axes[axis].map(|x| x * half[axis]));
        let pixels = width * height;
        let picture = Picture { width, height, rgb: vec![[0; 3]; pixels], depth: vec![f32::INFINITY; pixels] };
        Self { picture, from: eye.place(), axes }
    }

    /// Returns the ray of a pixel, one metre long along the camera's axis.
    fn ray(&self, x: usize, y: usize) -> Vec3 {
        let left = 1.0 - (2 * x + 1) as f64 / self.picture.width as f64;
        let up = 1.0 - (2 * y + 1) as f64 / self.picture.height as f64;
        let [ahead, aside, above] = &self.axes;
        [
            ahead[0] + left * aside[0] + up * above[0],
            ahead[1] + left * aside[1] + up * above[1],
            ahead[2] + left * aside[2] + up * above[2],
        ]
    }

    fn room(&mut self, scene: &Scene<'_>) {
        let (low, _) = scene.room.bounds();
        let faces = Faces::of(scene.room);
        for y in 0..self.picture.height {
            for x in 0..self.picture.width {
                let ray = self.ray(x, y);
                let Some((far, face)) = room_hit(scene.room, self.from, ray) else { continue };
                let along = |axis: usize| self.from[axis] + far * ray[axis] - low[axis];
                let color = match face {
                    4 => faces.floor[tile(along(0), along(1))],
                    5 => faces.ceiling,
                    _ if along(2) < SKIRTING => faces.skirting,
                    _ => {
                        let side = along(if face < 2 { 1 } else { 0 });
                        let is_joint = side - (side as i64 as f64) < JOINT;
                        faces.walls[face][usize::from(is_joint)]
                    }
                };
                self.set(y * self.picture.width + x, far, color);
            }
        }
    }

    fn solid(&mut self, shape: &Shape, paint: Paint, light: f64) {
        let Some((columns, rows)) = self.extent(shape) else { return };
        for y in rows {
            for x in columns.clone() {
                let ray = self.ray(x, y);
                let Some(hit) = shape.hit(self.from, ray) else { continue };
                let pixel = y * self.picture.width + x;
                if self.picture.depth.get(pixel).is_none_or(|depth| f64::from(*depth) <= hit.far) {
                    continue;
                }
                let Some(color) = color_of(paint, hit.normal, hit.on) else { continue };
                let shade = SHADE + (1.0 - SHADE) * dot(hit.normal, LIGHT).max(0.0);
                self.set(pixel, hit.far, lit(color, shade * light));
            }
        }
    }

    fn set(&mut self, pixel: usize, far: f64, color: [u8; 3]) {
        if let (Some(rgb), Some(depth)) = (self.picture.rgb.get_mut(pixel), self.picture.depth.get_mut(pixel)) {
            (*rgb, *depth) = (color, far as f32);
        }
    }

    /// Returns the columns and rows in which a solid can be; `None` if it is behind or beside the camera.
    fn extent(&self, shape: &Shape) -> Option<(std::ops::Range<usize>, std::ops::Range<usize>)> {
        let (center, radius) = shape.bounds();
        let to = [0, 1, 2].map(|i| center[i] - self.from[i]);
        let ahead = dot(to, self.axes[0]);
        if ahead < -radius {
            return None;
        }
        let side = |axis: usize, pixels: usize| {
            let axis = self.axes.get(axis).copied().unwrap_or_default();
            let half = dot(axis, axis).sqrt();
            let across = dot(to, axis) / half;
            let away = ahead.hypot(across);
            if away <= radius {
                return 0..pixels;
            }
            let (middle, width) = (across.atan2(ahead), (radius / away).asin());
            let edge = |angle: f64| {
                let angle = angle.clamp(-1.57, 1.57);
                ((1.0 - angle.tan() / half) / 2.0 * pixels as f64).clamp(0.0, pixels as f64)
            };
            edge(middle + width).floor() as usize..edge(middle - width).ceil() as usize
        };
        let (columns, rows) = (side(1, self.picture.width), side(2, self.picture.height));
        (!columns.is_empty() && !rows.is_empty()).then_some((columns, rows))
    }
}

/// The height of the skirting board, and the width of the joints between the plates of a wall, which are a metre wide.
const SKIRTING: f64 = 0.1;
const JOINT: f64 = 0.02;

/// The colours of a room in its light.
struct Faces {
    /// The floor has tiles of two shades.
    floor: [[u8; 3]; 2],
    ceiling: [u8; 3],
    skirting: [u8; 3],
    /// Each wall has its own shade; its joints are darker.
    walls: [[[u8; 3]; 2]; 4],
}

impl Faces {
    fn of(room: &Room) -> Self {
        let shaded = |color: [u8; 3], shade: f64| lit(color, shade * room.light);
        Self {
            floor: [1.0, 0.82].map(|shade| shaded(room.floor, shade)),
            ceiling: shaded(room.ceiling, 1.0),
            skirting: shaded(room.walls, 0.45),
            walls: [0.86, 1.0, 0.92, 0.8].map(|wall| [1.0, 0.8].map(|joint| shaded(room.walls, wall * joint))),
        }
    }
}

/// Returns which of the two shades the floor has at a place; its tiles are half a metre wide.
fn tile(x: f64, y: f64) -> usize {
    (((2.0 * x) as i64 + (2.0 * y) as i64) & 1) as usize
}

fn lit(color: [u8; 3], light: f64) -> [u8; 3] {
    color.map(|part| (f64::from(part) * light).clamp(0.0, 255.0) as u8)
}

const SKIN: [u8; 3] = [224, 172, 138];
const HAIR: [u8; 3] = [58, 40, 28];
const EYE: [u8; 3] = [36, 28, 26];
const MOUTH: [u8; 3] = [166, 62, 66];
const WHITE: [u8; 3] = [245, 245, 240];
const BLACK: [u8; 3] = [18, 18, 18];

/// Returns the colour of a point of a surface; `None` where there is none.
fn color_of(paint: Paint, normal: Vec3, on: [f64; 2]) -> Option<[u8; 3]> {
    Some(match paint {
        Paint::Plain(color) => color,
        Paint::Head(front) => {
            // The direction of the point, as the person has it: ahead, to the left, up.
            let ahead = normal[0] * front[0] + normal[1] * front[1];
            let (left, up) = (normal[1] * front[0] - normal[0] * front[1], normal[2]);
            let near = |x: f64, z: f64, wide: f64, high: f64| {
                ((left - x) / wide).powi(2) + ((up - z) / high).powi(2) < 1.0 && ahead > 0.0
            };
            if near(0.36, 0.18, 0.14, 0.09) || near(-0.36, 0.18, 0.14, 0.09) {
                EYE
            } else if near(0.0, -0.48, 0.3, 0.07) {
                MOUTH
            } else if up > 0.55 || ahead < -0.15 {
                HAIR
            } else {
                SKIN
            }
        }
        // The real pattern of a number is not public: this one is ours, triangles around the middle.
        Paint::Mark(number) => {
            let away = on[0].hypot(on[1]);
            if away > 1.0 {
                return None;
            }
            let sector = ((on[1].atan2(on[0]) / std::f64::consts::TAU + 1.0) * 8.0) as u32 % 8;
            let is_set = number.rotate_right(sector) & 1 == 1;
            if (0.25..0.8).contains(&away) && is_set { WHITE } else { BLACK }
        }
        Paint::Code(cells) => {
            let cell = |x: f64| (((x + 1.0) / 2.0 * 10.0) as i64).clamp(0, 9);
            let (x, y) = (cell(on[0]), cell(on[1]));
            let is_edge = [0, 9].contains(&x) || [0, 9].contains(&y);
            let bit = (cells >> (((y - 1) * 8 + x - 1).clamp(0, 63))) & 1;
            if is_edge || bit == 0 { WHITE } else { BLACK }
        }
    })
}
