/** A value that is created on first use. If that fails, the next use tries again. */
export class Lazy<T> {
  private made: Promise<T> | null = null;

  constructor(private readonly make: () => Promise<T>) {}

  get(): Promise<T> {
    this.made ??= this.make().catch((error: unknown) => {
      this.made = null;
      throw error;
    });
    return this.made;
  }

  /** What was made, as soon as it is; null if nothing was, or if that failed. */
  async existing(): Promise<T | null> {
    return (await this.made?.catch(() => null)) ?? null;
  }
}
