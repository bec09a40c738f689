//! The documented colour spaces of pictures.

use super::Picture;

/// Returns the number of bytes of a pixel in a colour space; `None` if the simulation has no such pictures.
pub(crate) fn layers(space: i64) -> Option<i64> {
    Some(match space {
        0..=8 => 1,
        9 | 14 | 17 | 20 | 21 | 23 => 2,
        10..=13 | 15 | 16 => 3,
        18 => 4,
        _ => return None,
    })
}

/// Returns whether a colour space is one of the depth camera.
pub(crate) fn is_of_depth(space: i64) -> bool {
    matches!(space, 17 | 20 | 21 | 23)
}

/// The nearest and the farthest point that the depth camera measures, in metres.
const MEASURED: std::ops::RangeInclusive<f32> = 0.4..=3.68;

/// Returns the bytes of a picture in a colour space. `wide` and `high` are half the field of view at one metre.
pub(crate) fn bytes_of(picture: &Picture, space: i64, [wide, high]: [f64; 2]) -> Vec<u8> {
    let each = |f: &dyn Fn([u8; 3]) -> u8| picture.rgb.iter().map(|rgb| f(*rgb)).collect();
    let three = |f: &dyn Fn([u8; 3]) -> [u8; 3]| picture.rgb.iter().flat_map(|rgb| f(*rgb)).collect();
    match space {
        0 | 8 => each(&|rgb| yuv(rgb)[0]),
        1 => each(&|rgb| yuv(rgb)[1]),
        2 => each(&|rgb| yuv(rgb)[2]),
        3 => each(&|rgb| rgb[0]),
        4 => each(&|rgb| rgb[1]),
        5 => each(&|rgb| rgb[2]),
        6 => each(&|rgb| hsy(rgb)[0]),
        7 => each(&|rgb| hsy(rgb)[1]),
        9 => pairs(picture, |a, b| [a[0], half(a[1], b[1]), b[0], half(a[2], b[2])]),
        10 => three(&yuv),
        11 => three(&|rgb| rgb),
        12 => three(&hsy),
        13 => three(&|[r, g, b]| [b, g, r]),
        14 => pairs(picture, |a, b| [a[0], b[0], half(a[1], b[1]), half(a[2], b[2])]),
        15 => three(&|rgb| hue(hsy(rgb)[0])),
        16 => three(&|rgb| {
            let [h, s, _] = hsy(rgb);
            [h, s, half(h, s)]
        }),
        18 => picture.rgb.iter().flat_map(|[r, g, b]| [*b, *g, *r, 255]).collect(),
        // The projector of the camera lights what is near.
        20 => numbers(picture, |pixel| {
            let depth = picture.depth.get(pixel).copied().unwrap_or(f32::INFINITY);
            let light = picture.rgb.get(pixel).map_or(0, |rgb| yuv(*rgb)[0]);
            if depth.is_finite() { (f32::from(light) * 4.0 / depth.max(1.0)) as u16 } else { 0 }
        }),
        17 | 23 => numbers(picture, |pixel| millimetres(picture.depth.get(pixel).copied(), 1.0)),
        21 => numbers(picture, |pixel| {
            let side = |i: usize, n: usize, half: f64| half * (1.0 - (2 * i + 1) as f64 / n as f64);
            let x = side(pixel % picture.width.max(1), picture.width, wide);
            let y = side(pixel / picture.width.max(1), picture.height, high);
            millimetres(picture.depth.get(pixel).copied(), (1.0 + x * x + y * y).sqrt() as f32)
        }),
        _ => Vec::new(),
    }
}

fn millimetres(depth: Option<f32>, longer: f32) -> u16 {
    depth.filter(|depth| MEASURED.contains(depth)).map_or(0, |depth| (depth * longer * 1000.0) as u16)
}

/// Returns numbers of 16 bits, the low byte first.
fn numbers(picture: &Picture, number: impl Fn(usize) -> u16) -> Vec<u8> {
    (0..picture.depth.len()).flat_map(|pixel| number(pixel).to_le_bytes()).collect()
}

fn pairs(picture: &Picture, four: impl Fn([u8; 3], [u8; 3]) -> [u8; 4]) -> Vec<u8> {
    let two = |pair: &[[u8; 3]]| match pair {
        [a, b] => four(yuv(*a), yuv(*b)),
        _ => [0; 4],
    };
    picture.rgb.chunks_exact(2).flat_map(two).collect()
}

fn half(a: u8, b: u8) -> u8 {
    u16::midpoint(a.into(), b.into()) as u8
}

/// Luma and the two differences (BT.601, the full range of a byte).
pub(crate) fn yuv([r, g, b]: [u8; 3]) -> [u8; 3] {
    let [r, g, b] = [r, g, b].map(i32::from);
    let byte = |x: i32| x.clamp(0, 255) as u8;
    let y = (299 * r + 587 * g + 114 * b) / 1000;
    [byte(y), byte(128 + (-169 * r - 331 * g + 500 * b) / 1000), byte(128 + (500 * r - 419 * g - 81 * b) / 1000)]
}

/// Hue and saturation in bytes, and luma.
fn hsy(rgb: [u8; 3]) -> [u8; 3] {
    let [r, g, b] = rgb.map(i32::from);
    let (most, least) = (r.max(g).max(b), r.min(g).min(b));
    let range = most - least;
    let sixth = |from: i32, a: i32, b: i32| (from * 256 + (a - b) * 256 / range.max(1)) / 6;
    let hue = if range == 0 {
        0
    } else if most == r {
        sixth(0, g, b).rem_euclid(256)
    } else if most == g {
        sixth(2, b, r)
    } else {
        sixth(4, r, g)
    };
    [hue as u8, (range * 255 / most.max(1)) as u8, yuv(rgb)[0]]
}

/// Returns the colour of a hue.
fn hue(hue: u8) -> [u8; 3] {
    let part = i32::from(hue) * 6;
    let ramp = |offset: i32| {
        let away = ((part + offset).rem_euclid(1536) - 768).abs();
        (away - 256).clamp(0, 255) as u8
    };
    [ramp(0), ramp(1024), ramp(512)]
}
