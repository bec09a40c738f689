//! What is around the simulated robot: a room and the things in it. A world file (`docs/reference/world-file.md`)
//! describes them; without one the room is empty.
//!
//! Positions are metres in the frame in which the robot starts (`FRAME_WORLD`): x forward, y to the left, z up. Where a
//! thing is depends on the time alone, so every run sees the same.

mod file;
mod scene;
mod track;

pub use file::WorldError;
pub(crate) use scene::{Paint, Scene, Shape, dot, room_hit};
pub(crate) use track::Track;

use boxstep_types::Time;
use std::path::Path;

/// A point or direction.
pub(crate) type Vec3 = [f64; 3];

/// A room and the things in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Surroundings {
    pub(crate) room: Room,
    pub(crate) walls: Vec<Wall>,
    pub(crate) people: Vec<Person>,
    pub(crate) marks: Vec<Plate>,
    pub(crate) codes: Vec<Plate>,
    pub(crate) balls: Vec<Ball>,
    pub(crate) boxes: Vec<Block>,
    pub(crate) sounds: Vec<Sound>,
    /// The place of the charging station, and the direction in which it looks.
    pub(crate) station: Option<([f64; 2], f64)>,
    /// Whether a file describes it.
    pub(crate) is_described: bool,
}

/// The four walls, the floor and the ceiling.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Room {
    pub(crate) size: Vec3,
    pub(crate) center: [f64; 2],
    pub(crate) floor: [u8; 3],
    pub(crate) walls: [u8; 3],
    pub(crate) ceiling: [u8; 3],
    /// 0 is dark, 1 is bright.
    pub(crate) light: f64,
}

/// A wall within the room, from the floor up.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Wall {
    pub(crate) from: [f64; 2],
    pub(crate) to: [f64; 2],
    pub(crate) height: f64,
    pub(crate) color: [u8; 3],
}

/// A person, whose track is that of the feet.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Person {
    pub(crate) id: i64,
    pub(crate) name: String,
    /// Whether the robot knows the face from the start.
    pub(crate) is_known: bool,
    pub(crate) height: f64,
    pub(crate) track: Track,
    /// Whether the person looks at the robot.
    pub(crate) looks: bool,
    pub(crate) age: f64,
    pub(crate) is_female: bool,
    /// 0…1.
    pub(crate) smile: f64,
    pub(crate) color: [u8; 3],
}

/// A flat picture: a NAO mark, which is round, or a printed code.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plate {
    /// The number of the mark; empty text stands for no code.
    pub(crate) number: i64,
    /// What a code says.
    pub(crate) text: String,
    pub(crate) track: Track,
    /// The direction in which it looks, in radians from the x axis.
    pub(crate) facing: f64,
    /// The diameter or width.
    pub(crate) size: f64,
}

/// A ball.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Ball {
    pub(crate) track: Track,
    pub(crate) diameter: f64,
    pub(crate) color: [u8; 3],
}

/// A box that stands upright: furniture, or a thing with a name.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Block {
    pub(crate) name: String,
    /// The middle of its lower face.
    pub(crate) track: Track,
    pub(crate) size: Vec3,
    pub(crate) turned: f64,
    pub(crate) color: [u8; 3],
}

/// A sound.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Sound {
    pub(crate) at: Vec3,
    pub(crate) time: f64,
    pub(crate) seconds: f64,
    /// 0…1, at one metre.
    pub(crate) level: f64,
}

/// The height of the middle of the face below the top of the head.
const FACE_BELOW: f64 = 0.11;

impl Person {
    /// Returns the middle of the face; `None` if the person is not there.
    pub(crate) fn face(&self, t: f64) -> Option<Vec3> {
        self.track.at(t).map(|[x, y, z]| [x, y, z + self.height - FACE_BELOW])
    }
}

impl Default for Surroundings {
    /// An empty room, whose walls are out of the reach of sonars.
    fn default() -> Self {
        Self {
            room: Room::default(),
            walls: Vec::new(),
            people: Vec::new(),
            marks: Vec::new(),
            codes: Vec::new(),
            balls: Vec::new(),
            boxes: Vec::new(),
            sounds: Vec::new(),
            station: None,
            is_described: false,
        }
    }
}

impl Default for Room {
    fn default() -> Self {
        Self {
            size: [12.0, 12.0, 3.0],
            center: [0.0, 0.0],
            floor: [140, 118, 96],
            walls: [206, 204, 196],
            ceiling: [232, 232, 230],
            light: 1.0,
        }
    }
}

impl Room {
    /// Returns the least and the greatest corner.
    pub(crate) fn bounds(&self) -> (Vec3, Vec3) {
        let [x, y] = self.center;
        let [dx, dy] = [self.size[0] / 2.0, self.size[1] / 2.0];
        ([x - dx, y - dy, 0.0], [x + dx, y + dy, self.size[2]])
    }
}

impl Surroundings {
    /// Reads a world file.
    ///
    /// # Errors
    /// The file cannot be read, or what is wrong in it, with the line.
    pub fn open(path: &Path) -> Result<Self, WorldError> {
        file::open(path)
    }

    /// Reads the text of a world file; `name` is its name in messages.
    ///
    /// # Errors
    /// What is wrong in it, with the line.
    pub fn read(name: &str, text: &str) -> Result<Self, WorldError> {
        file::read(name, text)
    }

    /// Returns when the last thing moves, comes, goes or sounds.
    pub(crate) fn last_change(&self) -> Time {
        let tracks = self.people.iter().map(|p| &p.track).chain(self.marks.iter().map(|m| &m.track));
        let tracks = tracks.chain(self.codes.iter().map(|c| &c.track)).chain(self.balls.iter().map(|b| &b.track));
        let tracks = tracks.chain(self.boxes.iter().map(|b| &b.track)).map(Track::last_change);
        let last = tracks.chain(self.sounds.iter().map(|s| s.time + s.seconds)).fold(0.0, f64::max);
        Time::from_secs_f64(last)
    }

    /// Returns the person with this number.
    pub(crate) fn person(&self, id: i64) -> Option<&Person> {
        self.people.iter().find(|person| person.id == id)
    }
}
