//! Laws that hold for all topics and sentences.

mod answers;
mod hostile;
mod model;
mod naive;
mod seeds;
mod steps;
