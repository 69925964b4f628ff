"""Reads the event files of a folder with TensorBoard's own reader and prints its scalars: tag, then step and value."""

import json
import sys

from tensorboard.backend.event_processing.event_accumulator import EventAccumulator

events = EventAccumulator(sys.argv[1])
events.Reload()
scalars = {tag: [[each.step, each.value] for each in events.Scalars(tag)] for tag in events.Tags()["scalars"]}
print(json.dumps(scalars))
