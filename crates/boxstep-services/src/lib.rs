//! The services of a NAOqi robot, and a simulated robot that has them.
//!
//! - The table: the services, and for each method one row with its signatures, their source, its purpose, and what the
//!   simulated robot does when it is called. A module has the rows of its services, followed by the code that they
//!   refer to.
//! - [`scripts`]: what scripts of boxes find besides the services.
//! - [`SimRobot`]: a simulated NAO or Pepper that answers according to the table, on the engine's clock.
//!
//! A method that is not in the table is unknown here, which does not mean that robots lack it. `docs/reference/simulation.md`
//! says what the simulation does and omits; `docs/reference/services.md` shows the table.
//!
//! Types are written as in the qi protocol: `(sf)b` takes a text and a number and answers a boolean. Their source is
//! what a robot with NAOqi 2.5 reports ([`Source::Robot`]), else what one with 2.8 reports ([`Source::Nao6`]), else
//! public descriptions ([`Source::Described`]). Where none of these was available, every argument and the answer are
//! `m`, any value ([`Source::Unknown`]).
//!
//! ```
//! use boxstep_services::{Support, service};
//! let say = service("ALTextToSpeech").and_then(|speech| speech.method("say")).expect("a method");
//! assert!(say.takes(1) && say.takes(2) && !say.takes(3));
//! assert_eq!(say.support(), Support::Simulated);
//! ```

mod alarm;
mod args;
mod audio;
mod autonomy;
mod behaviors;
mod body;
mod camera;
mod capture;
mod connections;
mod defaults;
mod device;
mod diagnosis;
mod dialog;
mod expressions;
mod extractors;
mod frames;
mod gestures;
mod knowledge;
mod launcher;
mod leds;
mod log;
mod memory;
mod microphones;
mod module;
mod motion;
mod navigation;
mod notifications;
mod objects;
mod packages;
mod people;
mod photo;
mod physics;
mod picture;
mod posture;
mod preferences;
mod recharge;
mod recognition;
mod robot;
pub mod scripts;
mod senses;
mod sensors;
mod speech;
mod surroundings;
mod system;
mod table;
mod tablet;
mod touch;
mod tracker;
mod users;
mod video;
mod vision;
mod world;

pub use autonomy::knows_animation;
pub use extractors::{CAMERA_METHODS, EXTRACTOR_METHODS};
pub use module::COMMON_METHODS;
pub use motion::walk::COMES_TO_STAND;
pub use objects::{object_kinds, object_of};
pub use packages::{InstalledPackage, RobotDisk};
pub use robot::{SimOptions, SimRobot};
pub use surroundings::{Surroundings, WorldError};
pub use table::{Base, Method, Overload, Property, Service, Signal, Source, Support};

/// Returns every service, grouped by purpose.
pub fn services() -> impl Iterator<Item = &'static Service> {
    let rooms: [&'static [Service]; 32] = [
        memory::SERVICES,
        behaviors::SERVICES,
        packages::SERVICES,
        motion::SERVICES,
        posture::SERVICES,
        navigation::SERVICES,
        tracker::SERVICES,
        speech::SERVICES,
        recognition::SERVICES,
        dialog::SERVICES,
        audio::SERVICES,
        leds::SERVICES,
        photo::SERVICES,
        video::SERVICES,
        capture::SERVICES,
        vision::SERVICES,
        people::SERVICES,
        expressions::SERVICES,
        users::SERVICES,
        sensors::SERVICES,
        diagnosis::SERVICES,
        gestures::SERVICES,
        autonomy::SERVICES,
        tablet::SERVICES,
        recharge::SERVICES,
        knowledge::SERVICES,
        notifications::SERVICES,
        preferences::SERVICES,
        launcher::SERVICES,
        system::SERVICES,
        log::SERVICES,
        connections::SERVICES,
    ];
    rooms.into_iter().flatten()
}

/// Returns the service of this name.
pub fn service(name: &str) -> Option<&'static Service> {
    services().find(|service| service.name == name)
}
