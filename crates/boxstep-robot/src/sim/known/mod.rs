//! Services that have no code of their own, or little: what they remember, and what they answer in
//! a world where nobody and nothing is around the robot.

pub(crate) mod autonomy;
pub(crate) mod capture;
pub(crate) mod perception;
pub(crate) mod system;
