//! Dots in a terminal: a braille character has two columns and four rows of them.

/// A picture of dots with a scale on each axis.
pub(super) struct Canvas {
    /// The columns and rows of dots.
    size: (usize, usize),
    /// The values at the left and the right edge.
    x: (f64, f64),
    /// The values at the bottom and the top edge.
    y: (f64, f64),
    dots: Vec<bool>,
}

impl Canvas {
    /// Creates an empty picture. `size` is a whole number of characters.
    pub(super) fn new(size: (usize, usize), x: (f64, f64), y: (f64, f64)) -> Self {
        Self { size, x, y, dots: vec![false; size.0 * size.1] }
    }

    /// Returns the column and row of a point, as fractions of dots from the upper left corner.
    fn position(&self, x: f64, y: f64) -> (f64, f64) {
        let across = (x - self.x.0) / (self.x.1 - self.x.0) * (self.size.0 - 1) as f64;
        let down = (self.y.1 - y) / (self.y.1 - self.y.0) * (self.size.1 - 1) as f64;
        (across, down)
    }

    fn set(&mut self, (across, down): (f64, f64)) {
        let (across, down) = (across.round(), down.round());
        if across >= 0.0 && down >= 0.0 && across < self.size.0 as f64 && down < self.size.1 as f64 {
            self.dots[down as usize * self.size.0 + across as usize] = true;
        }
    }

    /// Draws a point, if it is within the picture.
    pub(super) fn point(&mut self, x: f64, y: f64) {
        self.set(self.position(x, y));
    }

    /// Draws straight lines from point to point.
    pub(super) fn line(&mut self, points: impl Iterator<Item = (f64, f64)>) {
        let mut last = None;
        for (x, y) in points {
            let here = self.position(x, y);
            let from = last.replace(here).unwrap_or(here);
            let steps = (here.0 - from.0).abs().max((here.1 - from.1).abs()).ceil().clamp(1.0, 1e4) as u32;
            for step in 0..=steps {
                let part = f64::from(step) / f64::from(steps);
                self.set((from.0 + (here.0 - from.0) * part, from.1 + (here.1 - from.1) * part));
            }
        }
    }

    /// Returns the rows of characters.
    pub(super) fn rows(&self) -> impl Iterator<Item = String> {
        (0..self.size.1 / 4).map(|row| (0..self.size.0 / 2).map(|column| self.character(column, row)).collect())
    }

    /// Returns a character: a space without dots, else the character whose bits are its dots (Unicode chapter 21.1).
    fn character(&self, column: usize, row: usize) -> char {
        const BITS: [[u32; 2]; 4] = [[0x01, 0x08], [0x02, 0x10], [0x04, 0x20], [0x40, 0x80]];
        let mut bits = 0;
        for (down, pair) in BITS.iter().enumerate() {
            for (across, bit) in pair.iter().enumerate() {
                if self.dots[(row * 4 + down) * self.size.0 + column * 2 + across] {
                    bits |= bit;
                }
            }
        }
        if bits == 0 { ' ' } else { char::from_u32(0x2800 + bits).unwrap_or(' ') }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dots_are_bits_of_characters() {
        let mut canvas = Canvas::new((4, 4), (0.0, 3.0), (0.0, 3.0));
        canvas.point(0.0, 3.0);
        canvas.point(3.0, 0.0);
        canvas.point(9.0, 0.0);
        assert_eq!(canvas.rows().collect::<Vec<_>>(), ["\u{2801}\u{2880}"]);
    }

    #[test]
    fn a_line_has_no_gap() {
        let mut canvas = Canvas::new((4, 4), (0.0, 3.0), (0.0, 3.0));
        canvas.line([(0.0, 0.0), (3.0, 3.0)].into_iter());
        assert_eq!(canvas.rows().collect::<Vec<_>>(), ["\u{2860}\u{280a}"]);
        assert_eq!(Canvas::new((4, 4), (0.0, 1.0), (0.0, 1.0)).rows().collect::<Vec<_>>(), ["  "]);
    }
}
