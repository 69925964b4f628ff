/** Which parts of the Lab are in sight: all that its address does not hide, some of them behind tabs. Pure. */

export const partNames = ['intro', 'setup', 'curves', 'rollouts', 'reader', 'chat', 'health', 'results'] as const;
export type PartName = (typeof partNames)[number];

type Parts = ReadonlySet<PartName>;

export interface PartTab {
  readonly name: Exclude<PartName, 'intro' | 'setup' | 'results'>;
  readonly parts: readonly PartName[];
}

/** On a wide page the reader, the chat and the health share one side; on a phone everything is behind a tab. */
const wideTabs: readonly PartTab[] = (['reader', 'chat', 'health'] as const).map((name) => ({ name, parts: [name] }));
const narrowTabs: readonly PartTab[] = [
  { name: 'curves', parts: ['curves', 'health'] },
  { name: 'rollouts', parts: ['rollouts', 'reader'] },
  { name: 'chat', parts: ['chat'] },
];

/** @param hide names with commas between, from the address. @param present for a room: only what there is to look at */
export function partsOf(hide: string, present: boolean): Parts {
  const hidden = new Set(hide.split(','));
  const all = present ? (['curves', 'reader'] as const) : partNames;
  return new Set(all.filter((name) => !hidden.has(name)));
}

/** Tabs of which nothing is left are not there. */
export function tabsOf(parts: Parts, narrow: boolean): readonly PartTab[] {
  return (narrow ? narrowTabs : wideTabs)
    .map((tab) => ({ ...tab, parts: tab.parts.filter((part) => parts.has(part)) }))
    .filter((tab) => tab.parts.length > 0);
}

/** The tab of the part that was looked at last; the first if that part is behind none. */
export function tabOf(tabs: readonly PartTab[], part: PartName): PartTab | undefined {
  return tabs.find((tab) => tab.parts.includes(part)) ?? tabs[0];
}

/** Whether a part is there, and behind the open tab or behind none. */
export function isInSight(part: PartName, parts: Parts, tabs: readonly PartTab[], open: PartTab | undefined): boolean {
  return parts.has(part) && (open?.parts.includes(part) || !tabs.some((tab) => tab.parts.includes(part)));
}
