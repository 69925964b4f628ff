/** Which lessons were finished in this browser: all their questions answered rightly. Works without storage. */
import { readStored, writeStored } from '../../base/stored';

const key = 'agentlet.lessons';

class LessonProgress {
  /** Numbers of lessons. */
  #finished = $state.raw<readonly number[]>(finishedIn(readStored(key)));

  has(lesson: number): boolean {
    return this.#finished.includes(lesson);
  }

  finish(lesson: number): void {
    if (this.has(lesson)) return;
    this.#finished = [...this.#finished, lesson];
    writeStored(key, this.#finished.join(' '));
  }

  clear(): void {
    this.#finished = [];
    writeStored(key, '');
  }
}

function finishedIn(stored: string | null): number[] {
  return [...new Set((stored ?? '').split(' ').map(Number))].filter((each) => Number.isInteger(each) && each > 0);
}

export const progress = new LessonProgress();
