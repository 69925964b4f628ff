/**
 * Three mistakes that published trainers made, as switches: switch one on and see in the numbers what it does. Each is
 * named for what goes wrong and carries the sentence that says so. They are for showing and testing only: nothing
 * switches one on by itself.
 */
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
