//! What every flow in Rust needs: the service, and a report of steps.
#![allow(dead_code)] // No flow needs all of it.

use std::env;
use std::fmt::Display;
use std::fs;

pub fn setting(name: &str) -> String {
    env::var(name).unwrap_or_else(|_| panic!("{name} is not set"))
}

/// Two valid invoices, never sent before.
pub fn invoices() -> Vec<String> {
    let paths = setting("ASSAY_INVOICES");
    let read = |path| fs::read_to_string(path).expect("an invoice that can be read");
    paths.split(',').map(read).collect()
}

pub fn expect_equal<T: PartialEq + Display>(found: T, expected: T, what: &str) -> Result<(), String> {
    if found == expected {
        return Ok(());
    }
    Err(format!("{what}: expected {expected}, received {found}"))
}

/// Prints the line of a step; a step that fails does not end the others.
pub fn report<T>(step: &str, outcome: Result<T, String>) -> Option<T> {
    match outcome {
        Ok(value) => {
            println!("ok {step}");
            Some(value)
        }
        Err(reason) => {
            println!("failed {step}: {}", reason.lines().next().unwrap_or("no reason"));
            None
        }
    }
}
