"""
Reads the files of `export --to sft` and `--to jsonl` as TRL does, renders each chat with a template of Qwen, and lets
SFTTrainer imitate both. Compares that every call and result of a chat is in its text.
"""

import json
import os
import sys

model, output, *paths = sys.argv[1:]
os.environ["HF_HUB_OFFLINE"] = "1"

import torch  # noqa: E402
from datasets import load_dataset  # noqa: E402
from transformers import AutoTokenizer  # noqa: E402
from trl import SFTConfig, SFTTrainer  # noqa: E402

torch.set_num_threads(1)
compared, differences = 0, []
tokenizer = AutoTokenizer.from_pretrained(model)
for path in paths:
    rows = load_dataset("json", data_files=path, split="train", cache_dir=f"{output}/cache")
    columns = {"messages", "prompt", "completion", "tools"} & set(rows.column_names)
    with open(path) as file:
        lines = [json.loads(line) for line in file]
    for line, row in zip(lines, rows, strict=True):
        written = line.get("messages") or line["prompt"] + line["completion"]
        read = row.get("messages") or row["prompt"] + row["completion"]
        text = tokenizer.apply_chat_template(read, tools=row["tools"], tokenize=False)
        for message in written:
            parts = [message["content"]] + [
                json.dumps({"name": call["function"]["name"], "arguments": call["function"]["arguments"]})
                for call in message.get("tool_calls", [])
            ]
            for part in parts:
                compared += 1
                if part not in text:
                    differences.append(f"{part} is not in {text!r}")
    trainer = SFTTrainer(
        model=model,
        args=SFTConfig(
            output_dir=output,
            max_steps=2,
            per_device_train_batch_size=2,
            report_to=[],
            use_cpu=True,
            bf16=False,
            save_strategy="no",
        ),
        processing_class=tokenizer,
        train_dataset=rows.select_columns(sorted(columns)),
    )
    trainer.train()
print(json.dumps({"compared": compared, "differences": differences[:3]}))
