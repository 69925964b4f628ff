"""
Trains a tiny random Qwen2 with TRL's GRPOTrainer on a served world, which it knows by its address alone, after it has
imitated some calls; saves it as it was before. Prints the rewards that each rollout of each step got and the mean that
TRL logged for the step.
"""

import json
import os
import sys

address, output, *words = sys.argv[1:]
os.environ["OPENREWARD_API_URL"] = address
os.environ["OPENREWARD_SESSION_URL"] = address
os.environ["HF_HUB_OFFLINE"] = "1"
os.environ["TRL_EXPERIMENTAL_SILENCE"] = "1"

import torch  # noqa: E402
from tiny_qwen import imitate, make_model, make_tokenizer  # noqa: E402
from trl import GRPOConfig, GRPOTrainer  # noqa: E402
from trl.experimental.openreward import OpenRewardSpec  # noqa: E402

torch.manual_seed(0)
torch.set_num_threads(1)

spec = OpenRewardSpec(address, num_tasks=4)
rewards = []


def recorded_rewards(environments, **columns):
    values = spec.reward_funcs(environments, **columns)
    rewards.append(values)
    return values


tokenizer = make_tokenizer(words)
model = make_model(tokenizer)
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
imitate(model, tokenizer, prompts, words)
for part in [model, tokenizer]:
    part.save_pretrained(f"{output}/imitated")
trainer.train()
logged = [entry["reward"] for entry in trainer.state.log_history if "reward" in entry]
print(json.dumps({"rewards": rewards, "logged": logged}))
