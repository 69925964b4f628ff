"""
Reads the files of `export --to jsonl` and `--to sft` with verl's two datasets: prompts to sample from, and chats to
imitate, which its SFT dataset reads as Parquet. Compares that every prompt is read as it was written, that every call
and answer of the agent is in the text that verl learns, and that no result of a tool is.
"""

import json
import sys
from pathlib import Path

import pandas
from omegaconf import OmegaConf
from transformers import AutoTokenizer
from verl.utils.dataset.multiturn_sft_dataset import MultiTurnSFTDataset
from verl.utils.dataset.rl_dataset import RLHFDataset

model, folder, sft, rollouts = sys.argv[1:]
compared, differences = 0, []
Path(folder).mkdir(exist_ok=True)


def compare(is_right, what):
    global compared
    compared += 1
    if not is_right:
        differences.append(what)


def lines(path):
    with open(path) as file:
        return [json.loads(line) for line in file]


def as_rows(chat):
    """Arguments as JSON text, which Qwen's template takes too: Parquet would give each call those of all tools."""
    rows = json.loads(json.dumps(chat))
    for message in rows:
        for call in message.get("tool_calls", []):
            call["function"]["arguments"] = json.dumps(call["function"]["arguments"])
    return rows


tokenizer = AutoTokenizer.from_pretrained(model)
config = OmegaConf.create({"cache_dir": f"{folder}/cache", "max_prompt_length": 2048, "filter_overlong_prompts": True})
written = lines(rollouts)
read = RLHFDataset(rollouts, tokenizer, config)
compare(len(read) == len(written), f"{len(read)} prompts instead of {len(written)}")
for line, row in zip(written, read, strict=True):
    compare(row["raw_prompt"] == line["prompt"], f"{row['raw_prompt']} instead of {line['prompt']}")

config = OmegaConf.create({"max_length": 4096, "ignore_input_ids_mismatch": True})
for path in (sft, rollouts):
    chats = [line.get("messages") or line["prompt"] + line["completion"] for line in lines(path)]
    parquet = f"{folder}/{Path(path).stem}.parquet"
    columns = {"messages": [as_rows(chat) for chat in chats], "tools": [line["tools"] for line in lines(path)]}
    pandas.DataFrame(columns).to_parquet(parquet)
    for chat, row in zip(chats, MultiTurnSFTDataset(parquet, tokenizer, config), strict=True):
        learned = tokenizer.decode(row["input_ids"][row["loss_mask"] == 1])
        shown = tokenizer.decode(row["input_ids"][row["attention_mask"] == 1])
        for message in chat:
            calls = [call["function"] for call in message.get("tool_calls", [])]
            parts = [json.dumps({"name": call["name"], "arguments": call["arguments"]}) for call in calls]
            for part in [message["content"], *parts]:
                compare(part in shown, f"{part} is not in {shown!r}")
                if message["role"] == "assistant":
                    compare(part in learned, f"{part} is not learned in {learned!r}")
        compare("<tool_response>" not in learned, f"a result is learned in {learned!r}")
print(json.dumps({"compared": compared, "differences": differences[:3]}))
