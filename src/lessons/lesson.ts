/** What a lesson is made of. Its texts may hold `*a term*` where it is introduced, and code between backticks. */

/** A run that a figure trains: its name there, and its settings as a link of the Lab has them. */
export interface LessonRun {
  readonly label: string;
  readonly link: string;
}

/** A picture that the engine, a recording or a table of results fills. */
export type Figure =
  /** The same recorded task, answered before training and after it. */
  | { readonly kind: 'before-after'; readonly preset: string }
  /** Runs that are trained here, one after the other, and a curve of each. */
  | {
      readonly kind: 'train';
      readonly runs: readonly LessonRun[];
      readonly curve: 'success' | 'turns';
      /** Lists a group of the last step. */
      readonly attempts?: true;
    }
  /** A recorded group of attempts whose rewards can be moved: the advantages follow. */
  | { readonly kind: 'advantages'; readonly rewards?: readonly number[] }
  /** The tokens of one attempt, after a step of each of these runs. */
  | { readonly kind: 'tokens'; readonly runs: readonly LessonRun[] }
  /** The clipped loss of one token. */
  | { readonly kind: 'clip' }
  /** Rows of an experiment's table. */
  | { readonly kind: 'results'; readonly table: string; readonly rows: readonly string[] }
  /** How much a recorded attempt has to read at each turn. */
  | { readonly kind: 'context'; readonly preset: string };

export interface Section {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly figure?: Figure;
  /** Below the figure. */
  readonly after?: readonly string[];
}

/** A guess first; then a figure that answers. */
export interface Prediction {
  readonly question: string;
  readonly guesses: readonly string[];
  readonly figure: Figure;
  /** What to look for in the figure, and why it is so. */
  readonly answer: string;
}

export interface Choice {
  readonly text: string;
  /** Said when it is chosen. */
  readonly why: string;
  readonly right?: true;
}

export interface Check {
  readonly question: string;
  readonly choices: readonly Choice[];
}

export interface Lesson {
  readonly title: string;
  /** For the list of lessons, in a sentence. */
  readonly about: string;
  readonly sections: readonly Section[];
  readonly prediction: Prediction;
  readonly checks: readonly Check[];
  readonly lab: {
    readonly sentence: string;
    /** Settings of the Lab's address: what follows `#/lab?`. */
    readonly link: string;
  };
}
