//! Runs of robots for ROS 2, without ROS.
