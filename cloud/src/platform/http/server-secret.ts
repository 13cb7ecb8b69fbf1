import { randomBytes } from 'node:crypto';
import { type Clock, nowUtc } from '@hlid/node/clock';
import type { Db } from '../db/db.ts';
import { eq } from '../db/sql.ts';
import { serverSecretTable as t } from './server-secret-table.ts';

/** A secret that all clouds on one database share. It is made when it is first needed, and never changes. */
export class ServerSecret {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #name: string;
  #secret: Promise<string> | null = null;

  constructor({ db, clock }: { db: Db; clock: Clock }, name: string) {
    this.#db = db;
    this.#clock = clock;
    this.#name = name;
  }

  async get(): Promise<string> {
    this.#secret ??= this.#load();
    try {
      return await this.#secret;
    } catch (error) {
      this.#secret = null;
      throw error;
    }
  }

  async #load(): Promise<string> {
    const find = async () =>
      (await this.#db.read(async (q) => await q.select().from(t).where(eq(t.name, this.#name)).get()))
        ?.secret;
    const known = await find();
    if (known !== undefined) return known;
    const row = {
      name: this.#name,
      secret: randomBytes(32).toString('base64url'),
      createdAt: nowUtc(this.#clock),
    };
    // Another process may be faster.
    await this.#db.write(async ({ q }) => void (await q.insert(t).values(row).onConflictDoNothing()));
    return (await find()) ?? row.secret;
  }
}
