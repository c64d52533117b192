"""What every flow in Python needs: the service, and a report of steps."""

import os
import time
from pathlib import Path

origin = os.environ["ASSAY_ORIGIN"]
nip = os.environ["ASSAY_NIP"]
token = os.environ["ASSAY_TOKEN"]
certificate = os.environ["ASSAY_CERTIFICATE"]
key = os.environ["ASSAY_KEY"]
# Two valid invoices, never sent before.
invoices = [Path(path).read_bytes() for path in os.environ["ASSAY_INVOICES"].split(",")]


def expect_equal(found, expected, what):
    if found != expected:
        raise AssertionError(f"{what}: expected {expected}, received {found}")


def poll(look, done, seconds=30):
    end = time.monotonic() + seconds
    while True:
        found = look()
        if done(found) or time.monotonic() > end:
            return found
        time.sleep(0.1)


def run(steps):
    """Runs the steps in order and prints a line for each; a step that fails does not end the others."""
    for step, perform in steps.items():
        try:
            perform()
            print(f"ok {step}", flush=True)
        except Exception as error:
            reason = (str(error) or type(error).__name__).splitlines()[0]
            print(f"failed {step}: {reason}", flush=True)
