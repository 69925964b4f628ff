"""
A tiny random Qwen2 whose tokenizer has bytes, Qwen's tags, and a token for each part of a call of `answer`. So that it
calls a tool at all, it imitates calls of `answer` with one of the given words.
"""

from pathlib import Path

import torch
import trl
from tokenizers import Tokenizer, decoders, models, pre_tokenizers
from transformers import PreTrainedTokenizerFast, Qwen2Config, Qwen2ForCausalLM

tags = ["<|im_start|>", "<tool_call>", "</tool_call>", "<tool_response>", "</tool_response>", "<think>", "</think>"]
opening, closing = '\n{"name": "answer", "arguments": {"text": "', '"}}\n'


def make_tokenizer(words):
    vocabulary = {byte: i for i, byte in enumerate(sorted(pre_tokenizers.ByteLevel.alphabet()))}
    tokenizer = Tokenizer(models.BPE(vocab=vocabulary, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    fast.add_tokens([*tags, opening, closing, *words])
    templates = Path(trl.__file__).parent / "chat_templates"
    fast.chat_template = (templates / "qwen3.jinja").read_text()
    return fast


def make_model(tokenizer):
    return Qwen2ForCausalLM(
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


def imitate(model, tokenizer, prompts, words):
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
