/**
 * The loop on the real thing: the built-in calculator in its QuickJS sandbox, with its own tasks, demonstrations and
 * rewards.
 */
import { beforeAll, describe, expect, it } from 'vitest';
import { demonstrationTrajectories } from '../../src/agent/demonstrations';
import type { Demonstration, EnvironmentDescription } from '../../src/agent/env';
import { AgentEnvLoop } from '../../src/agent/env-loop';
import { EnvironmentClient } from '../../src/agent/environment-client';
import type { Sandbox } from '../../src/agent/sandbox';
import { ToolEnv } from '../../src/agent/tool-env';
import { builtInEnvironments } from '../../src/environments/built-in';
import { bpeTokenizer } from '../../src/text/bpe-tokenizer';
import { trainBpe } from '../../src/text/bpe-training';
import { byteTokenizer } from '../../src/text/byte-tokenizer';
import { characterTokenizer } from '../../src/text/character-tokenizer';
import { specialTokenChat, stopTokens } from '../../src/text/chat-template';
import type { Tokenizer } from '../../src/text/tokenizer';
import { toolFormats } from '../../src/text/tool-formats/by-name';
import type { ToolFormat } from '../../src/text/tool-formats/tool-format';
import { appendContext } from '../helpers/append-context';
import { openLocal } from '../sandbox/open';

let sandbox: Sandbox;
let description: EnvironmentDescription;
let demonstrations: Demonstration[];

beforeAll(async () => {
  sandbox = await openLocal(builtInEnvironments.calculator);
  const client = new EnvironmentClient(sandbox);
  description = await client.describe();
  demonstrations = await client.demonstrate(await client.tasks('train', 1, 0, 64, { operations: 2, max: 99 }), 1);
});

function replay(
  demos: readonly Demonstration[],
  tokenizer: Tokenizer,
  format: ToolFormat,
  contextLength: number,
  maxTokens: number,
) {
  const env = new ToolEnv({
    chatFormat: specialTokenChat,
    description,
    sandbox,
    tokenizer,
    format,
    context: appendContext,
    observationLimit: 256,
  });
  return demonstrationTrajectories(demos, new AgentEnvLoop(env, tokenizer, format, specialTokenChat), {
    sampling: { temperature: 1, topK: 0, topP: 1, maxTokens, stopTokens, seed: 1, iteration: 0 },
    maxTurns: 4,
    rewardWeights: Object.fromEntries(Object.entries(description.rewards).map(([term, { weight }]) => [term, weight])),
    tokenizer,
    format,
    tools: description.tools,
    contextLength,
  });
}

describe('the calculator', () => {
  it.each(['character', 'byte', 'bpe'] as const)(
    'plays its own demonstrations in every format, %s tokens',
    async (kind) => {
      for (const format of Object.values(toolFormats)) {
        const tokenizer =
          kind === 'character'
            ? characterTokenizer(description.alphabet + format.alphabet(description.tools))
            : kind === 'byte'
              ? byteTokenizer()
              : bpeTokenizer(
                  trainBpe(
                    [format.describeTools(description.tools), ...demonstrations.map(({ task }) => task.prompt)],
                    320,
                  ),
                );
        const trajectories = await replay(demonstrations, tokenizer, format, 2048, 128);
        expect(trajectories.every(({ success, end, reward }) => end === 'answer' && reward === (success ? 1 : 0))).toBe(
          true,
        );
        trajectories.forEach(({ answer }, i) => expect(demonstrations[i].turns.at(-1)).toEqual({ answer }));
        expect(trajectories.every(({ steps }) => steps.every(({ error }) => error === undefined))).toBe(true);
      }
    },
  );

  it('fits its compact episodes of two operations into 96 tokens and its turns into 16', async () => {
    const { compact } = toolFormats;
    const tokenizer = characterTokenizer(description.alphabet + compact.alphabet(description.tools));
    const trajectories = await replay(demonstrations, tokenizer, compact, 96, 16);
    expect(trajectories.every(({ end }) => end === 'answer')).toBe(true);
    expect(trajectories.some(({ success }) => success)).toBe(true);
  });

  it('tells an agent in its own words what was wrong with a call', async () => {
    const { compact } = toolFormats;
    const tokenizer = characterTokenizer(description.alphabet + compact.alphabet(description.tools));
    const [{ task }] = demonstrations;
    const turns = [{ calls: [{ name: 'calc', arguments: { expression: '1+2+3' } }] }, { answer: '0' }];
    const [trajectory] = await replay([{ task, turns }], tokenizer, compact, 200, 16);
    expect(trajectory.steps[0].toolCalls).toEqual([
      {
        ...turns[0].calls![0],
        result: 'error: one operation at a time, like 37*4',
        error: 'tool-error',
        fuel: expect.any(Number) as unknown,
      },
    ]);
    expect(trajectory.steps[1].rewards).toEqual({ correct: 0, calls: 0, wasted: 1 });
    const shown = tokenizer.decode(trajectory.steps[1].prompt);
    expect(shown).toContain('error: one operation at a time, like 37*4');
    expect(shown).not.toContain('\uFFFD');
  });
});
