//! Picture files: PNG, JPEG, BMP and PPM.

use super::Picture;
use std::io;

/// The quality of JPEG files, in percent.
const QUALITY: u8 = 90;

/// Returns the bytes of a file in a format by its ending, such as `jpg`; `None` if the simulation does not write it.
pub(crate) fn encoded(picture: &Picture, format: &str) -> Option<io::Result<Vec<u8>>> {
    Some(match format {
        "png" => png(picture),
        "jpg" | "jpeg" | "jpe" => jpeg(picture),
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
    let mut file = Vec::new();
    let mut encoder = png::Encoder::new(&mut file, picture.width as u32, picture.height as u32);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_depth(png::BitDepth::Eight);
    encoder.set_compression(png::Compression::Fast);
    let mut writer = encoder.write_header().map_err(io::Error::other)?;
    writer.write_image_data(picture.rgb.as_flattened()).map_err(io::Error::other)?;
    writer.finish().map_err(io::Error::other)?;
    Ok(file)
}

fn jpeg(picture: &Picture) -> io::Result<Vec<u8>> {
    let (width, height) = (picture.width as u16, picture.height as u16);
    let mut file = Vec::new();
    let mut encoder = jpeg_encoder::Encoder::new(&mut file, QUALITY);
    encoder.set_sampling_factor(jpeg_encoder::SamplingFactor::F_1_1);
    encoder
        .encode(picture.rgb.as_flattened(), width, height, jpeg_encoder::ColorType::Rgb)
        .map_err(io::Error::other)?;
    Ok(file)
}
