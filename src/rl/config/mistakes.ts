/** Three mistakes of published trainers as switches, off by default, to show what they do to the numbers. */
export interface Mistakes {
  readonly creditReset: boolean;
  readonly rewardOnToolToken: boolean;
  readonly wrongGroups: boolean;
}

export const mistakeLabels: Readonly<Record<keyof Mistakes, { readonly title: string; readonly sentence: string }>> = {
  creditReset: {
    title: 'Credit reset at environment tokens',
    sentence:
      'REINFORCE++ starts its sum anew at every environment token, so only the last turn is credited with the outcome.',
  },
  rewardOnToolToken: {
    title: 'Reward on a tool token',
    sentence:
      'A step’s reward is put on the last token of its row, and where that is a tool’s token, the mask drops it.',
  },
  wrongGroups: {
    title: 'Wrong group ids',
    sentence:
      'Every rollout is a group of its own, so nothing is compared and the baseline is gone: GRPO becomes plain REINFORCE.',
  },
};
