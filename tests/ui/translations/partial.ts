/** A translation of two files of words: what takes its words from them can be built, the page cannot. */
import type { Strings } from '../../../src/ui/strings';

export const resultsPanelText: Strings['resultsPanelText'] = {
  title: 'Versuche',
  summary: 'Einstellungen im Vergleich',
  offline: 'ein Teil der Seite fehlt',
  loading: 'Einen Moment…',
  answered: (url, status) => `${url} antwortet ${status}.`,
  otherFormat: (url) => `${url} hat ein anderes Format.`,
  problem: (reason) => `Das geht nicht: ${reason}`,
};

export const trainerText: Strings['trainerText'] = {
  silent: 'es blieb still',
  notLoaded: 'es war nicht zu laden',
  sandbox: {
    silent: 'keine Antwort',
    fault: (reason) => `Es begann nicht: ${reason}.`,
    notLoaded: 'Es war nicht zu laden.',
    closed: 'Es war schon zu.',
  },
};
