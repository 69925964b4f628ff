"""Plays the episodes of a file through OpenEnv's clients and compares all that they are told."""

import asyncio
import json
import sys

from openenv import GenericEnvClient
from openenv.core.mcp_client import MCPToolClient

address, path = sys.argv[1:]
compared, differences = 0, []


def compare(what, got, expected):
    global compared
    compared += 1
    if got != expected:
        differences.append(f"{what}: {got!r} instead of {expected!r}")


async def play(client, episode):
    result = await client.reset(split=episode["split"], index=episode["index"], seed=0)
    compare("prompt", result.observation["prompt"], episode["prompt"])
    for step, call in enumerate(episode["calls"]):
        action = {"type": "call_tool", "tool_name": call["name"], "arguments": call["input"]}
        result = await client.step(action)
        end = call.get("end")
        compare("text", result.observation["result"], call["text"])
        compare("done", result.done, end is not None)
        compare("reward", result.reward, end["reward"] if end else None)
        compare("steps", (await client.state())["step_count"], step + 1)


async def play_by_tools(client, episode):
    await client.reset(split=episode["split"], index=episode["index"], seed=0)
    compare("answer", "answer" in [tool.name for tool in await client.list_tools()], True)
    for call in episode["calls"]:
        if "name" not in call["input"]:
            compare("text", await client.call_tool(call["name"], **call["input"]), call["text"])


async def main():
    with open(path) as file:
        episodes = json.load(file)
    for base in [address, f"{address}/openenv"]:
        for episode in episodes:
            async with GenericEnvClient(base_url=base) as client:
                await play(client, episode)
        async with MCPToolClient(base_url=base) as client:
            await play_by_tools(client, episodes[0])


asyncio.run(main())
print(json.dumps({"compared": compared, "differences": differences[:5]}))
