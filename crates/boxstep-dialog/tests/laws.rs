//! Laws that hold for all topics and sentences.

mod hostile;
