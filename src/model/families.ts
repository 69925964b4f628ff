/** Families of models by their names in a config. A new one is a folder, a name in family-names.ts and a line here. */
import { familyNames, type FamilyName } from './family-names';
import type { ModelFamily } from './model';
import { transformerFamily } from './transformer/family';

const families: Readonly<Record<FamilyName, ModelFamily>> = { transformer: transformerFamily };

/** The family that a config's model belongs to. */
export function familyOf({ family = familyNames[0] }: { readonly family?: FamilyName }): ModelFamily {
  return families[family];
}
