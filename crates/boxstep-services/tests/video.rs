//! The cameras' pictures of a world.

use crate::harness::{Harness, floats, list, near, s, strings};
use boxstep_bodies::BodyKind;
use boxstep_services::{SimOptions, Surroundings, WorldError};
use boxstep_types::Value;
use std::sync::Arc;

/// Makes a robot in a world.
pub(crate) fn in_world(body: BodyKind, world: &str) -> Harness {
    let world = Arc::new(Surroundings::read("world.toml", world).unwrap());
    Harness::new(SimOptions { body: body.body(), world, ..SimOptions::default() })
}

/// A picture as scripts get it.
struct Image {
    width: usize,
    height: usize,
    layers: usize,
    bytes: Vec<u8>,
    all: Vec<Value>,
}

impl Image {
    fn of(value: &Value) -> Self {
        let all = value.as_list().expect("an image").to_vec();
        let number = |i: usize| all[i].as_i64().unwrap() as usize;
        let Value::Bytes(bytes) = &all[6] else { panic!("no bytes") };
        Self { width: number(0), height: number(1), layers: number(2), bytes: bytes.to_vec(), all: all.clone() }
    }

    fn pixel(&self, x: usize, y: usize) -> &[u8] {
        let at = (y * self.width + x) * self.layers;
        &self.bytes[at..at + self.layers]
    }

    fn is_red(&self, x: usize, y: usize) -> bool {
        let p = self.pixel(x, y);
        p[0] / 2 > p[1].max(p[2]) && p[0] > 80
    }

    /// The middle of the red pixels, 0…1 across and down, and how many there are.
    fn red(&self) -> Option<([f64; 2], usize)> {
        let all = (0..self.width * self.height).map(|i| (i % self.width, i / self.width));
        let red: Vec<_> = all.filter(|(x, y)| self.is_red(*x, *y)).collect();
        let n = red.len() as f64;
        let middle = |of: &dyn Fn(&(usize, usize)) -> usize, most: usize| {
            (red.iter().map(of).sum::<usize>() as f64 / n + 0.5) / most as f64
        };
        (!red.is_empty()).then(|| ([middle(&|p| p.0, self.width), middle(&|p| p.1, self.height)], red.len()))
    }
}

fn subscribe(h: &mut Harness, camera: i64, resolution: i64, space: i64, rate: i64) -> Value {
    h.get("ALVideoDevice.subscribeCamera", &[s("me"), camera.into(), resolution.into(), space.into(), rate.into()])
}

fn image(h: &mut Harness, client: &Value) -> Image {
    Image::of(&h.get("ALVideoDevice.getImageRemote", &[client.clone()]))
}

const BALL: &str = "[[balls]]\nat = [1.0, 0.2, 0.5]\ndiameter = 0.1\n";

#[test]
fn a_picture_has_the_documented_layout() {
    for (body, wide) in [(BodyKind::Nao, 1.0641), (BodyKind::Pepper, 0.9826)] {
        let mut h = in_world(body, BALL);
        h.wait(2.25);
        for (resolution, size) in [(8, (40, 30)), (7, (80, 60)), (0, (160, 120)), (1, (320, 240)), (2, (640, 480))] {
            let client = subscribe(&mut h, 1, resolution, 11, 10);
            let image = image(&mut h, &client);
            assert_eq!((image.width, image.height, image.layers), (size.0, size.1, 3));
            assert_eq!(image.bytes.len(), size.0 * size.1 * 3);
            let Value::Int(seconds) = image.all[4] else { panic!() };
            assert_eq!(seconds, 1_577_836_800 + 2, "the robot's clock");
            assert_eq!(image.all[5], Value::Int(200_000), "ten pictures a second");
            assert_eq!(image.all[7], Value::Int(1));
            near(image.all[8].as_f64().unwrap() - image.all[10].as_f64().unwrap(), wide);
            assert!(image.all[11].as_f64() > image.all[9].as_f64());
            assert_eq!(image.all.len(), 12);
        }
    }
}

#[test]
fn a_client_gets_each_picture_once() {
    let mut h = Harness::nao();
    let client = subscribe(&mut h, 0, 8, 0, 10);
    near(h.takes("ALVideoDevice.getImageRemote", &[client.clone()]), 0.0);
    near(h.takes("ALVideoDevice.getImageRemote", &[client.clone()]), 0.1);
    near(h.takes("ALVideoDevice.getImageRemote", &[client.clone()]), 0.1);
    h.wait(0.35);
    near(h.takes("ALVideoDevice.getImageRemote", &[client.clone()]), 0.0);
    near(h.takes("ALVideoDevice.getImageRemote", &[client.clone()]), 0.05);
    h.get("ALVideoDevice.unsubscribe", &[client.clone()]);
    assert_eq!(h.get("ALVideoDevice.getImageRemote", &[client]), Value::Null);
}

#[test]
fn every_colour_space_has_its_bytes() {
    let mut h = in_world(BodyKind::Nao, BALL);
    for (space, layers) in
        [(0, 1), (3, 1), (8, 1), (9, 2), (10, 3), (11, 3), (12, 3), (13, 3), (14, 2), (15, 3), (18, 4)]
    {
        let client = subscribe(&mut h, 0, 1, space, 30);
        let image = image(&mut h, &client);
        assert_eq!((image.layers, image.bytes.len()), (layers, 320 * 240 * layers), "{space}");
        h.get("ALVideoDevice.unsubscribe", &[client]);
    }
    let mut of = |space| {
        let client = subscribe(&mut h, 0, 1, space, 30);
        image(&mut h, &client)
    };
    let (rgb, bgr, luma, yuyv) = (of(11), of(13), of(0), of(9));
    let ([x, y], _) = rgb.red().expect("the ball");
    let (x, y) = ((x * 320.0) as usize & !1, (y * 240.0) as usize);
    let p = rgb.pixel(x, y);
    assert_eq!(bgr.pixel(x, y), [p[2], p[1], p[0]]);
    let weighted = (299 * i32::from(p[0]) + 587 * i32::from(p[1]) + 114 * i32::from(p[2])) / 1000;
    assert_eq!(i32::from(luma.pixel(x, y)[0]), weighted);
    assert_eq!(yuyv.pixel(x, y)[0], luma.pixel(x, y)[0]);
    assert!(yuyv.pixel(x, y)[1] < 128 && yuyv.pixel(x + 1, y)[1] > 150, "red has little blue and much red");
    assert!(h.why("ALVideoDevice.subscribeCamera", &[s("me"), 0.into(), 1.into(), 17.into(), 5.into()]).contains("17"));
}

/// Where the ball is in the picture follows from the camera's place and the head's angles.
#[test]
fn a_ball_is_where_the_geometry_puts_it() {
    for (body, high) in [(BodyKind::Nao, 0.6), (BodyKind::Pepper, 1.2)] {
        let mut h = in_world(body, &format!("[[balls]]\nat = [1.5, 0.0, {high}]\ndiameter = 0.12\n"));
        let client = subscribe(&mut h, 0, 2, 11, 30);
        h.get("ALMotion.setAngles", &[list([s("HeadYaw"), s("HeadPitch")]), list([0.0, 0.0]), 1.0.into()]);
        h.wait(1.0);
        let ([x, straight], many) = image(&mut h, &client).red().expect("the ball");
        assert!((x - 0.5).abs() < 0.05, "{body}: {x}");
        // The head looks to the left, so the ball is to the right; and it is bigger from near by.
        h.get("ALMotion.setAngles", &[s("HeadYaw"), 0.3.into(), 1.0.into()]);
        h.wait(1.0);
        let ([x, _], _) = image(&mut h, &client).red().expect("the ball");
        let wide = floats(&list([h.get("ALVideoDevice.getHorizontalFOV", &[0.into()])]))[0];
        let wanted = 0.5 + 0.3_f64.tan() / (wide / 2.0).tan() / 2.0;
        assert!((x - wanted).abs() < 0.03, "{body}: {x} is not {wanted}");
        h.get("ALMotion.setAngles", &[list([s("HeadYaw"), s("HeadPitch")]), list([0.0, -0.2]), 1.0.into()]);
        h.wait(1.0);
        let ([_, y], _) = image(&mut h, &client).red().expect("the ball");
        assert!(y > straight + 0.1, "{body}: a head that looks up sees it further down");
        h.get("ALMotion.setAngles", &[s("HeadPitch"), 0.0.into(), 1.0.into()]);
        h.get("ALMotion.moveTo", &[0.5.into(), 0.0.into(), 0.0.into()]);
        let (_, nearer) = image(&mut h, &client).red().expect("the ball");
        assert!(nearer as f64 > 1.8 * many as f64, "{body}: {nearer} pixels, and {many} from afar");
    }
}

#[test]
fn angles_and_points_of_the_picture_convert_both_ways() {
    let mut h = Harness::nao();
    let point = |x: f64, y: f64| list([x, y]);
    let angles = h.get("ALVideoDevice.getAngularPositionFromImagePosition", &[0.into(), point(0.0, 0.0)]);
    near(floats(&angles)[0], 1.0641 / 2.0);
    near(floats(&angles)[1], -0.8315 / 2.0);
    let back = h.get("ALVideoDevice.getImagePositionFromAngularPosition", &[0.into(), list([0.2, -0.1])]);
    let again = h.get("ALVideoDevice.getAngularPositionFromImagePosition", &[0.into(), back]);
    near(floats(&again)[0], 0.2);
    near(floats(&again)[1], -0.1);
}

#[test]
fn walls_and_boxes_hide_what_is_behind_them() {
    let behind = |thing: &str| {
        let mut h = in_world(BodyKind::Nao, &format!("{BALL}{thing}"));
        let client = subscribe(&mut h, 0, 1, 11, 30);
        image(&mut h, &client).red().is_some()
    };
    assert!(behind(""));
    assert!(!behind("[[walls]]\nfrom = [0.7, -1]\nto = [0.7, 1]\n"));
    assert!(!behind("[[boxes]]\nat = [0.6, 0.1]\nsize = [0.2, 0.6, 0.9]\nturned = 10\n"));
    assert!(behind("[[boxes]]\nat = [2.6, 0.1]\nsize = [0.2, 0.6, 0.9]\n"), "a box that is farther");
}

#[test]
fn peppers_depth_camera_measures_millimetres() {
    let mut h = in_world(BodyKind::Pepper, "[[boxes]]\nat = [2.0, 0]\nsize = [0.4, 2, 2]\n");
    h.get("ALMotion.setAngles", &[list([s("HeadYaw"), s("HeadPitch")]), list([0.0, 0.0]), 1.0.into()]);
    h.wait(1.0);
    let client = subscribe(&mut h, 2, 1, 17, 30);
    let depth = image(&mut h, &client);
    let at = depth.pixel(160, 120);
    let metres = f64::from(u16::from_le_bytes([at[0], at[1]])) / 1000.0;
    assert!((metres - 1.78).abs() < 0.05, "{metres}: the box begins at 1.8 m, the camera is near the middle");
    let client = subscribe(&mut h, 2, 1, 21, 30);
    let distance = image(&mut h, &client);
    let corner = |image: &Image| u16::from_le_bytes([image.pixel(60, 60)[0], image.pixel(60, 60)[1]]);
    assert!(corner(&distance) > corner(&depth), "the way to a corner is longer than its depth");
    assert_eq!(h.get("ALVideoDevice.hasDepthCamera", &[]), Value::Bool(true));
    assert_eq!(h.get("ALVideoDevice.getCameraName", &[2.into()]), s("CameraDepth"));
    assert_eq!(Harness::nao().get("ALVideoDevice.hasDepthCamera", &[]), Value::Bool(false));
    assert!(Harness::nao().why("ALVideoDevice.getCameraName", &[2.into()]).contains("not 2"));
}

#[test]
fn parameters_have_ranges_and_some_change_the_picture() {
    let mut h = in_world(BodyKind::Nao, BALL);
    let client = subscribe(&mut h, 0, 1, 11, 30);
    let ([x, _], _) = image(&mut h, &client).red().unwrap();
    let range = h.get("ALVideoDevice.getParameterRange", &[0.into(), 7.into()]);
    assert_eq!(range, list([0, 1, 0]));
    assert_eq!(h.get("ALVideoDevice.setParameter", &[0.into(), 7.into(), 2.into()]), Value::Bool(false));
    assert_eq!(h.get("ALVideoDevice.setParameter", &[0.into(), 7.into(), 1.into()]), Value::Bool(true));
    let ([mirrored, _], _) = image(&mut h, &client).red().unwrap();
    assert!((x + mirrored - 1.0).abs() < 1e-9, "{x} {mirrored}");
    h.get("ALVideoDevice.setAllParametersToDefault", &[0.into()]);
    assert_eq!(image(&mut h, &client).red().unwrap().0[0], x);
    h.get("ALVideoDevice.setParam", &[18.into(), 1.into()]);
    assert_eq!(h.get("ALVideoDevice.getActiveCamera", &[]), Value::Int(1), "the stock box selects the camera so");
    h.get("ALVideoDevice.closeCamera", &[0.into()]);
    assert_eq!(h.get("ALVideoDevice.getImageRemote", &[client.clone()]), Value::Null);
    h.get("ALVideoDevice.openCamera", &[0.into()]);
    image(&mut h, &client);
    let set = h.get("ALVideoDevice.setCameraParameter", &[client.clone(), 0.into(), 60.into()]);
    assert_eq!(set, Value::Bool(true));
    assert_eq!(h.get("ALVideoDevice.getParameter", &[0.into(), 0.into()]), Value::Int(60));
    h.get("ALVideoDevice.setCameraParameterToDefault", &[client.clone(), 0.into()]);
    assert_eq!(h.get("ALVideoDevice.getCameraParameter", &[client.clone(), 0.into()]), Value::Int(55));
    h.get("ALVideoDevice.setAllCameraParametersToDefault", &[client.clone()]);
    h.get("ALVideoDevice.unsubscribe", &[client.clone()]);
    assert_eq!(h.get("ALVideoDevice.getImageRemote", &[client.clone()]), Value::Null);
    assert!(h.why("ALVideoDevice.getCameraParameter", &[client, 0.into()]).contains("has not subscribed"));
}

#[test]
fn several_cameras_are_taken_at_once() {
    let mut h = in_world(BodyKind::Pepper, BALL);
    let args = [s("two"), list([0, 2]), list([1, 0]), list([11, 17]), 5.into()];
    let client = h.get("ALVideoDevice.subscribeCameras", &args);
    let images = h.get("ALVideoDevice.getImagesRemote", &[client]);
    let images: Vec<Image> = images.as_list().unwrap().iter().map(Image::of).collect();
    assert_eq!(images.iter().map(|i| (i.width, i.layers)).collect::<Vec<_>>(), [(320, 3), (160, 2)]);
    assert_eq!(strings(&h.get("ALVideoDevice.getSubscribers", &[])), ["two_0"]);
}

#[test]
fn the_same_moment_gives_the_same_picture() {
    let take = |world: &str| {
        let mut h = in_world(BodyKind::Nao, world);
        let client = subscribe(&mut h, 0, 1, 11, 30);
        h.wait(1.0);
        let first = image(&mut h, &client).bytes;
        h.wait(1.0);
        (first, image(&mut h, &client).bytes)
    };
    let walker = "[[people]]\npath = [{ time = 0, at = [2, -1] }, { time = 4, at = [2, 1] }]\n";
    assert_eq!(take(walker), take(walker));
    let (before, after) = take(walker);
    assert_ne!(before, after, "the person walks");
    let (before, after) = take("");
    assert_eq!(before, after);
    assert_ne!(before, take("[room]\nlight = 0.2\n").0);
}

#[test]
fn a_wrong_world_file_says_where() {
    let line = |text: &str| match Surroundings::read("w.toml", text) {
        Err(WorldError::Wrong { line, why, .. }) => (line, why),
        other => panic!("{other:?}"),
    };
    assert_eq!(line("[room]\nsize = [4, 0, 3]\n").0, 2);
    assert_eq!(line("[room]\nsize = [4, 4, 3]\ncenter = [3, 0]\n").0, 3);
    assert_eq!(line("[[people]]\nname = \"Ada\"\n\n[[people]]\nat = [1, 2]\nhigh = 3\n").0, 6);
    let (at, why) = line("[[balls]]\nat = [1, 2, 3]\n[[balls]]\ndiameter = 1\n");
    assert!(at == 3 && why.contains("either `at` or a `path`"), "{at}: {why}");
    let (at, why) = line("[[people]]\npath = [{ time = 1, at = [0, 0] }, { time = 1, at = [0, 0] }]\n");
    assert!(at == 2 && why.contains("later"), "{at}: {why}");
    assert!(line("[[boxes]]\nat = [1, 2]\ncolor = \"red\"\n").1.contains("#rrggbb"));
    let error = Surroundings::read("w.toml", "x = 1\n").unwrap_err().to_string();
    assert!(error.starts_with("w.toml:1: "), "{error}");
    let gone = Surroundings::open(std::path::Path::new("/no/such/world.toml")).unwrap_err().to_string();
    assert!(gone.starts_with("/no/such/world.toml cannot be read"), "{gone}");
}
