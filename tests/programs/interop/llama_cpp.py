"""
Writes the model that `export --to model` wrote as GGUF, loads it in llama.cpp, and compares the log-probs of sampled
tokens with those of a file of episodes. llama.cpp is the one that xllamacpp carries.
"""

import json
import os
import sys
from itertools import islice

import gguf
import numpy as np
import xllamacpp
from sampled_turns import sampled_turns
from safetensors.numpy import load_file

merged, episodes = sys.argv[1:]
max_turns = 4
tolerance = 2e-2


def read(name):
    with open(os.path.join(merged, name)) as file:
        return json.load(file)


config, tokenizer = read("config.json"), read("tokenizer.json")
kind, size = config["model_type"], config["vocab_size"]
heads, kv_heads = config["num_attention_heads"], config["num_key_value_heads"]
head_size = config.get("head_dim") or config["hidden_size"] // heads

writer = gguf.GGUFWriter(os.path.join(merged, "model.gguf"), kind)
writer.add_block_count(config["num_hidden_layers"])
writer.add_context_length(config["max_position_embeddings"])
writer.add_embedding_length(config["hidden_size"])
writer.add_feed_forward_length(config["intermediate_size"])
writer.add_head_count(heads)
writer.add_head_count_kv(kv_heads)
writer.add_key_length(head_size)
writer.add_value_length(head_size)
writer.add_rope_dimension_count(head_size)
writer.add_rope_freq_base(config["rope_theta"])
writer.add_layer_norm_rms_eps(config["rms_norm_eps"])
writer.add_vocab_size(size)
added = {token["id"]: token["content"] for token in tokenizer["added_tokens"]}
known = {id: token for token, id in tokenizer["model"]["vocab"].items()} | added
writer.add_tokenizer_model("gpt2")
writer.add_tokenizer_pre("qwen2")
writer.add_token_list([known.get(id, f"[PAD{id}]") for id in range(size)])
types = gguf.TokenType
writer.add_token_types(
    [types.CONTROL if id in added else types.NORMAL if id in known else types.UNUSED for id in range(size)]
)
merges = [merge if isinstance(merge, str) else " ".join(merge) for merge in tokenizer["model"]["merges"]]
# It wants some; only ids are given to it, so nothing is merged.
writer.add_token_merges(merges or ["! !"])
names = gguf.get_tensor_name_map(
    {value: key for key, value in gguf.MODEL_ARCH_NAMES.items()}[kind], config["num_hidden_layers"]
)
for name, numbers in load_file(os.path.join(merged, "model.safetensors")).items():
    numbers = numbers.astype(np.float32)
    turned = {"q_proj": heads, "k_proj": kv_heads}.get(name.split(".")[-2])
    if kind == "llama" and turned:
        # There pairs of a rotation stand side by side.
        halves = numbers.reshape(turned, 2, head_size // 2, *numbers.shape[1:])
        numbers = halves.swapaxes(1, 2).reshape(numbers.shape)
    writer.add_tensor(names.get_name(name, try_suffixes=(".weight", ".bias")), np.ascontiguousarray(numbers))
writer.write_header_to_file()
writer.write_kv_data_to_file()
writer.write_tensors_to_file()
writer.close()

params = xllamacpp.CommonParams()
params.model.path = os.path.join(merged, "model.gguf")
params.n_ctx, params.n_parallel, params.warmup = 1024, 1, False
params.cpuparams.n_threads = 1
params.flash_attn_type = xllamacpp.llama_flash_attn_type.LLAMA_FLASH_ATTN_TYPE_DISABLED
params.cache_type_k = params.cache_type_v = xllamacpp.ggml_type.GGML_TYPE_F32
server = xllamacpp.Server(params)


letter = tokenizer["model"]["vocab"]["a"]


def log_probs(ids):
    """Of every token behind these, before sampling: the server tells them if a whole character is sampled then."""
    asked = {"prompt": ids, "n_predict": 1, "n_probs": size, "temperature": 1.0, "logit_bias": [[letter, 1e6]]}
    answer = server.handle_completions(asked)
    found = answer["choices"][0]["logprobs"]["content"][0]["top_logprobs"]
    # What pads the vocabulary is never sampled.
    own = {each["id"]: each["logprob"] for each in found if each["id"] in known}
    total = np.logaddexp.reduce(list(own.values()))
    return {id: log_prob - total for id, log_prob in own.items()}


compared, largest = 0, 0.0
for prompt, tokens, log_probs_told in islice(sampled_turns(episodes), max_turns):
    for at, (token, told) in enumerate(zip(tokens, log_probs_told)):
        found = log_probs(prompt + tokens[:at])[token]
        largest = max(largest, abs(found - told))
        compared += 1
differences = [] if compared > 0 and largest <= tolerance else [f"a log-prob differs by {largest}"]
print(json.dumps({"compared": compared, "differences": differences, "largest": largest}))
os._exit(0)
