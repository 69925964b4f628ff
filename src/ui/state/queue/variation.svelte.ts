/** What the runs of an order differ in, as the form holds it: one setting and its values, or nothing but the seed. */
import { SvelteSet } from 'svelte/reactivity';
import type { RunConfig } from '../../../config/config';
import type { Field } from '../../../config/fields';
import { pathOf, valueAt } from '../../../config/edit';
import {
  formatValue,
  readValues,
  settingsToVary,
  type Kind,
  type Setting,
  type SettingGroup,
  type Value,
} from './order';
import { text } from './text';

export class Variation {
  kind = $state<Kind>('seeds');
  field = $state.raw<Setting | null>(null);
  /** Numbers with commas between. */
  written = $state('');
  /** The chosen ways of a choice or a switch. */
  readonly ticked = new SvelteSet<Value>();

  readonly groups = $derived.by(() =>
    this.kind === 'seeds' ? [] : settingsToVary(this.fields, this.kind, this.world),
  );
  /** All ways of the setting; empty for numbers. */
  readonly ways: readonly Value[] = $derived.by(() => {
    if (this.field?.kind === 'flag') return [true, false];
    return this.field?.choices ?? [];
  });
  /** Or a sentence: why there are none. */
  readonly values: readonly Value[] | string = $derived.by(() => {
    if (!this.field) return [];
    if (this.kind === 'number') return readValues(this.written, this.field);
    const chosen = this.ways.filter((way) => this.ticked.has(way));
    return chosen.length > 0 ? chosen : text.form.noWay;
  });

  constructor(
    private readonly config: RunConfig,
    private readonly fields: readonly Field[],
    private readonly world: readonly SettingGroup[] = [],
  ) {}

  choose(kind: Kind): void {
    this.kind = kind;
    this.vary(this.groups[0]?.fields[0]?.path ?? null);
  }

  /** Begins with the value of the base; of a choice or a switch, with another one, too. */
  vary(path: string | null): void {
    this.field = this.groups.flatMap(({ fields }) => fields).find((field) => field.path === path) ?? null;
    const now = ((this.field && valueAt(this.config, pathOf(this.field.path))) ?? this.field?.standard) as Value;
    this.written = this.kind === 'number' ? formatValue(now) : '';
    this.ticked.clear();
    const other = this.ways.find((way) => way !== now);
    for (const way of other === undefined ? [] : [now, other]) this.ticked.add(way);
  }

  tick(way: Value, on: boolean): void {
    if (on) this.ticked.add(way);
    else this.ticked.delete(way);
  }
}
