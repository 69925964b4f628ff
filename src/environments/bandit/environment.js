/**
 * Two-armed bandit: one step, no tool, noisy pay. The agent names an arm, and a coin weighted in favour of one of them
 * decides what it earns. The optimum is known, so an algorithm is judged by whether it finds it and stays there.
 */

const arms = ['left', 'right'];
const best = 'right';
/** Tables differ only by their number, which says nothing of their arms. */
const tables = 9999;

/** @type {import('agentlet').Meta} */
export const meta = {
  title: 'Two-armed bandit',
  task: 'Two slot machines: learn which one pays more often.',
  watch: 'At first the agent picks at random. Watch it settle on the machine that pays more often.',
  rewards: {
    best: { description: 'The better arm was pulled: what it should learn, not what it is paid.', weight: 0 },
    pay: { description: 'What the arm paid: 1 or 0, by chance.', weight: 1 },
  },
  options: [
    {
      name: 'odds',
      title: 'Odds',
      description: 'How often the better arm pays, in percent; the other pays as often as it does not.',
      values: [60, 70, 80, 90, 100],
      default: 80,
    },
  ],
  alphabet: [...new Set('table 0123456789 ' + arms.join(' '))].sort().join(''),
  words: ['table', ...arms],
  examples: ['table 17', 'table 2048'],
};

/** @type {never[]} */
export const tools = [];

/** @param {import('agentlet').Random} rng @param {import('agentlet').Split} _split @param {{ odds: number }} options */
export function tasks(rng, _split, { odds }) {
  return { prompt: `table ${rng.integer(1, tables)}`, data: { odds } };
}

/** @param {import('agentlet').Outcome} outcome @returns {import('agentlet').Score} */
export function reward({ task, answer }) {
  const arm = answer?.trim();
  if (arm === undefined || !arms.includes(arm)) return { success: false, best: 0, pay: 0 };
  const success = arm === best;
  const odds = success ? task.data.odds : 100 - task.data.odds;
  return { success, best: Number(success), pay: Math.random() * 100 < odds ? 1 : 0 };
}

/** Either arm, as a newcomer does. @returns {import('agentlet').Turn[]} */
export function demonstrate() {
  return [{ answer: arms[Math.floor(Math.random() * arms.length)] }];
}

/** @type {import('agentlet').Policies} */
export const policies = {
  oracle: () => [{ answer: best }],
  random: demonstrate,
  /** Nothing shown tells the arms apart. */
  reflex: demonstrate,
};

/** The two machines, and what the one that was pulled paid. @type {import('agentlet').Draw} */
export function draw({ data }, _, { answer, rewards }) {
  const pulled = answer?.trim();
  const paid = (rewards.pay ?? 0) > 0;
  const machines = arms.flatMap((arm, i) => {
    const x = 20 + 140 * i;
    const isPulled = arm === pulled;
    const odds = arm === best ? data.odds : 100 - data.odds;
    const role = isPulled ? 'agent' : 'muted';
    return [
      { kind: 'rectangle', x, y: 30, width: 100, height: 90, radius: 10, role, fill: isPulled ? 'soft' : 'outline' },
      { kind: 'text', x: x + 50, y: 8, align: 'middle', size: 14, bold: true, role, text: arm },
      { kind: 'rectangle', x: x + 18, y: 46, width: 64, height: 30, radius: 4, role, fill: 'outline' },
      { kind: 'text', x: x + 50, y: 53, align: 'middle', size: 16, role, text: isPulled ? (paid ? '+1' : '0') : '?' },
      {
        kind: 'line',
        role,
        points: [
          [x + 100, 60],
          [x + 112, isPulled ? 84 : 40],
        ],
      },
      { kind: 'circle', id: arm, x: x + 112, y: isPulled ? 84 : 40, radius: 6, role },
      { kind: 'text', x: x + 50, y: 88, align: 'middle', size: 11, text: 'pays' },
      { kind: 'text', x: x + 50, y: 102, align: 'middle', size: 11, text: `${odds} in 100` },
      ...(isPulled && paid ? [{ kind: 'circle', x: x + 50, y: 136, radius: 11, role: 'object' }] : []),
      ...(isPulled
        ? [{ kind: 'text', x: x + 50, y: 152, align: 'middle', role, text: paid ? 'paid' : 'paid nothing' }]
        : []),
    ];
  });
  return {
    width: 290,
    height: 176,
    words: pulled === undefined ? 'Two slot machines.' : `The agent pulled ${pulled}, which paid ${paid ? 1 : 0}.`,
    shapes: machines,
  };
}
