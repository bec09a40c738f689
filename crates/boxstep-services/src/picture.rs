//! Pictures of the surroundings: the drawing of what a camera sees, and the numbers of resolutions.
//!
//! A pinhole camera without noise or blur draws a room with solids in it; the robot's own body is not in the picture.

mod color;
mod file;

pub(crate) use color::{bytes_of, is_of_depth, layers};
pub(crate) use file::encoded;

use crate::camera::Eye;
use crate::surroundings::{Paint, Scene, Shape, Vec3, dot, room_hit};

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
        let axes = [0, 1, 2].map(|axis| [0, 1, 2].map(|i| eye.pose.rows[i][axis] * half[axis]));
        let pixels = width * height;
        let picture = Picture { width, height, rgb: vec![[0; 3]; pixels], depth: vec![f32::INFINITY; pixels] };
        Self { picture, from: eye.pose.at, axes }
    }

    /// Returns the ray of a pixel, one metre long along the camera's axis.
    fn ray(&self, x: usize, y: usize) -> Vec3 {
        let left = 1.0 - (2 * x + 1) as f64 / self.picture.width as f64;
        let up = 1.0 - (2 * y + 1) as f64 / self.picture.height as f64;
        [0, 1, 2].map(|i| self.axes[0][i] + left * self.axes[1][i] + up * self.axes[2][i])
    }

    fn room(&mut self, scene: &Scene<'_>) {
        let (low, _) = scene.room.bounds();
        for y in 0..self.picture.height {
            for x in 0..self.picture.width {
                let ray = self.ray(x, y);
                let Some((far, face)) = room_hit(scene.room, self.from, ray) else { continue };
                let at = [0, 1, 2].map(|i| self.from[i] + far * ray[i]);
                let (color, shade) = match face {
                    4 => (scene.room.floor, tiles(at[0] - low[0], at[1] - low[1])),
                    5 => (scene.room.ceiling, 1.0),
                    // Each wall has its own brightness, a skirting board, and a joint every metre.
                    _ if at[2] < 0.1 => (scene.room.walls, 0.45),
                    _ => {
                        let along = if face < 2 { at[1] - low[1] } else { at[0] - low[0] };
                        let joint = if along.fract() < 0.02 { 0.8 } else { 1.0 };
                        (scene.room.walls, joint * WALL_SHADES.get(face).copied().unwrap_or(1.0))
                    }
                };
                self.set(y * self.picture.width + x, far, lit(color, shade * scene.room.light));
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

const WALL_SHADES: [f64; 4] = [0.86, 1.0, 0.92, 0.8];

/// Returns the brightness of the floor, which has tiles of half a metre.
fn tiles(x: f64, y: f64) -> f64 {
    if ((2.0 * x).floor() + (2.0 * y).floor()).rem_euclid(2.0) < 1.0 { 1.0 } else { 0.82 }
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
