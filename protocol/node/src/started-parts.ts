import { Fault } from '@hlid/protocol/base/fault';
import { withTimeout } from './with-timeout.ts';

/** A part of a program that starts and stops. */
export interface Part {
  /** The name in messages; absent: the name of its class. */
  readonly name?: string;
  start?(): unknown;
  stop?(): unknown;
}

/** Parts that start in their order and stop in the opposite one; a start that fails undoes what was started before it. */
export class StartedParts {
  readonly #started: Part[] = [];
  #stopping: Part | null = null;

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
      this.#stopping = part;
      try {
        await part.stop?.();
      } catch (error) {
        faults.push(error);
      }
    }
    this.#stopping = null;
    if (faults.length > 0) throw faults[0];
  }

  /** Stops. Throws Fault `deadline-passed` with the names of the parts that have not stopped within the timeout. */
  async stopWithin(timeoutMs: number): Promise<void> {
    await withTimeout(this.stop(), timeoutMs, () => {
      const [first, ...others] = this.#unstopped();
      const rest = others.length > 0 ? `, and after it ${others.join(', ')}` : '';
      throw new Fault('deadline-passed', `not stopped within ${timeoutMs} ms: ${first ?? 'nothing'}${rest}`);
    });
  }

  /** The names of the parts that have not stopped, in the order in which they stop. */
  #unstopped(): string[] {
    const waiting = this.#started.filter(({ stop }) => stop !== undefined).toReversed();
    return [this.#stopping, ...waiting].flatMap((part) => (part === null ? [] : nameOf(part)));
  }
}

function nameOf(part: Part): string {
  return part.name ?? part.constructor.name;
}
