"""Turns of the episodes that `eval --out` wrote."""

import json


def sampled_turns(path):
    """Prompt, tokens and their log-probs of each. A step that continues has what is new in its prompt only."""
    with open(path) as file:
        for line in file:
            before = []
            for step in json.loads(line)["steps"]:
                prompt = (before if step["continues"] else []) + step["promptTokens"]
                before = prompt + step["tokens"]
                yield prompt, step["tokens"], step["logProbs"]
