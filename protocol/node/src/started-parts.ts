/** A part of a program that starts and stops. */
export interface Part {
  start?(): unknown;
  stop?(): unknown;
}

/** Parts that start in their order and stop in the opposite one; a start that fails undoes what was started before it. */
export class StartedParts {
  readonly #started: Part[] = [];

  async start(parts: readonly Part[]): Promise<void> {
    for (const part of parts) {
      try {
        await part.start?.();
      } catch (error) {
        await this.stop();
        throw error;
      }
      this.#started.push(part);
    }
  }

  /** Stops at any time. A part that fails to stop does not prevent the others from stopping. */
  async stop(): Promise<void> {
    const faults: unknown[] = [];
    for (let part = this.#started.pop(); part; part = this.#started.pop()) {
      try {
        await part.stop?.();
      } catch (error) {
        faults.push(error);
      }
    }
    if (faults.length > 0) throw faults[0];
  }
}
