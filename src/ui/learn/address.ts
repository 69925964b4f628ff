/** The addresses of the lessons. */

/** What `#/learn…` shows: the list, the page for teachers, or the lesson of a number, from 1. */
export type LearnView = 'list' | 'teachers' | number;

export function learnView(hash: string, lessons: number): LearnView {
  const name = /^#\/learn\/([a-z0-9]+)/.exec(hash)?.[1];
  if (name === 'teachers') return name;
  const number = Number(name);
  return Number.isInteger(number) && number >= 1 && number <= lessons ? number : 'list';
}

export const addressOf = (view: LearnView): string => (view === 'list' ? '#/learn' : `#/learn/${view}`);
