//! robot
