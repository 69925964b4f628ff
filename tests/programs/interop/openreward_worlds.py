"""Plays the episodes of a file through the openreward SDK and compares all that it is told."""

import json
import os
import sys

address, path = sys.argv[1:]
os.environ["OPENREWARD_API_URL"] = address
os.environ["OPENREWARD_SESSION_URL"] = address

from openreward import OpenReward  # noqa: E402
from openreward.api.errors import ToolCallError  # noqa: E402

compared, differences = 0, []


def compare(what, got, expected):
    global compared
    compared += 1
    if got != expected:
        differences.append(f"{what}: {got!r} instead of {expected!r}")


with open(path) as file:
    episodes = json.load(file)
with OpenReward(api_key="none") as client:
    world = client.environments.get("env")
    for episode in episodes:
        with world.session(split=episode["split"], index=episode["index"]) as session:
            blocks = session.get_prompt()
            compare("prompt", blocks[0].text, episode["prompt"])
            compare("images", len(blocks) - 1, len(episode["images"]))
            for call in episode["calls"]:
                output = session.call_tool(call["name"], call["input"])
                end = call.get("end")
                compare("text", output.blocks[0].text, call["text"])
                compare("finished", output.finished, end is not None)
                compare("reward", output.reward, end["reward"] if end else None)
                if end:
                    compare("success", output.metadata["success"], end["success"])
            try:
                session.call_tool(call["name"], call["input"])
                differences.append("a call after the end was taken")
            except ToolCallError as error:
                compare("after the end", error.reason, "episode_finished")
print(json.dumps({"compared": compared, "differences": differences[:5]}))
