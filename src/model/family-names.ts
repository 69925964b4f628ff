/** Names of the families of models in a config. The first is that of a config that names none. */
export const familyNames = ['transformer'] as const;

export type FamilyName = (typeof familyNames)[number];
