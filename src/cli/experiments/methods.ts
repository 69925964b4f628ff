/**
 * Question asked: which algorithm learns to search as often as a question takes, up to three times, and does it carry
 * to four searches? The paper found every kind of reinforcement far above naive retrieval (the weakest 2.5 times), GRPO
 * best on average. Its models have billions of parameters and its questions are HotpotQA's, so ranks can be compared
 * with it and values cannot.
 */
import type { ExperimentFile } from '../experiment/plan';
import type { AlgorithmName } from '../../algorithms/table';
import { algorithmRow, comparedAlgorithms } from '../experiment/algorithm-row';

/** What the paper measured. */
const paper: Readonly<Partial<Record<AlgorithmName, number>>> = { ppo: 0.3719, grpo: 0.3877 };

/** Learning rates that `methods-rates` found best; the others’ is 8e-4. */
const rates: Readonly<Partial<Record<AlgorithmName, number>>> = {
  grpo: 1.6e-3,
  gspo: 1.6e-3,
  rloo: 1.6e-3,
  gigpo: 1.6e-3,
  reinforce: 1.6e-3,
  'reinforce-pp': 1.6e-3,
  'step-ppo': 1.6e-3,
};

export const experiment: ExperimentFile = {
  name: 'methods',
  title: 'Methods on multi-hop questions',
  question:
    'Which algorithm learns to search as often as a question takes, up to three times, and does what it learnt ' +
    'carry to questions that take four searches? Held-out questions are of the same kind as those trained on, in ' +
    'new worlds; none is one of training. One search with the question cannot answer a bridge of two searches or ' +
    'more: the second row is the most that any reader of it can reach. All runs of a seed but imitation of ' +
    'successful demonstrations share a warm start and begin with nearly the same rollouts. Each has its best of ' +
    'five learning rates on another seed (`methods-rates`): the one with the largest area under sampled success, ' +
    'of those that end at most two points below the best. Expert iteration has the preset’s.',
  paper: {
    source: 'Agent-R1 (arXiv 2511.14460, first version), exact match on multi-hop questions',
    finding: 'the weakest algorithm scored 2.5 times naive RAG; GRPO .3877 and PPO .3719 against .1328.',
  },
  finding:
    'GRPO, GSPO, RLOO, GiGPO, REINFORCE++ and expert iteration learn to search as often as a question takes (means ' +
    'of 97.8 to 98.5 %, at least 93.8 % on each of five seeds), and carry it to four searches, which no question ' +
    'of training takes (means of 95.8 to 98.7 %, at least 88 % on each seed). The others do on most seeds, and ' +
    'where one fails out of distribution it is behind in distribution, too: REINFORCE on two seeds (74.6 and 68.0 ' +
    '%, out of distribution 46.1 and 48.4) at a rate that was best on another seed, PPO on one (70.3 and 39.1), ' +
    'StepPO on one (86.3 and 73.4). PPO rises later than GRPO on each seed (area under practice 73 % against 87 ' +
    '%); its critic learns alone in the first 1 to 4 iterations, and its best rate is half of GRPO’s: on the seed ' +
    'of `methods-rates` the areas are 82 % for PPO, 88 for GRPO at that rate and 92 at its own. Its critic ' +
    'explains .1 to .5 of the variance of returns in iterations 3 to 10, and at most .13 from iteration 11 on ' +
    '(medians over the three to five seeds whose returns differ), but .5 to .9 from iteration 14 on on the seed ' +
    'where PPO fails. Imitating only the demonstrations that succeed ends at 100 % of both on every seed: where ' +
    'success of a demonstration can be told, this task does not need reinforcement.',
  base: 'multi-hop',
  reference: 'grpo',
  seeds: 5,
  changes: { 'warmStart.recorded': false, iterations: 20, 'evaluation.tasks': 256, 'evaluation.every': 1000 },
  rows: [
    { name: 'naive-rag', title: 'Naive RAG (scripted)', kind: 'script', policy: 'naive-rag', paper: 0.1328 },
    { name: 'any-reader', title: 'Any reader of that search (upper bound)', kind: 'script', policy: 'any-reader' },
    { name: 'warm', title: 'Warm start', kind: 'imitate' },
    { name: 'best-of-8', title: 'Warm start, any of 8 samples (oracle upper bound)', kind: 'best-of-8' },
    { name: 'successful', title: 'Imitation of successful demonstrations', kind: 'imitate-successful' },
    { name: 'expert', title: 'Expert iteration', kind: 'expert-iteration' },
    ...comparedAlgorithms.map((name) =>
      algorithmRow(name, {
        changes: { 'optimizer.learningRate': rates[name] ?? 8e-4 },
        ...(paper[name] && { paper: paper[name] }),
      }),
    ),
  ],
};
