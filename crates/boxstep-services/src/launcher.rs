//! Modules and files of the robot: `ALLauncher`, `ALFileManager`.
//!
//! The simulation starts no programs and reads no files for others: clients from elsewhere can call these services.
//! Source: the pages ALLauncher and ALFileManager API of the NAOqi documentation.

use crate::table::{Call, Const, Reply, Service, answers, failed, ok, runs, service, sets, unknown};
use crate::world::World;
use boxstep_engine::services::ServiceCx;
use boxstep_types::Value;

const NO: Const = Const::Bool(false);

pub(crate) static SERVICES: &[Service] = &[
    service(
        "ALLauncher",
        "Starts modules",
        &[
            runs("getGlobalModuleList", "Every module", unknown("()m"), get_global_module_list),
            runs("isModulePresent", "Whether there is a module", unknown("(m)m"), is_module_present),
            runs("launchLocal", "Starts a module in the robot's process", unknown("(m)m"), refuse),
            runs("launchExecutable", "Starts a program", unknown("(m)m"), refuse),
            runs("launchPythonModule", "Starts a Python module", unknown("(m)m"), refuse),
            runs("launchScript", "Starts a script", unknown("(m)m"), refuse),
        ],
    ),
    service(
        "ALFileManager",
        "Files of the robot",
        &[
            answers("fileExists", "Whether there is a file", unknown("(m)m"), NO),
            answers("dataFileExists", "Whether there is a file of data", unknown("(m)m"), NO),
            runs("getFileCompleteName", "Full path of a file", unknown("(m)m"), get_file_complete_name),
            runs("getFileContents", "Content of a file", unknown("(m)m"), get_file_contents),
            answers("getSystemSharedFolderPath", "Folder of all", unknown("()m"), Const::Str("/usr/share/naoqi/")),
            sets("setUserSharedFolderPath", "Folder of the user", unknown("(m)m"), "userFolder"),
            runs("getUserSharedFolderPath", "Folder of the user", unknown("()m"), get_user_shared_folder_path),
        ],
    ),
    service("ALFsr", "Feet on the floor", &[]).events(&["footContactChanged"]).extractor(),
];

fn get_global_module_list(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    let offered = crate::services().filter(|service| service.is_simulated() && w.body.offers(service.name));
    ok(Value::list(offered.map(|service| service.name.into())))
}

fn is_module_present(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "module")?;
    ok(crate::service(name).is_some_and(|service| service.is_simulated() && w.body.offers(service.name)))
}

fn refuse(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    failed(format!("the simulation does not start `{}`", call.args.text(0, "name")?))
}

const USER_FOLDER: &str = "/home/nao/.local/share/naoqi/";

fn get_user_shared_folder_path(w: &mut World, _: &mut ServiceCx<'_>, _: &Call<'_>) -> Reply {
    ok(w.setting("ALFileManager", "userFolder").cloned().unwrap_or_else(|| USER_FOLDER.into()))
}

fn get_file_complete_name(w: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    let name = call.args.text(0, "file")?.to_owned();
    let folder = w.setting("ALFileManager", "userFolder").and_then(Value::as_str).unwrap_or(USER_FOLDER);
    ok(format!("{}/{}", folder.trim_end_matches('/'), name.trim_start_matches('/')))
}

fn get_file_contents(_: &mut World, _: &mut ServiceCx<'_>, call: &Call<'_>) -> Reply {
    failed(format!("there is no file `{}`", call.args.text(0, "file")?))
}
