"""
Plays the episodes of a file in verifiers' taskset `openenv`, whose agent asks a model over HTTP: here one that says the
calls of the file. Compares what the agent is told with the file, and the rewards that verifiers wrote down.
"""

import json
import os
import sys
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

address, path, output = sys.argv[1:]
with open(path) as file:
    episodes = json.load(file)
compared, differences = 0, []


def compare(what, got, expected):
    global compared
    compared += 1
    if got != expected:
        differences.append(f"{what}: {got!r} instead of {expected!r}")


def text_of(content):
    return content if isinstance(content, str) else "".join(part.get("text", "") for part in content)


def next_action(messages):
    """The call that the file has for this turn; checks what the turns before it were told."""
    told = [json.loads(text_of(m["content"]))["observation"] for m in messages if m["role"] == "user"]
    episode = next(each for each in episodes if each["prompt"] == told[0]["prompt"])
    if len(told) > 1:
        compare("text", told[-1]["result"], episode["calls"][len(told) - 2]["text"])
    call = episode["calls"][len(told) - 1]
    return {"type": "call_tool", "tool_name": call["name"], "arguments": call["input"]}


class Model(BaseHTTPRequestHandler):
    def do_POST(self):
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        message = {"role": "assistant", "content": json.dumps(next_action(request["messages"]))}
        streams = request.get("stream", False)
        part = {"index": 0, "delta" if streams else "message": message, "finish_reason": "stop"}
        kind = "chat.completion.chunk" if streams else "chat.completion"
        usage = {"prompt_tokens": 1, "completion_tokens": 1, "total_tokens": 2}
        reply = {"id": "1", "object": kind, "created": 0, "model": request["model"], "usage": usage, "choices": [part]}
        text = json.dumps(reply)
        body = (f"data: {text}\n\ndata: [DONE]\n\n" if streams else text).encode()
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream" if streams else "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


model = ThreadingHTTPServer(("127.0.0.1", 0), Model)
threading.Thread(target=model.serve_forever, daemon=True).start()
os.environ["MODEL_KEY"] = "none"
resets = [{"split": each["split"], "index": each["index"], "seed": 0} for each in episodes]
config = {
    "env": {
        "taskset": {"id": "openenv", "base_url": f"{address}/openenv", "resets": resets},
        "player": {"harness": {"id": "null"}, "runtime": {"type": "subprocess"}},
    },
    "client": {"base_url": f"http://127.0.0.1:{model.server_port}/v1", "api_key_var": "MODEL_KEY"},
    "model": "scripted",
    "push": False,
    "output_dir": output,
    "run": {"dir": "run"},
}
Path(output).mkdir(parents=True, exist_ok=True)
Path(output, "eval.json").write_text(json.dumps(config))

from verifiers.v1.cli.eval.main import main  # noqa: E402

main(["@", str(Path(output, "eval.json")), "--no-rich"])
given = {}
for line in Path(output, "run", "traces.jsonl").read_text().splitlines():
    entry = json.loads(line)
    given[entry["task"]["data"]["idx"]] = entry["traces"][0]["rewards"]["openenv_reward"]["score"]
for i, episode in enumerate(episodes):
    compare("reward", given.get(i), episode["calls"][-1]["end"]["reward"])
print(json.dumps({"compared": compared, "differences": differences[:5]}))
