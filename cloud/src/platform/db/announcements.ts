import { messageOf } from '@hlid/protocol/base/fault';
import type { Logger } from 'pino';
import { EVENTS } from '../events.ts';
import type { Announced, Queries, Tx } from './db.ts';

/** Passes announcements of transactions to their listeners, once they are durable. */
export class Announcements {
  readonly #log: Logger;
  readonly #listeners = new Set<Announced>();

  constructor(log: Logger) {
    this.#log = log;
  }

  on(listener: Announced): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Another process has announced something. */
  announced(names: ReadonlySet<string>): void {
    for (const listener of this.#listeners) this.#run(() => listener(names, 'elsewhere'));
  }

  /** A transaction on these queries, and what to call once it is durable. */
  transaction(q: Queries): { tx: Tx; committed(): void } {
    const actions: (() => void)[] = [];
    const names = new Set<string>();
    const tx: Tx = {
      q,
      afterCommit: (action) => void actions.push(action),
      announce: (name) => void names.add(name),
    };
    const committed = () => {
      for (const action of actions) this.#run(action);
      if (names.size === 0) return;
      for (const listener of this.#listeners) this.#run(() => listener(names, 'here'));
    };
    return { tx, committed };
  }

  /** A commit stays valid, even when its announcement fails. */
  #run(action: () => void): void {
    try {
      action();
    } catch (error) {
      const message = messageOf(error);
      this.#log.error({ event: EVENTS.afterCommitFailed, err: error, message }, 'after commit');
    }
  }
}
