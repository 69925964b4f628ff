/** Hands out training tasks to clients that do not say which. */
export class TaskQueue {
  private taken = 0;

  constructor(private readonly tasks: number) {}

  next(): number {
    return this.taken++ % this.tasks;
  }
}
