//! `boxstep convert run.jsonl run.mcap`

use crate::args::ConvertArgs;
use crate::command::fleet::merged;
use crate::failure::{Failure, system_message};
use crate::reenacted::Reenacted;
use crate::{body, exit, output};
use boxstep_bodies::{Body, BodyKind};
use boxstep_engine::trace::Sink as _;
use boxstep_engine::trace::{Header, ReadError, Recording};
use boxstep_format::output::{write_file, write_file_with};
use boxstep_record::mcap::Mcap;
use boxstep_record::{Normal, OpenError};
use boxstep_ros2::bag::{self, BagError, Times, Written};
use boxstep_ros2::posture::{Postures, Sampled, Unknown};
use std::fmt::Write as _;
use std::io::{self, BufWriter, Cursor, Write as _};
use std::path::Path;

/// Writes a recording as MCAP: as `play --record` writes it, or with messages of ROS 2.
pub(super) fn run(args: &ConvertArgs) -> Result<i32, Failure> {
    if args.output.is_dir() || args.output.to_string_lossy().ends_with(['/', std::path::MAIN_SEPARATOR]) {
        let output = args.output.display();
        return Err(Failure::Usage(format!("{output} names a folder, and a recording is a file: NAME.mcap")));
    }
    if args.behavior.is_some() {
        return Err(Failure::Usage("--behavior is for projects: a recording is of one run".to_owned()));
    }
    let run = read(&args.input)?;
    let said = if args.ros2 {
        messages(args, &run)?
    } else {
        write_file(&args.output, &events(&run)?, args.force).map_err(|e| Failure::unwritten(&args.output, &e))?;
        String::new()
    };
    writeln!(output::stdout(), "wrote {}{said}", args.output.display())?;
    Ok(exit::OK)
}

/// Puts the recordings of a show's robots, in a folder, together.
pub(super) fn of_show(args: &ConvertArgs) -> Result<i32, Failure> {
    if !args.input.is_dir() {
        let why = "only the folder with the recordings of a show's robots becomes a .jsonl file".to_owned();
        return Err(match args.input.exists() {
            true => Failure::File(args.input.clone(), why),
            false => Failure::io(&args.input, &io::ErrorKind::NotFound.into()),
        });
    }
    if args.behavior.is_some() {
        return Err(Failure::Usage("--behavior is for projects: a recording is of a whole show".to_owned()));
    }
    let whole = merged::put_together(&args.input, &args.output, args.force)?;
    merged::tell(&whole);
    writeln!(output::stdout(), "wrote {}: {}", args.output.display(), merged::listed(&whole))?;
    Ok(exit::OK)
}

/// Reads a recording in any of its forms.
pub(crate) fn read(path: &Path) -> Result<Recording, Failure> {
    let unreadable = |why: String| Failure::File(path.to_owned(), why);
    if path.exists() && !boxstep_record::is_recording(path) {
        return Err(unreadable("it is no recording of a run, and only those are written as .mcap".to_owned()));
    }
    let lines = boxstep_record::open(path).map_err(|error| match error {
        OpenError::Io(error) => Failure::io(path, &error),
        other => unreadable(other.to_string()),
    })?;
    let run = Recording::read(lines).map_err(|error| match error {
        ReadError::Io(error) => unreadable(system_message(&error)),
        other => unreadable(other.to_string()),
    })?;
    match run.header.as_ref().is_some_and(|header| header.show.is_some()) {
        true => Err(unreadable("it is the recording of a whole show: name that of one robot".to_owned())),
        false => Ok(run),
    }
}

/// Returns the bytes of what `play --record` would have written.
fn events(run: &Recording) -> Result<Vec<u8>, Failure> {
    let failed = |error: io::Error| Failure::Run(system_message(&error));
    let file = SharedBytes::default();
    let (mut sink, written) = Mcap::new(file.clone(), Normal::new()).map_err(failed)?;
    let header = run.header.clone().unwrap_or_else(|| Header::new(boxstep_engine::trace::ClockKind::Virtual));
    sink.begin(&header);
    sink.events(&run.events, &run.paths);
    match &run.footer {
        Some(footer) => sink.end(footer),
        None => written.flush_now(),
    }
    match written.take_error() {
        Some(error) => Err(failed(error)),
        None => Ok(file.bytes()),
    }
}

/// Writes a recording of ROS 2 and returns what it has in words. A long run has gigabytes, so they go to the file at once.
fn messages(args: &ConvertArgs, run: &Recording) -> Result<String, Failure> {
    let body = body_of(args, run)?;
    let (mut postures, note) = postures(run, body)?;
    let written = write_file_with(&args.output, args.force, |file| {
        bag::write(BufWriter::new(file), run, body, &mut *postures, &Times::of(run))
    });
    let written = written.map_err(|why| match why {
        BagError::Io(error) => Failure::unwritten(&args.output, &error),
        BagError::Message(..) => Failure::Run(format!("{}: {why}", args.output.display())),
        BagError::Long(..) => Failure::File(args.input.clone(), why.to_string()),
    })?;
    if let Some(note) = note {
        // A closed standard error is ignored.
        let _ = writeln!(crate::terminal::stderr(), "{note}");
    }
    Ok(listed(&written))
}

/// Returns the topics and how many messages they have.
fn listed(written: &Written) -> String {
    let mut text = String::new();
    for (at, (topic, count)) in written.topics.iter().enumerate() {
        // Writing to a text cannot fail.
        let _ = write!(text, "{} {topic} {count}", if at == 0 { ":" } else { "," });
    }
    text
}

/// Returns the body of a run.
fn body_of(args: &ConvertArgs, run: &Recording) -> Result<&'static Body, Failure> {
    if let Some(name) = &args.body {
        return body::asked(name);
    }
    let name = run.header.as_ref().map_or("", |header| &header.body);
    let known = BodyKind::ALL.into_iter().find(|kind| kind.to_string() == name);
    known.map(BodyKind::body).ok_or_else(|| {
        let why = match name {
            "" => "it does not say on which body: name it with --body".to_owned(),
            name => format!("its body is `{name}`: name the file of this body with --body"),
        };
        Failure::File(args.input.clone(), why)
    })
}

/// Returns where the postures of a run come from, and a note for who converts it.
///
/// A trace has commands, and angles only if they were asked for. A run on the simulated robot is done again from its
/// commands, which gives the same angles. Otherwise only the angles in the trace are known.
fn postures(run: &Recording, body: &'static Body) -> Result<(Box<dyn Postures>, Option<String>), Failure> {
    let header = run.header.as_ref();
    let is_set = |name: &str| header.is_some_and(|header| header.option(name).is_some());
    let from_start = run.events.first().is_none_or(|event| event.n == 1);
    if from_start && !["robot", "robot-file", "physics"].into_iter().any(is_set) {
        return Ok((Box::new(Reenacted::new(run, body)?), None));
    }
    Ok(match Sampled::of(run, body) {
        Some(sampled) => (Box::new(sampled), None),
        None => {
            let why = "warning: no joint angle of this run is known, so there are no joint states; \
                       a run with physics or on another robot has them with `play --joints 50`";
            (Box::new(Unknown), Some(why.to_owned()))
        }
    })
}

/// Bytes that two writers share: the file of a sink belongs to the sink.
#[derive(Clone, Default)]
struct SharedBytes(std::sync::Arc<std::sync::Mutex<Cursor<Vec<u8>>>>);

impl SharedBytes {
    fn with<R>(&self, f: impl FnOnce(&mut Cursor<Vec<u8>>) -> R) -> R {
        f(&mut self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner))
    }

    fn bytes(&self) -> Vec<u8> {
        self.with(|bytes| std::mem::take(bytes.get_mut()))
    }
}

impl io::Write for SharedBytes {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.with(|all| all.write(bytes))
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl io::Seek for SharedBytes {
    fn seek(&mut self, to: io::SeekFrom) -> io::Result<u64> {
        self.with(|all| all.seek(to))
    }
}
