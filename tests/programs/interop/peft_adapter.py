"""
Loads the adapter of a run on its model with peft, and the model that `export --to model` wrote, and compares the
log-probs of sampled tokens with those of a file of episodes. Prints the largest differences too.
"""

import json
import os
import sys

model, run, merged, episodes = sys.argv[1:]
os.environ["HF_HUB_OFFLINE"] = "1"

import torch  # noqa: E402
from peft import PeftModel  # noqa: E402
from sampled_turns import sampled_turns  # noqa: E402
from transformers import AutoModelForCausalLM, AutoTokenizer  # noqa: E402

torch.set_num_threads(1)
compared, differences = 0, []
size = len(AutoTokenizer.from_pretrained(model))


def load(folder):
    return AutoModelForCausalLM.from_pretrained(folder, dtype=torch.float32)


def log_probs(network, prompt, tokens):
    """Of tokens that the tokenizer has: what pads the vocabulary is never sampled."""
    with torch.no_grad():
        logits = network(torch.tensor([prompt + tokens])).logits[0, len(prompt) - 1 : -1, :size]
    return torch.log_softmax(logits.double(), -1).gather(-1, torch.tensor(tokens)[:, None])[:, 0]


networks = {"peft": (PeftModel.from_pretrained(load(model), run), 2e-4), "merged": (load(merged), 2e-2)}
base = load(model)
largest = dict.fromkeys([*networks, "base"], 0.0)


for prompt, tokens, log_probs_told in sampled_turns(episodes):
    told = torch.tensor(log_probs_told, dtype=torch.float64)
    for name, (network, tolerance) in networks.items():
        distance = (log_probs(network, prompt, tokens) - told).abs().max().item()
        largest[name] = max(largest[name], distance)
        compared += 1
        if not distance <= tolerance:
            differences.append(f"{name}: a log-prob differs by {distance}")
    distance = (log_probs(base, prompt, tokens) - told).abs().max().item()
    largest["base"] = max(largest["base"], distance)
# The adapter must matter, or nothing was compared.
compared += 1
if largest["base"] < 0.05:
    differences.append(f"the model without its adapter differs by {largest['base']} only")
print(json.dumps({"compared": compared, "differences": differences[:5], "largest": largest}))
