import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Db } from '@hlid/cloud/platform/db/db';
import { openRemoteDb } from '@hlid/cloud/platform/db/remote-db';
import { sql } from 'drizzle-orm';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HranaServer, startHranaServer } from './hrana-server.ts';

let folder: string;
let server: HranaServer;
let db: Db;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-hrana-'));
  server = await startHranaServer(join(folder, 'remote.db'));
  db = await openRemoteDb(server, { answerMs: 300 });
});
afterEach(async () => {
  await db.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

const read = () => db.read(async (q) => await q.all(sql`SELECT 1 AS one`));
const write = () => db.write(async ({ q }) => await q.run(sql`CREATE TABLE IF NOT EXISTS trial (id)`));

it('a server that is silent is not waited for without end, by readers or by writers', async () => {
  server.setSilent(true);
  const inTime = { message: expect.stringContaining('the database server did not answer in time') };
  await expect(read()).rejects.toMatchObject(inTime);
  await expect(write()).rejects.toMatchObject(inTime);
  server.setSilent(false);
  expect(await read()).toEqual([{ one: 1 }]);
  await write();
});
