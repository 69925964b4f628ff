/**
 * A language for tests, named as pseudo-locales are: every English string in ⟦ ⟧, so that what stands outside of them
 * is in no catalogue.
 */
import { configFields } from '../../../src/rl/config/fields';
import { text as charts } from '../../../src/ui/charts/text';
import { text as editor } from '../../../src/ui/editor/text';
import { text as estimators } from '../../../src/ui/estimators/text';
import { text as estimatorsImported } from '../../../src/ui/estimators/imported/text';
import { text as estimatorsPanel } from '../../../src/ui/estimators/panel-text';
import { text as exported } from '../../../src/ui/export/text';
import { text as gallery } from '../../../src/ui/gallery/text';
import { text as health } from '../../../src/ui/health/text';
import { text as lab } from '../../../src/ui/lab/text';
import { text as learn } from '../../../src/ui/learn/text';
import { text as learnLessons } from '../../../src/ui/learn/lessons-text';
import { text as learnTeachers } from '../../../src/ui/learn/teachers-text';
import { text as palette } from '../../../src/ui/palette/text';
import { text as queue } from '../../../src/ui/queue/text';
import { text as results } from '../../../src/ui/results/text';
import { text as resultsLoad } from '../../../src/ui/results/load-text';
import { text as resultsPanel } from '../../../src/ui/results/panel-text';
import { text as rewards } from '../../../src/ui/rewards/text';
import { text as rollouts } from '../../../src/ui/rollouts/text';
import { text as runs } from '../../../src/ui/runs/text';
import { text as setup } from '../../../src/ui/setup/text';
import { text as share } from '../../../src/ui/share/text';
import { text as shareDialog } from '../../../src/ui/share/dialog-text';
import { text as shellShortcuts } from '../../../src/ui/shell/shortcuts-text';
import { text as shell } from '../../../src/ui/shell/text';
import { text as shellPage } from '../../../src/ui/shell/page-text';
import { text as shellWebgpu } from '../../../src/ui/shell/webgpu-text';
import { text as trainer } from '../../../src/ui/trainer/text';
import { text as travel } from '../../../src/ui/travel/text';
import type { Strings, Words } from '../../../src/ui/strings';

/** Keys in lessons whose strings are no words. */
const code = ['kind', 'link', 'preset', 'curve', 'table', 'rows'] as const;

/** The English words, each in ⟦ ⟧. @param kept keys whose values stay as they are */
function pseudo<T, Kept extends PropertyKey = never>(words: T, kept: readonly Kept[] = []): Words<T, Kept> {
  return marked(words, kept) as Words<T, Kept>;
}

function marked(words: unknown, kept: readonly PropertyKey[]): unknown {
  if (typeof words === 'string') return words === '' ? '' : `⟦${words}⟧`;
  if (typeof words === 'function') return (...parameters: unknown[]) => marked(words(...parameters), kept);
  if (Array.isArray(words)) return words.map((each) => marked(each, kept));
  if (typeof words !== 'object' || words === null) return words;
  return Object.fromEntries(
    Object.entries(words).map(([key, value]) => [key, kept.includes(key) ? value : marked(value, kept)]),
  );
}

export const chartsText: Strings['chartsText'] = pseudo(charts);
export const editorText: Strings['editorText'] = pseudo(editor);
export const estimatorsText: Strings['estimatorsText'] = pseudo(estimators);
export const estimatorsImportedText: Strings['estimatorsImportedText'] = pseudo(estimatorsImported);
export const estimatorsPanelText: Strings['estimatorsPanelText'] = pseudo(estimatorsPanel);
export const exportText: Strings['exportText'] = pseudo(exported);
export const galleryText: Strings['galleryText'] = pseudo(gallery);
export const healthText: Strings['healthText'] = pseudo(health);
export const labText: Strings['labText'] = pseudo(lab);
export const learnText: Strings['learnText'] = pseudo(learn);
export const learnLessonsText: Strings['learnLessonsText'] = pseudo(learnLessons, code);
export const learnTeachersText: Strings['learnTeachersText'] = pseudo(learnTeachers);
export const paletteText: Strings['paletteText'] = pseudo(palette);
export const queueText: Strings['queueText'] = pseudo(queue);
export const resultsText: Strings['resultsText'] = pseudo(results);
export const resultsLoadText: Strings['resultsLoadText'] = pseudo(resultsLoad);
export const resultsPanelText: Strings['resultsPanelText'] = pseudo(resultsPanel);
export const rewardsText: Strings['rewardsText'] = pseudo(rewards);
export const rolloutsText: Strings['rolloutsText'] = pseudo(rollouts);
export const runsText: Strings['runsText'] = pseudo(runs);
export const setupText: Strings['setupText'] = pseudo(setup);
export const setupFieldsText = Object.fromEntries(
  configFields().map(({ path, title, help, unit = '' }) => [path, pseudo({ title, help, unit })]),
) as Strings['setupFieldsText'];
export const shareText: Strings['shareText'] = pseudo(share);
export const shareDialogText: Strings['shareDialogText'] = pseudo(shareDialog);
export const shellShortcutsText: Strings['shellShortcutsText'] = pseudo(shellShortcuts);
export const shellText: Strings['shellText'] = pseudo(shell);
export const shellPageText: Strings['shellPageText'] = pseudo(shellPage);
export const shellWebgpuText: Strings['shellWebgpuText'] = pseudo(shellWebgpu);
export const trainerText: Strings['trainerText'] = pseudo(trainer);
export const travelText: Strings['travelText'] = pseudo(travel);
