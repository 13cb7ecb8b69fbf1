import { Fault, isFault } from '@hlid/protocol/base/fault';

/** A result, or the fault of the bytes: in words, never with the bytes, which may be a card's. */
export type Reading<T> = { ok: true; value: T } | { ok: false; problem: string };

/** A fault among the readers of a frame; `attempt` makes a value of it. */
export function misread(problem: string): Fault {
  return new Fault('peer-misbehaved', problem);
}

export function attempt<T>(read: () => T): Reading<T> {
  try {
    return { ok: true, value: read() };
  } catch (error) {
    if (!isFault(error, 'peer-misbehaved')) throw error;
    return { ok: false, problem: error.message };
  }
}
