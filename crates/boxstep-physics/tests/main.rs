//! Tests of the crate.
use boxstep_bodies::BodyKind;
use boxstep_dynamics::{Model, Physics, STEP, Start, Vector3};
use boxstep_physics::Robot;
#[test]
fn stands() {
    for kind in BodyKind::ALL {
        let model = Model::new(kind.body());
        let stand = model.awake();
        let full = vec![1.0; stand.len()];
        let mut robot = Robot::new(&model, &Start::standing(&model, &stand));
        let begun = std::time::Instant::now();
        for k in 0..1250 { robot.step(&stand, &full); if k % 125 == 0 { println!("  {:.4} {:?}", robot.speed(), robot.torso().translation.vector); } }
        let e = begun.elapsed().as_secs_f64();
        let off = (0..stand.len()).filter_map(|j| Some((robot.angle(j)? - stand[j]).abs())).fold(0.0, f64::max);
        let t = robot.torso();
        println!("{kind} {:.1}x  worst joint {off:.4} z {:.4} eul {:?} feet {:?} m {} speed {}", 5.0/e, t.translation.z, t.rotation.euler_angles(), robot.soles(), model.mass()*9.81, robot.speed());
        for push in [0.5, 1.0, 2.0, 4.0] {
            let mut robot = Robot::new(&model, &Start::standing(&model, &stand));
            robot.push(0, Vector3::new(push * model.mass() / 5.3, 0.0, 0.0));
            print!("push {push}: ");
            for k in 0..1500 { robot.step(&stand, &full); if k % 125 == 0 { print!(" {:.3}/{:.2}", robot.torso().translation.z, robot.speed()); } }
            println!();
        }
        let none = vec![0.0; stand.len()];
        let mut robot = Robot::new(&model, &Start::standing(&model, &stand));
        print!("limp: ");
        for k in 0..1500 { robot.step(&stand, &none); if k % 125 == 0 { print!(" {:.3}/{:.2}", robot.torso().translation.z, robot.speed()); } }
        println!();
        let _ = STEP;
    }
}
