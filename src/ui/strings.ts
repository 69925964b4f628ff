/**
 * The catalogue of the page's words, as types: what a translation must say. The English words stand beside the code
 * that shows them, in files that export `text`. A translation is one file, `translations/LANGUAGE.ts`, with one export
 * for each of these keys: `export const labText: Strings['labText'] = { … }`. A key is the path of its file.
 * `cli/build/translation-plugin.ts` builds the page with them.
 */
export interface Strings {
  readonly chartsText: Words<typeof import('./charts/text').text>;
  readonly editorText: Words<typeof import('./editor/text').text>;
  readonly estimatorsText: Words<typeof import('./estimators/text').text>;
  readonly estimatorsImportedText: Words<typeof import('./estimators/imported/text').text>;
  readonly estimatorsPanelText: Words<typeof import('./estimators/panel-text').text>;
  readonly exportText: Words<typeof import('./export/text').text>;
  readonly galleryText: Words<typeof import('./gallery/text').text>;
  readonly healthText: Words<typeof import('./health/text').text>;
  readonly labText: Words<typeof import('./lab/text').text>;
  readonly learnText: Words<typeof import('./learn/text').text>;
  /** Links, figures and tables of a lesson are those of the English one. */
  readonly learnLessonsText: Words<
    typeof import('./learn/lessons-text').text,
    'kind' | 'link' | 'preset' | 'curve' | 'table' | 'rows'
  >;
  readonly learnTeachersText: Words<typeof import('./learn/teachers-text').text>;
  readonly paletteText: Words<typeof import('./palette/text').text>;
  readonly queueText: Words<typeof import('./queue/text').text>;
  readonly resultsText: Words<typeof import('./results/text').text>;
  readonly resultsLoadText: Words<typeof import('./results/load-text').text>;
  readonly resultsPanelText: Words<typeof import('./results/panel-text').text>;
  readonly rewardsText: Words<typeof import('./rewards/text').text>;
  readonly rolloutsText: Words<typeof import('./rollouts/text').text>;
  readonly runsText: Words<typeof import('./runs/text').text>;
  readonly setupText: Words<typeof import('./setup/text').text>;
  readonly setupFieldsText: Required<typeof import('./setup/fields-text').text>;
  readonly shareText: Words<typeof import('./share/text').text>;
  readonly shareDialogText: Words<typeof import('./share/dialog-text').text>;
  readonly shellShortcutsText: Words<typeof import('./shell/shortcuts-text').text>;
  readonly shellText: Words<typeof import('./shell/text').text>;
  readonly shellPageText: Words<typeof import('./shell/page-text').text>;
  readonly shellWebgpuText: Words<typeof import('./shell/webgpu-text').text>;
  readonly trainerText: Words<typeof import('./trainer/text').text>;
  readonly travelText: Words<typeof import('./travel/text').text>;
}

/** The same keys and parameters, with any words. @template Code keys whose strings are no words */
export type Words<T, Code extends PropertyKey = never> = T extends string
  ? string
  : T extends (...parameters: infer Parameters) => infer Result
    ? (...parameters: Parameters) => Words<Result, Code>
    : { readonly [Key in keyof T]: Key extends Code ? T[Key] : Words<T[Key], Code> };
