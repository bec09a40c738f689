//! The format of a world file, and its checks.

use super::{Ball, Block, Person, Plate, Room, Sound, Surroundings, Track, Wall};
use serde::Deserialize;
use std::fmt;
use std::io::Read as _;
use std::ops::Range;
use std::path::Path;
use toml::Spanned;

/// The largest world file, in bytes.
const LONGEST: u64 = 1 << 20;
/// The most entries of a list.
const MOST: usize = 256;
/// The largest coordinate and the largest size, in metres.
const FARTHEST: f64 = 1000.0;

/// Why a world file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WorldError {
    /// The file cannot be read: its name, and why.
    Unreadable(String, String),
    /// Something in the file is wrong.
    Wrong {
        /// The file.
        file: String,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
}

impl fmt::Display for WorldError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Unreadable(file, why) => write!(f, "{file} cannot be read: {why}"),
            Self::Wrong { file, line, why } => write!(f, "{file}:{line}: {why}"),
        }
    }
}

impl std::error::Error for WorldError {}

/// What is wrong, and where in the text.
type Fault = (String, Range<usize>);
type Checked<T> = Result<T, Fault>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    room: RoomRow,
    #[serde(default)]
    walls: Vec<WallRow>,
    #[serde(default)]
    people: Vec<Spanned<PersonRow>>,
    #[serde(default)]
    marks: Vec<Spanned<MarkRow>>,
    #[serde(default)]
    codes: Vec<Spanned<CodeRow>>,
    #[serde(default)]
    balls: Vec<Spanned<BallRow>>,
    #[serde(default)]
    boxes: Vec<Spanned<BoxRow>>,
    #[serde(default)]
    sounds: Vec<SoundRow>,
    station: Option<StationRow>,
}

#[derive(Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct RoomRow {
    size: Option<Spanned<[f64; 3]>>,
    center: Option<Spanned<[f64; 2]>>,
    floor: Option<Spanned<String>>,
    walls: Option<Spanned<String>>,
    ceiling: Option<Spanned<String>>,
    light: Option<Spanned<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct WallRow {
    from: Spanned<[f64; 2]>,
    to: Spanned<[f64; 2]>,
    height: Option<Spanned<f64>>,
    color: Option<Spanned<String>>,
}

/// A place at a time.
#[derive(Clone, Deserialize)]
#[serde(deny_unknown_fields)]
struct Stop {
    time: f64,
    at: Vec<f64>,
}

type At = Option<Spanned<Vec<f64>>>;
type Stops = Option<Spanned<Vec<Stop>>>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct PersonRow {
    id: Option<Spanned<i64>>,
    #[serde(default)]
    name: String,
    #[serde(default)]
    known: bool,
    height: Option<Spanned<f64>>,
    at: At,
    path: Stops,
    from: Option<f64>,
    until: Option<f64>,
    looks: Option<bool>,
    age: Option<f64>,
    gender: Option<Gender>,
    smile: Option<Spanned<f64>>,
    color: Option<Spanned<String>>,
}

#[derive(Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Gender {
    Female,
    Male,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct MarkRow {
    number: i64,
    at: At,
    path: Stops,
    from: Option<f64>,
    until: Option<f64>,
    facing: Option<Spanned<f64>>,
    size: Option<Spanned<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CodeRow {
    text: String,
    at: At,
    path: Stops,
    from: Option<f64>,
    until: Option<f64>,
    facing: Option<Spanned<f64>>,
    size: Option<Spanned<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BallRow {
    at: At,
    path: Stops,
    from: Option<f64>,
    until: Option<f64>,
    diameter: Option<Spanned<f64>>,
    color: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BoxRow {
    #[serde(default)]
    name: String,
    at: At,
    path: Stops,
    from: Option<f64>,
    until: Option<f64>,
    size: Option<Spanned<[f64; 3]>>,
    turned: Option<Spanned<f64>>,
    color: Option<Spanned<String>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SoundRow {
    at: Spanned<[f64; 3]>,
    time: Spanned<f64>,
    seconds: Option<Spanned<f64>>,
    level: Option<Spanned<f64>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StationRow {
    at: Spanned<[f64; 2]>,
    facing: Option<Spanned<f64>>,
}

pub(super) fn open(path: &Path) -> Result<Surroundings, WorldError> {
    let name = path.display().to_string();
    let unreadable = |why: String| WorldError::Unreadable(name.clone(), why);
    let mut text = String::new();
    let file = std::fs::File::open(path).map_err(|e| unreadable(e.to_string()))?;
    file.take(LONGEST + 1).read_to_string(&mut text).map_err(|e| unreadable(e.to_string()))?;
    if text.len() as u64 > LONGEST {
        return Err(unreadable(format!("it is longer than {LONGEST} bytes")));
    }
    read(&name, &text)
}

pub(super) fn read(name: &str, text: &str) -> Result<Surroundings, WorldError> {
    let wrong = |(why, at): Fault| {
        let line = text.as_bytes().iter().take(at.start).filter(|b| **b == b'\n').count() + 1;
        WorldError::Wrong { file: name.to_owned(), line, why }
    };
    let file: File = toml::from_str(text).map_err(|e| wrong((e.message().to_owned(), e.span().unwrap_or(0..0))))?;
    surroundings(file).map_err(wrong)
}

fn surroundings(file: File) -> Checked<Surroundings> {
    let lists = [
        ("walls", file.walls.len()),
        ("people", file.people.len()),
        ("marks", file.marks.len()),
        ("codes", file.codes.len()),
        ("balls", file.balls.len()),
        ("boxes", file.boxes.len()),
        ("sounds", file.sounds.len()),
    ];
    if let Some((list, n)) = lists.iter().find(|(_, n)| *n > MOST) {
        return Err((format!("`{list}` has {n} entries; more than {MOST} are not read"), 0..0));
    }
    let room = room(file.room)?;
    let height = room.size[2];
    let station = file.station.map(|row| Ok((within(&row.at, "at")?, degrees(row.facing.as_ref())?))).transpose()?;
    Ok(Surroundings {
        walls: file.walls.into_iter().map(|row| wall(row, height)).collect::<Checked<_>>()?,
        people: people(file.people)?,
        marks: file.marks.into_iter().map(mark).collect::<Checked<_>>()?,
        codes: file.codes.into_iter().map(code).collect::<Checked<_>>()?,
        balls: file.balls.into_iter().map(ball).collect::<Checked<_>>()?,
        boxes: file.boxes.into_iter().map(block).collect::<Checked<_>>()?,
        sounds: file.sounds.into_iter().map(sound).collect::<Checked<_>>()?,
        room,
        station,
        is_described: true,
    })
}

fn room(row: RoomRow) -> Checked<Room> {
    let usual = Room::default();
    let size = match &row.size {
        None => usual.size,
        Some(size) => {
            for length in size.get_ref() {
                positive(*length, "size", size.span())?;
            }
            *size.get_ref()
        }
    };
    let room = Room {
        size,
        center: row.center.as_ref().map_or(Ok(usual.center), |at| within(at, "center"))?,
        floor: color(row.floor.as_ref(), usual.floor)?,
        walls: color(row.walls.as_ref(), usual.walls)?,
        ceiling: color(row.ceiling.as_ref(), usual.ceiling)?,
        light: part(row.light.as_ref(), "light", usual.light)?,
    };
    let (low, high) = room.bounds();
    if low[0] >= 0.0 || low[1] >= 0.0 || high[0] <= 0.0 || high[1] <= 0.0 {
        let at = row.center.as_ref().map(Spanned::span).or_else(|| row.size.as_ref().map(Spanned::span));
        return Err(("the robot starts at [0, 0], which is outside this room".to_owned(), at.unwrap_or(0..0)));
    }
    Ok(room)
}

fn wall(row: WallRow, height: f64) -> Checked<Wall> {
    Ok(Wall {
        from: within(&row.from, "from")?,
        to: within(&row.to, "to")?,
        height: length(row.height.as_ref(), "height", height)?,
        color: color(row.color.as_ref(), [190, 186, 178])?,
    })
}

fn people(rows: Vec<Spanned<PersonRow>>) -> Checked<Vec<Person>> {
    let mut people: Vec<Person> = Vec::with_capacity(rows.len());
    for (row, number) in rows.into_iter().zip(1..) {
        let (whole, row) = (row.span(), row.into_inner());
        let (id, span) = row.id.as_ref().map_or((number, whole.clone()), |id| (*id.get_ref(), id.span()));
        if id < 1 || people.iter().any(|other| other.id == id) {
            return Err((format!("the `id` of a person is a number of its own, from 1: {id}"), span));
        }
        people.push(Person {
            id,
            name: row.name,
            is_known: row.known,
            height: length(row.height.as_ref(), "height", 1.70)?,
            track: track(row.at, row.path, (row.from, row.until), 2, whole)?,
            looks: row.looks.unwrap_or(true),
            age: row.age.unwrap_or(30.0),
            is_female: row.gender == Some(Gender::Female),
            smile: part(row.smile.as_ref(), "smile", 0.3)?,
            color: color(row.color.as_ref(), [54, 84, 140])?,
        });
    }
    Ok(people)
}

fn mark(row: Spanned<MarkRow>) -> Checked<Plate> {
    let (whole, row) = (row.span(), row.into_inner());
    Ok(Plate {
        number: row.number,
        text: String::new(),
        track: track(row.at, row.path, (row.from, row.until), 3, whole)?,
        facing: degrees(row.facing.as_ref())?,
        size: length(row.size.as_ref(), "size", 0.09)?,
    })
}

fn code(row: Spanned<CodeRow>) -> Checked<Plate> {
    let (whole, row) = (row.span(), row.into_inner());
    Ok(Plate {
        number: 0,
        text: row.text,
        track: track(row.at, row.path, (row.from, row.until), 3, whole)?,
        facing: degrees(row.facing.as_ref())?,
        size: length(row.size.as_ref(), "size", 0.10)?,
    })
}

fn ball(row: Spanned<BallRow>) -> Checked<Ball> {
    let (whole, row) = (row.span(), row.into_inner());
    Ok(Ball {
        track: track(row.at, row.path, (row.from, row.until), 3, whole)?,
        diameter: length(row.diameter.as_ref(), "diameter", 0.06)?,
        color: color(row.color.as_ref(), [214, 22, 22])?,
    })
}

fn block(row: Spanned<BoxRow>) -> Checked<Block> {
    let (whole, row) = (row.span(), row.into_inner());
    let size = row.size.as_ref().map_or(Ok([0.3; 3]), |size| {
        for length in size.get_ref() {
            positive(*length, "size", size.span())?;
        }
        Ok(*size.get_ref())
    })?;
    Ok(Block {
        name: row.name,
        track: track(row.at, row.path, (row.from, row.until), 2, whole)?,
        size,
        turned: angle(row.turned.as_ref(), 0.0)?,
        color: color(row.color.as_ref(), [150, 110, 70])?,
    })
}

fn sound(row: SoundRow) -> Checked<Sound> {
    let time = *row.time.get_ref();
    if !(time.is_finite() && time >= 0.0) {
        return Err(("`time` is seconds, from 0".to_owned(), row.time.span()));
    }
    Ok(Sound {
        at: within(&row.at, "at")?,
        time,
        seconds: length(row.seconds.as_ref(), "seconds", 0.5)?,
        level: part(row.level.as_ref(), "level", 0.5)?,
    })
}

/// Reads where a thing is: `at`, or the stops of a `path`. A place on the floor has two numbers, any other three.
fn track(
    at: At,
    path: Stops,
    (from, until): (Option<f64>, Option<f64>),
    least: usize,
    whole: Range<usize>,
) -> Checked<Track> {
    let place = |at: &[f64], span: Range<usize>| {
        let fits = (at.len() == 3 || at.len() == least) && at.iter().all(|x| x.is_finite() && x.abs() <= FARTHEST);
        match at {
            [x, y, rest @ ..] if fits => Ok([*x, *y, rest.first().copied().unwrap_or(0.0)]),
            _ => Err((format!("a place is {least} to 3 numbers of metres, at most {FARTHEST}"), span)),
        }
    };
    let stops = match (&at, &path) {
        (Some(at), None) => vec![(0.0, place(at.get_ref(), at.span())?)],
        (None, Some(path)) if !path.get_ref().is_empty() => {
            let mut stops: Vec<(f64, super::Vec3)> = Vec::new();
            for stop in path.get_ref() {
                let follows = stops.last().is_none_or(|before| before.0 < stop.time);
                if !(stop.time.is_finite() && stop.time >= 0.0 && follows) {
                    return Err((
                        "the times of a `path` are seconds, each later than the one before".to_owned(),
                        path.span(),
                    ));
                }
                stops.push((stop.time, place(&stop.at, path.span())?));
            }
            stops
        }
        _ => {
            let span = at.as_ref().map(Spanned::span).or_else(|| path.as_ref().map(Spanned::span));
            return Err(("a thing has either `at` or a `path` with stops".to_owned(), span.unwrap_or(whole)));
        }
    };
    Ok(Track::new(stops, from.unwrap_or(0.0), until.unwrap_or(f64::INFINITY)))
}

fn within<const N: usize>(at: &Spanned<[f64; N]>, what: &str) -> Checked<[f64; N]> {
    if at.get_ref().iter().all(|x| x.is_finite() && x.abs() <= FARTHEST) {
        return Ok(*at.get_ref());
    }
    Err((format!("`{what}` is metres, at most {FARTHEST}"), at.span()))
}

fn positive(value: f64, what: &str, span: Range<usize>) -> Checked<f64> {
    if value > 0.0 && value <= FARTHEST {
        return Ok(value);
    }
    Err((format!("`{what}` is above 0 and at most {FARTHEST}"), span))
}

fn length(value: Option<&Spanned<f64>>, what: &str, usual: f64) -> Checked<f64> {
    value.map_or(Ok(usual), |value| positive(*value.get_ref(), what, value.span()))
}

fn part(value: Option<&Spanned<f64>>, what: &str, usual: f64) -> Checked<f64> {
    match value {
        None => Ok(usual),
        Some(value) if (0.0..=1.0).contains(value.get_ref()) => Ok(*value.get_ref()),
        Some(value) => Err((format!("`{what}` is from 0 to 1"), value.span())),
    }
}

/// Reads a direction in degrees; 180, towards the robot's start, is usual.
fn degrees(value: Option<&Spanned<f64>>) -> Checked<f64> {
    angle(value, 180.0)
}

fn angle(value: Option<&Spanned<f64>>, usual: f64) -> Checked<f64> {
    match value {
        None => Ok(usual.to_radians()),
        Some(value) if value.get_ref().is_finite() => Ok(value.get_ref().to_radians()),
        Some(value) => Err(("an angle is a number of degrees".to_owned(), value.span())),
    }
}

/// Reads a colour, `#rrggbb`.
fn color(value: Option<&Spanned<String>>, usual: [u8; 3]) -> Checked<[u8; 3]> {
    let Some(value) = value else { return Ok(usual) };
    let hex = value.get_ref().strip_prefix('#').filter(|hex| hex.len() == 6);
    match hex.and_then(|hex| u32::from_str_radix(hex, 16).ok()) {
        Some(rgb) => Ok([(rgb >> 16) as u8, (rgb >> 8) as u8, rgb as u8]),
        None => Err((format!("a colour is written as \"#rrggbb\", not `{}`", value.get_ref()), value.span())),
    }
}
