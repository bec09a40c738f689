//! What a joint is for, from its name: `LShoulderPitch`, `l_sho_pitch` and `left_shoulder_pitch_joint` are the same.

/// The side of the body.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Side {
    Left,
    Right,
    Middle,
}

/// The part of the body that a joint turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Part {
    Head,
    Shoulder,
    Elbow,
    Wrist,
    Hand,
    /// Between legs and torso: a waist, or the hip of a robot without legs.
    Waist,
    Hip,
    Knee,
    Ankle,
}

/// The axis about which a joint turns its part.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Turn {
    Roll,
    Pitch,
    Yaw,
    /// The name says none, or two.
    Other,
}

/// What a joint is for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Role {
    pub(super) side: Side,
    pub(super) part: Part,
    pub(super) turn: Turn,
}

impl Role {
    /// Returns the role of the joint with this name; `None` if the name says none.
    pub(super) fn of(name: &str) -> Option<Self> {
        let mut side = Side::Middle;
        let mut part = None;
        let mut turns = Vec::new();
        for word in words(name) {
            match &*word {
                // `L_HIP_P` has letters for axes, and `R_HIP_R` one letter for both.
                "p" if part.is_some() => turns.push(Turn::Pitch),
                "r" if part.is_some() && turns.is_empty() => turns.push(Turn::Roll),
                "y" if part.is_some() => turns.push(Turn::Yaw),
                "l" | "left" => side = Side::Left,
                "r" | "right" => side = Side::Right,
                "pitch" | "tilt" => turns.push(Turn::Pitch),
                "roll" => turns.push(Turn::Roll),
                "yaw" | "pan" => turns.push(Turn::Yaw),
                other => part = part.or_else(|| of_word(other)),
            }
        }
        let part = match part? {
            Part::Hip if side == Side::Middle => Part::Waist,
            part => part,
        };
        let turn = match (&*turns, part) {
            ([turn], _) => *turn,
            ([], Part::Knee) => Turn::Pitch,
            ([], Part::Waist) => Turn::Yaw,
            _ => Turn::Other,
        };
        Some(Self { side, part, turn })
    }

    /// Returns whether the joint belongs to the arm of this side, without its hand.
    pub(super) fn is_arm(self, side: Side) -> bool {
        self.side == side && matches!(self.part, Part::Shoulder | Part::Elbow | Part::Wrist)
    }

    /// Returns whether the joint belongs to one of two legs.
    pub(super) fn is_leg(self) -> bool {
        self.side != Side::Middle && matches!(self.part, Part::Hip | Part::Knee | Part::Ankle)
    }

    /// Returns whether the joint bends the only leg or the waist of a robot.
    pub(super) fn is_column(self) -> bool {
        self.side == Side::Middle && matches!(self.part, Part::Waist | Part::Knee)
    }
}

fn of_word(word: &str) -> Option<Part> {
    Some(match word {
        "head" | "neck" => Part::Head,
        "shoulder" | "sho" | "shldr" => Part::Shoulder,
        "elbow" | "el" | "elb" => Part::Elbow,
        "wrist" | "wri" => Part::Wrist,
        "hand" | "gripper" => Part::Hand,
        "waist" | "torso" | "trunk" => Part::Waist,
        "hip" => Part::Hip,
        "knee" => Part::Knee,
        "ankle" | "ank" => Part::Ankle,
        _ => return None,
    })
}

/// Returns the words of a name, in lower case. Words begin at capitals and after other signs.
fn words(name: &str) -> Vec<String> {
    let mut words = vec![String::new()];
    let letters: Vec<char> = name.chars().collect();
    for (at, letter) in letters.iter().enumerate() {
        let before = at.checked_sub(1).and_then(|at| letters.get(at));
        let after = letters.get(at + 1);
        let begins = letter.is_uppercase()
            && (before.is_some_and(|c| !c.is_uppercase()) || after.is_some_and(|c| c.is_lowercase()));
        if !letter.is_alphabetic() || begins {
            words.push(String::new());
        }
        if letter.is_alphabetic()
            && let Some(word) = words.last_mut()
        {
            word.extend(letter.to_lowercase());
        }
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    fn role(name: &str) -> (Side, Part, Turn) {
        let role = Role::of(name).unwrap();
        (role.side, role.part, role.turn)
    }

    #[test]
    fn names_of_many_makers_mean_the_same() {
        for name in ["LShoulderPitch", "l_sho_pitch", "left_shoulder_pitch_joint", "Left_Shoulder_Pitch"] {
            assert_eq!(role(name), (Side::Left, Part::Shoulder, Turn::Pitch), "{name}");
        }
        for name in ["HeadYaw", "head_pan", "AAHead_yaw", "neck_yaw_joint"] {
            assert_eq!(role(name), (Side::Middle, Part::Head, Turn::Yaw), "{name}");
        }
        assert_eq!(role("right_knee_joint"), (Side::Right, Part::Knee, Turn::Pitch));
        assert_eq!(role("R_HIP_R"), (Side::Right, Part::Hip, Turn::Roll));
        assert_eq!(role("ankle_pitch_r"), (Side::Right, Part::Ankle, Turn::Pitch));
        assert_eq!(role("HipPitch"), (Side::Middle, Part::Waist, Turn::Pitch));
        assert_eq!(role("Waist"), (Side::Middle, Part::Waist, Turn::Yaw));
        assert_eq!(role("LHipYawPitch"), (Side::Left, Part::Hip, Turn::Other));
        assert_eq!(role("r_el"), (Side::Right, Part::Elbow, Turn::Other));
        assert_eq!(Role::of("WheelFL"), None);
    }
}
