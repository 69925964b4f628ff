"""
Steps of a model with random weights and a LoRA adapter in eager PyTorch, by transformers and peft. Reads lines, and
answers each with a line: `train`, or `decode ROWS`, with milliseconds; the first, the settings as JSON, with facts.
"""

import json
import os
import sys
import time

os.environ["HF_HUB_OFFLINE"] = "1"
# Threads that wait must not take the cores of what is timed in between.
os.environ["OMP_WAIT_POLICY"] = "PASSIVE"
os.environ["KMP_BLOCKTIME"] = "0"

import torch  # noqa: E402
import transformers  # noqa: E402
from peft import LoraConfig, get_peft_model  # noqa: E402
from transformers import AutoConfig, AutoModelForCausalLM, DynamicCache  # noqa: E402

settings = json.loads(sys.stdin.readline())
torch.set_num_threads(settings["threads"])
torch.manual_seed(1)
transformers.logging.set_verbosity_error()
config = AutoConfig.for_model(**settings["config"])
model = AutoModelForCausalLM.from_config(config, dtype=torch.float32)
lora = LoraConfig(r=settings["rank"], lora_alpha=settings["alpha"], target_modules="all-linear", lora_dropout=0.0)
model = get_peft_model(model, lora)
trained = [parameter for parameter in model.parameters() if parameter.requires_grad]
optimizer = torch.optim.AdamW(trained, lr=1e-4, weight_decay=0.0)


def train():
    tokens = torch.randint(config.vocab_size, (settings["rows"], settings["length"] + 1))
    start = time.perf_counter()
    logits = model(input_ids=tokens[:, :-1], use_cache=False).logits
    loss = torch.nn.functional.cross_entropy(logits.flatten(0, 1), tokens[:, 1:].flatten())
    loss.backward()
    torch.nn.utils.clip_grad_norm_(trained, 1.0)
    optimizer.step()
    optimizer.zero_grad()
    return time.perf_counter() - start


@torch.no_grad()
def decode(rows):
    cache = DynamicCache()
    prompt = torch.randint(config.vocab_size, (rows, settings["prompt"]))
    model(input_ids=prompt[:, :-1], past_key_values=cache, use_cache=True, logits_to_keep=1)
    token = prompt[:, -1:]
    start = time.perf_counter()
    for _ in range(settings["steps"]):
        logits = model(input_ids=token, past_key_values=cache, use_cache=True).logits[:, -1]
        token = torch.multinomial(torch.softmax(logits, -1), 1)
    return (time.perf_counter() - start) / settings["steps"]


facts = {"version": torch.__version__, "trained": sum(parameter.numel() for parameter in trained)}
print(json.dumps(facts), flush=True)
for line in sys.stdin:
    name, *rows = line.split()
    print(1000 * (train() if name == "train" else decode(*map(int, rows))), flush=True)
