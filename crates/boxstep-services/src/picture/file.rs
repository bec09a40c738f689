//! Picture files: PNG, JPEG, BMP and PPM.

mod jpeg;

use super::Picture;
use flate2::write::ZlibEncoder;
use flate2::{Compression, Crc};
use std::io::{self, Write as _};

/// Returns the bytes of a file in a format by its ending, such as `jpg`; `None` if the simulation does not write it.
pub(crate) fn encoded(picture: &Picture, format: &str) -> Option<io::Result<Vec<u8>>> {
    Some(match format {
        "png" => png(picture),
        "jpg" | "jpeg" | "jpe" => Ok(jpeg::jpeg(picture)),
        "bmp" | "dib" => Ok(bmp(picture)),
        "ppm" => Ok(ppm(picture)),
        _ => return None,
    })
}

fn ppm(picture: &Picture) -> Vec<u8> {
    let mut file = format!("P6\n{} {}\n255\n", picture.width, picture.height).into_bytes();
    file.extend(picture.rgb.as_flattened());
    file
}

/// Rows from the bottom up, blue first. The widths of the robot's pictures need no filling.
fn bmp(picture: &Picture) -> Vec<u8> {
    const HEAD: u32 = 54;
    let pixels = picture.rgb.len() as u32 * 3;
    let mut file = b"BM".to_vec();
    let words = [HEAD + pixels, 0, HEAD, 40, picture.width as u32, picture.height as u32, 1 | 24 << 16, 0, pixels];
    file.extend(words.into_iter().flat_map(u32::to_le_bytes));
    file.resize(HEAD as usize, 0);
    for row in picture.rgb.chunks(picture.width.max(1)).rev() {
        file.extend(row.iter().flat_map(|[r, g, b]| [*b, *g, *r]));
    }
    file
}

fn png(picture: &Picture) -> io::Result<Vec<u8>> {
    let mut rows = ZlibEncoder::new(Vec::new(), Compression::fast());
    for row in picture.rgb.chunks(picture.width.max(1)) {
        // Each row has no filter.
        rows.write_all(&[0])?;
        rows.write_all(row.as_flattened())?;
    }
    let mut head = Vec::new();
    head.extend((picture.width as u32).to_be_bytes());
    head.extend((picture.height as u32).to_be_bytes());
    // Eight bits of red, green and blue.
    head.extend([8, 2, 0, 0, 0]);
    let mut file = b"\x89PNG\r\n\x1a\n".to_vec();
    chunk(&mut file, *b"IHDR", &head);
    chunk(&mut file, *b"IDAT", &rows.finish()?);
    chunk(&mut file, *b"IEND", &[]);
    Ok(file)
}

fn chunk(file: &mut Vec<u8>, kind: [u8; 4], data: &[u8]) {
    let mut sum = Crc::new();
    sum.update(&kind);
    sum.update(data);
    file.extend((data.len() as u32).to_be_bytes());
    file.extend(kind);
    file.extend(data);
    file.extend(sum.sum().to_be_bytes());
}
