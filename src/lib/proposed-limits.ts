/** Limits that an environment may propose for its runs, under the short names of the config's fields. */
export const limitRanges = { turns: [1, 64], context: [32, 1024], tokens: [1, 512] } as const;

export type LimitName = keyof typeof limitRanges;
export type ProposedLimits = Readonly<Partial<Record<LimitName, number>>>;

/** The parts of a config that have limits. */
interface Limited {
  readonly model: { readonly context: number };
  readonly rollout: { readonly maxTurns: number; readonly maxTokens: number };
}

/**
 * A config with proposed limits.
 * @param standard a limit in which the config differs from this one was set by a person and stays; null: none was
 */
export function withProposedLimits<C extends Limited>(
  config: C,
  proposed: ProposedLimits = {},
  standard: Limited | null = null,
): C {
  const [own, usual] = [limitsOf(config), limitsOf(standard ?? config)];
  const limit = (name: LimitName) => (own[name] === usual[name] ? (proposed[name] ?? own[name]) : own[name]);
  return {
    ...config,
    model: { ...config.model, context: limit('context') },
    rollout: { ...config.rollout, maxTurns: limit('turns'), maxTokens: limit('tokens') },
  };
}

const limitsOf = ({ model, rollout }: Limited): Record<LimitName, number> => ({
  turns: rollout.maxTurns,
  context: model.context,
  tokens: rollout.maxTokens,
});
