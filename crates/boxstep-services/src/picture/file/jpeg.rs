//! Baseline JPEG with full colour resolution (ITU T.81): one table of each kind for luma and colours.

use crate::picture::Picture;
use crate::picture::color::yuv;
use std::f64::consts::PI;

/// The steps in which the 64 waves of a block are kept, in rows: those of Annex K for brightness, divided by four.
const STEPS: [u8; 64] = [
    4, 3, 3, 4, 6, 10, 13, 15, 3, 3, 4, 5, 7, 15, 15, 14, 4, 3, 4, 6, 10, 14, 17, 14, 4, 4, 6, 7, 13, 22, 20, 16, 5, 6,
    9, 14, 17, 27, 26, 19, 6, 9, 14, 16, 20, 26, 28, 23, 12, 16, 20, 22, 26, 30, 30, 25, 18, 23, 24, 25, 28, 25, 26,
    25,
];

/// The order in which the waves are written.
const ZIGZAG: [usize; 64] = [
    0, 1, 8, 16, 9, 2, 3, 10, 17, 24, 32, 25, 18, 11, 4, 5, 12, 19, 26, 33, 40, 48, 41, 34, 27, 20, 13, 6, 7, 14, 21,
    28, 35, 42, 49, 56, 57, 50, 43, 36, 29, 22, 15, 23, 30, 37, 44, 51, 58, 59, 52, 45, 38, 31, 39, 46, 53, 60, 61, 54,
    47, 55, 62, 63,
];

/// How many codes there are of each length, and what they stand for (Annex K.3).
struct Codes {
    lengths: [u8; 16],
    values: &'static [u8],
}

const MEANS: Codes = Codes {
    lengths: [0, 1, 5, 1, 1, 1, 1, 1, 1, 0, 0, 0, 0, 0, 0, 0],
    values: &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11],
};

const WAVES: Codes = Codes {
    lengths: [0, 2, 1, 3, 3, 2, 4, 3, 5, 5, 4, 4, 0, 0, 1, 0x7d],
    values: &[
        0x01, 0x02, 0x03, 0x00, 0x04, 0x11, 0x05, 0x12, 0x21, 0x31, 0x41, 0x06, 0x13, 0x51, 0x61, 0x07, 0x22, 0x71,
        0x14, 0x32, 0x81, 0x91, 0xa1, 0x08, 0x23, 0x42, 0xb1, 0xc1, 0x15, 0x52, 0xd1, 0xf0, 0x24, 0x33, 0x62, 0x72,
        0x82, 0x09, 0x0a, 0x16, 0x17, 0x18, 0x19, 0x1a, 0x25, 0x26, 0x27, 0x28, 0x29, 0x2a, 0x34, 0x35, 0x36, 0x37,
        0x38, 0x39, 0x3a, 0x43, 0x44, 0x45, 0x46, 0x47, 0x48, 0x49, 0x4a, 0x53, 0x54, 0x55, 0x56, 0x57, 0x58, 0x59,
        0x5a, 0x63, 0x64, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6a, 0x73, 0x74, 0x75, 0x76, 0x77, 0x78, 0x79, 0x7a, 0x83,
        0x84, 0x85, 0x86, 0x87, 0x88, 0x89, 0x8a, 0x92, 0x93, 0x94, 0x95, 0x96, 0x97, 0x98, 0x99, 0x9a, 0xa2, 0xa3,
        0xa4, 0xa5, 0xa6, 0xa7, 0xa8, 0xa9, 0xaa, 0xb2, 0xb3, 0xb4, 0xb5, 0xb6, 0xb7, 0xb8, 0xb9, 0xba, 0xc2, 0xc3,
        0xc4, 0xc5, 0xc6, 0xc7, 0xc8, 0xc9, 0xca, 0xd2, 0xd3, 0xd4, 0xd5, 0xd6, 0xd7, 0xd8, 0xd9, 0xda, 0xe1, 0xe2,
        0xe3, 0xe4, 0xe5, 0xe6, 0xe7, 0xe8, 0xe9, 0xea, 0xf1, 0xf2, 0xf3, 0xf4, 0xf5, 0xf6, 0xf7, 0xf8, 0xf9, 0xfa,
    ],
};

impl Codes {
    /// Returns the code and its length of each value.
    fn table(&self) -> [(u16, u8); 256] {
        let mut table = [(0, 0); 256];
        let (mut code, mut values) = (0_u16, self.values.iter());
        for (length, count) in (1..).zip(self.lengths) {
            for value in values.by_ref().take(count.into()) {
                table[usize::from(*value)] = (code, length);
                code += 1;
            }
            code <<= 1;
        }
        table
    }
}

/// Writes bits, the highest first.
struct Bits {
    file: Vec<u8>,
    rest: u32,
    count: u8,
}

impl Bits {
    fn put(&mut self, bits: u16, count: u8) {
        self.rest = (self.rest << count) | u32::from(bits);
        self.count += count;
        while self.count >= 8 {
            self.count -= 8;
            let byte = (self.rest >> self.count) as u8;
            self.file.push(byte);
            if byte == 0xff {
                self.file.push(0);
            }
        }
    }

    /// Writes the code of a number's size together with `zeros`, then the number.
    fn number(&mut self, table: &[(u16, u8); 256], zeros: u8, number: i32) {
        let size = (32 - number.unsigned_abs().leading_zeros()) as u8;
        let (code, length) = table[usize::from(zeros << 4 | size)];
        self.put(code, length);
        let bits = if number < 0 { number - 1 } else { number } as u32 & ((1 << size) - 1);
        self.put(bits as u16, size);
    }
}

pub(super) fn jpeg(picture: &Picture) -> Vec<u8> {
    let mut file = vec![0xff, 0xd8];
    let steps: Vec<u8> = ZIGZAG.iter().map(|wave| STEPS[*wave]).collect();
    segment(&mut file, 0xdb, &[&[0][..], &steps].concat());
    let [h1, h0] = (picture.height as u16).to_be_bytes();
    let [w1, w0] = (picture.width as u16).to_be_bytes();
    segment(&mut file, 0xc0, &[8, h1, h0, w1, w0, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0]);
    for (class, codes) in [(0x00, &MEANS), (0x10, &WAVES)] {
        segment(&mut file, 0xc4, &[&[class][..], &codes.lengths, codes.values].concat());
    }
    segment(&mut file, 0xda, &[3, 1, 0, 2, 0, 3, 0, 0, 63, 0]);
    let mut bits = Bits { file, rest: 0, count: 0 };
    let (means, waves) = (MEANS.table(), WAVES.table());
    let cosines = cosines();
    let mut before = [0; 3];
    for top in (0..picture.height).step_by(8) {
        for left in (0..picture.width).step_by(8) {
            for (part, before) in before.iter_mut().enumerate() {
                let block = transformed(&block(picture, left, top, part), &cosines);
                bits.number(&means, 0, block[0] - *before);
                *before = block[0];
                let mut zeros = 0_u8;
                for wave in block.iter().skip(1) {
                    if *wave == 0 {
                        zeros += 1;
                        continue;
                    }
                    while zeros > 15 {
                        bits.put(waves[0xf0].0, waves[0xf0].1);
                        zeros -= 16;
                    }
                    bits.number(&waves, zeros, *wave);
                    zeros = 0;
                }
                if zeros > 0 {
                    bits.put(waves[0].0, waves[0].1);
                }
            }
        }
    }
    bits.put(0x7f, 7);
    bits.file.extend([0xff, 0xd9]);
    bits.file
}

fn segment(file: &mut Vec<u8>, marker: u8, data: &[u8]) {
    file.extend([0xff, marker]);
    file.extend((data.len() as u16 + 2).to_be_bytes());
    file.extend(data);
}

/// Returns a block of one part of the colours; the last row and column go on beyond the edge.
fn block(picture: &Picture, left: usize, top: usize, part: usize) -> [f64; 64] {
    let mut block = [0.0; 64];
    for (i, value) in block.iter_mut().enumerate() {
        let x = (left + i % 8).min(picture.width - 1);
        let y = (top + i / 8).min(picture.height - 1);
        let color = picture.rgb.get(y * picture.width + x).copied().unwrap_or_default();
        *value = f64::from(yuv(color)[part]) - 128.0;
    }
    block
}

/// Returns the waves of eight points: a row for each.
fn cosines() -> [[f64; 8]; 8] {
    let mut rows = [[0.0; 8]; 8];
    for (u, row) in rows.iter_mut().enumerate() {
        let scale = if u == 0 { 0.5_f64.sqrt() } else { 1.0 } / 2.0;
        for (x, value) in row.iter_mut().enumerate() {
            *value = scale * ((2 * x + 1) as f64 * u as f64 * PI / 16.0).cos();
        }
    }
    rows
}

/// Returns the waves of a block in steps, in the order in which they are written.
fn transformed(block: &[f64; 64], cosines: &[[f64; 8]; 8]) -> [i32; 64] {
    let mut rows = [0.0; 64];
    for y in 0..8 {
        for u in 0..8 {
            rows[8 * y + u] = (0..8).map(|x| block[8 * y + x] * cosines[u][x]).sum();
        }
    }
    let mut waves = [0; 64];
    for (at, wave) in waves.iter_mut().enumerate() {
        let place = ZIGZAG[at];
        let (u, v) = (place % 8, place / 8);
        let sum: f64 = (0..8).map(|y| rows[8 * y + u] * cosines[v][y]).sum();
        *wave = (sum / f64::from(STEPS[place])).round() as i32;
    }
    waves
}
