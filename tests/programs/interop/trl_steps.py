"""
Trains a tiny random Qwen2 with TRL's GRPOTrainer on a served world, which it knows by its address alone. So that the
model calls a tool at all, it first imitates calls of `answer` with one of the given words. Prints the rewards that each
rollout of each step got and the mean that TRL logged for the step.
"""

import json
import os
import sys
from pathlib import Path

address, output, *words = sys.argv[1:]
os.environ["OPENREWARD_API_URL"] = address
os.environ["OPENREWARD_SESSION_URL"] = address
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"

import torch  # noqa: E402
import trl  # noqa: E402
from tokenizers import Tokenizer, decoders, models, pre_tokenizers  # noqa: E402
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM  # noqa: E402
from trl import GRPOConfig, GRPOTrainer  # noqa: E402
from trl.experimental.openreward import OpenRewardSpec  # noqa: E402

torch.manual_seed(0)
torch.set_num_threads(1)
tags = ["<|im_start|>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>"]
opening, closing = '\n{"name": "answer", "arguments": {"text": "', '"}}\n'


def make_tokenizer():
    """Bytes, Qwen's tags, and a token for each part of a call of `answer`."""
    vocabulary = {byte: i for i, byte in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    fast.add_tokens([*tags, opening, closing, *words])
    templates = Path(trl.__file__).parent / "chat_templates"
    fast.chat_template = (templates / "qwen3.jinja").read_text()
    return fast


def imitate(model, tokenizer, prompts):
    """Until a call of `answer` is likely, with each word as likely as the others."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=3e-3)
    texts = [prompt + f"<tool_call>{opening}{word}{closing}</tool_call><|im_end|>" for prompt in prompts for word in words]
    batch = tokenizer(texts, return_tensors="pt", padding=True, padding_side="left")
    labels = batch["input_ids"].clone()
    labels[:, :-6] = -100
    for _ in range(120):
        optimizer.zero_grad()
        model(**batch, labels=labels).loss.backward()
        optimizer.step()


spec = OpenRewardSpec(address, num_tasks=4)
rewards = []


def recorded_rewards(environments, **columns):
    values = spec.reward_funcs(environments, **columns)
    rewards.append(values)
    return values


tokenizer = make_tokenizer()
model = Qwen2ForCausalLM(
    Qwen2Config(
        vocab_size=len(tokenizer),
        hidden_size=32,
        intermediate_size=64,
        num_hidden_layers=1,
        num_attention_heads=2,
        num_key_value_heads=1,
        max_position_embeddings=4096,
    )
)
trainer = GRPOTrainer(
    model=model,
    processing_class=tokenizer,
    args=GRPOConfig(
        output_dir=output,
        num_generations=4,
        per_device_train_batch_size=8,
        max_steps=3,
        max_completion_length=32,
        max_tool_calling_iterations=2,
        learning_rate=1e-3,
        logging_steps=1,
        report_to=[],
        use_cpu=True,
        bf16=False,
        save_strategy="no",
    ),
    train_dataset=spec.train_dataset,
    environment_factory=spec.environment_factory,
    reward_funcs=recorded_rewards,
)
environment = spec.environment_factory()
prompts = []
for index in range(4):
    messages = [{"role": "user", "content": environment.reset(task_index=index)}]
    prompts.append(
        tokenizer.apply_chat_template(messages, tools=trainer.tools, tokenize=False, add_generation_prompt=True)
    )
environment._close()
imitate(model, tokenizer, prompts)
trainer.train()
logged = [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]
print(json.dumps({"rewards": rewards, "logged": logged}))
