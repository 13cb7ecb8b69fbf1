import { Fault } from '@hlid/protocol/base/fault';
import { type Client, type Config, createClient, type Transaction } from '@libsql/client';
import { drizzle } from 'drizzle-orm/libsql';
import { type Logger, pino } from 'pino';
import { Announcements } from './announcements.ts';
import { beginWriting } from './begin-writing.ts';
import type { Announced, Db, Queries, Tx } from './db.ts';
import { migrateRemote } from './migrate-remote.ts';
import { ReadsInHand } from './reads-in-hand.ts';
import { withRunText } from './run-text.ts';
import { withoutValues } from './sqlite-fault.ts';

/**
 * No statement of this program takes longer; a server that does not answer may be back long before the connection
 * ends by itself.
 */
const ANSWER_MS = 30_000;

/**
 * Opens a database at a libSQL server (`libsql://`, `https://`, `http://`), migrated first. Every query is a request:
 * use cases are the same as on the embedded one, only slower. Throws Fault `database-unusable`.
 */
export async function openRemoteDb(
  at: { url: string; token: string | null },
  options: { log?: Logger; answerMs?: number } = {},
): Promise<Db> {
  const log = options.log ?? pino({ level: 'silent' });
  const migrating = createClient(accessOf(at));
  try {
    // A statement of a migration takes as long as it takes.
    await migrateRemote(migrating, log);
  } finally {
    migrating.close();
  }
  return new RemoteDb(clientOf(at, options.answerMs), log);
}

/** A copy of that database at another server, which is behind by some moments; only for reading. */
export function openReplica(at: { url: string; token: string | null }): Pick<Db, 'read' | 'close'> {
  return new RemoteDb(clientOf(at), pino({ level: 'silent' }));
}

function accessOf({ url, token }: { url: string; token: string | null }): Config {
  return { url, ...(token === null ? {} : { authToken: token }) };
}

function clientOf(at: { url: string; token: string | null }, answerMs = ANSWER_MS): Client {
  return createClient({ ...accessOf(at), fetch: (request: Request) => fetchInTime(request, answerMs) });
}

/** Throws Fault `deadline-passed` where the server does not begin its answer in time. */
async function fetchInTime(request: Request, answerMs: number): Promise<Response> {
  const slow = new AbortController();
  const timer = setTimeout(
    () => slow.abort(new Fault('deadline-passed', 'the database server did not answer in time')),
    answerMs,
  );
  try {
    return await fetch(request, { signal: slow.signal });
  } finally {
    clearTimeout(timer);
  }
}

class RemoteDb implements Db {
  readonly #client: Client;
  readonly #announcements: Announcements;
  readonly #reads = new ReadsInHand();
  #lastWrite: Promise<unknown> = Promise.resolve();

  constructor(client: Client, log: Logger) {
    this.#client = client;
    this.#announcements = new Announcements(log);
  }

  read<T>(work: (q: Queries) => Promise<T>): Promise<T> {
    return this.#reads.track(() => this.#readOn(work));
  }

  async #readOn<T>(work: (q: Queries) => Promise<T>): Promise<T> {
    const transaction = await this.#client.transaction('read');
    try {
      return await work(queriesOn(transaction));
    } catch (error) {
      throw withoutValues(error);
    } finally {
      transaction.close();
    }
  }

  write<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    this.#reads.refuseIfClosed();
    const writing = this.#lastWrite.then(() => this.#transact(work));
    this.#lastWrite = writing.catch(() => undefined);
    return writing;
  }

  async #transact<T>(work: (tx: Tx) => Promise<T>): Promise<T> {
    const transaction = await beginWriting(this.#client);
    try {
      const { tx, committed } = this.#announcements.transaction(queriesOn(transaction));
      const result = await work(tx);
      await transaction.commit();
      committed();
      return result;
    } catch (error) {
      // Waited for, so that the next write finds its turn; without the server there is nothing left to roll back.
      await transaction.rollback().catch(() => undefined);
      throw withoutValues(error);
    } finally {
      transaction.close();
    }
  }

  onAnnounced(listener: Announced): () => void {
    return this.#announcements.on(listener);
  }

  announced(names: ReadonlySet<string>): void {
    this.#announcements.announced(names);
  }

  async close(): Promise<void> {
    if (!(await this.#reads.close(this.#lastWrite))) return;
    this.#client.close();
  }
}

/** Drizzle on a transaction that is open: its driver asks of a client no more than `execute` here. */
function queriesOn(transaction: Transaction): Queries {
  const client = {
    execute: (statement: Parameters<Transaction['execute']>[0]) => transaction.execute(statement),
  };
  return withRunText(drizzle({ client: client as unknown as Client }), async (text, values) => {
    await transaction.execute({ sql: text, args: values });
  });
}
