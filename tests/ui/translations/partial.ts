/** A translation of two files of words: what takes its words from them can be built, the page cannot. */
import type { Strings } from '../../../src/ui/strings';

export const resultsLoadText: Strings['resultsLoadText'] = {
  answered: (url, status) => `${url} antwortet ${status}.`,
  otherFormat: (url) => `${url} hat ein anderes Format.`,
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
