"""
Trains a language model with TRL's GRPOTrainer on Ray, in a world that `agentlet serve` serves: python train.py

Every worker rolls out its own share of each batch, in sessions of its own at the server. The server answers only the
machine that it runs on, so on a cluster start it on every machine (launch.sh does): tasks are the same everywhere.
"""

import json
import os
from pathlib import Path

import ray
from ray.train import RunConfig, ScalingConfig
from ray.train.torch import TorchTrainer

folder = Path(__file__).resolve().parent


def train(config):
    for name in ["OPENREWARD_API_URL", "OPENREWARD_SESSION_URL"]:
        os.environ[name] = config["address"]
    os.environ.setdefault("TRL_EXPERIMENTAL_SILENCE", "1")

    from datasets import Dataset
    from trl import GRPOConfig, GRPOTrainer
    from trl.experimental.openreward import OpenRewardSpec

    spec = OpenRewardSpec(config["address"])
    output = Path(config["output"])
    output.mkdir(parents=True, exist_ok=True)
    rank = ray.train.get_context().get_world_rank()

    def reward(environments, **columns):
        """The rewards that the server gave, noted in a file for each worker."""
        rewards = spec.reward_funcs(environments, **columns)
        with open(output / f"rewards-{rank}.jsonl", "a") as file:
            file.write(json.dumps(rewards) + "\n")
        return rewards

    trainer = GRPOTrainer(
        model=config["model"],
        args=GRPOConfig(output_dir=str(output), **config["grpo"]),
        train_dataset=Dataset.from_list(config["rows"]),
        environment_factory=spec.environment_factory,
        reward_funcs=reward,
    )
    trainer.train()
    if rank == 0:
        trainer.save_model(str(output / "model"))
        (output / "log.json").write_text(json.dumps(trainer.state.log_history))


def main():
    config = json.loads((folder / "config.json").read_text())
    config["rows"] = [json.loads(line) for line in (folder / "rows.jsonl").read_text().splitlines()]
    config["output"] = str(folder / config["output"])
    scaling = ScalingConfig(num_workers=config["workers"], use_gpu=config["gpus"])
    TorchTrainer(
        train,
        train_loop_config=config,
        scaling_config=scaling,
        run_config=RunConfig(storage_path=config["output"]),
    ).fit()


if __name__ == "__main__":
    main()
