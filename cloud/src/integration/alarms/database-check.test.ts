import { closeSync, copyFileSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestApi, startScanThread, type TestApi } from '../../../test/api.ts';
import { addSampleVisits } from '../../../test/sample-visits.ts';
import { openConnection } from '../../platform/db/connection.ts';
import { WorkerScans } from '../../platform/db/worker-scans.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import { databaseCheck } from './database-check.ts';

const PAGE = 4096;
const now = '2026-11-22T12:00:00.000Z';
const { signal } = new AbortController();

let api: TestApi;
let folder: string;
beforeAll(async () => {
  api = await createTestApi();
  await addSampleVisits(api.db, { siteId: api.site.id, from: '2026-01-01T00:00:00.000Z', count: 500 });
  folder = mkdtempSync(join(tmpdir(), 'hlid-check-'));
});
afterAll(async () => {
  await api.close();
  rmSync(folder, { recursive: true });
});

/** The log lines about a database file, and the number of mails that wait because of it. */
async function check(path: string): Promise<{ logged: object[]; mails: number }> {
  const logged: object[] = [];
  const log = pino({ level: 'error' }, { write: (line) => void logged.push(JSON.parse(line)) });
  const scans = new WorkerScans(path, log, startScanThread);
  const mails = async () => (await api.db.read(async (q) => await q.select().from(mailTable))).length;
  const before = await mails();
  const alarms = { to: ['vakt@example.is'], language: 'en' as const };
  await databaseCheck({ db: api.db, scans, log, alarms }).work({ now, signal });
  await scans.close();
  return { logged, mails: (await mails()) - before };
}

it('says nothing of a database that is whole', async () => {
  expect(await check(api.dbPath)).toEqual({ logged: [], mails: 0 });
});

describe('of a damaged file', () => {
  it.each([
    ['the schema', 1, 1],
    ["all after the schema's first page", 2, Infinity],
    ['the last pages, which nobody has asked for', -3, Infinity],
  ])('logs and mails once, in words: %s', async (_, from, to) => {
    const path = join(folder, `${from}.db`);
    for (const suffix of ['', '-wal']) copyFileSync(api.dbPath + suffix, path + suffix);
    // The write-ahead log would hide the damage: its content goes to the file first.
    const db = openConnection(path, 'writer');
    db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    db.close();
    expect((await check(path)).logged).toEqual([]);
    const pages = statSync(path).size / PAGE;
    damage(path, from < 0 ? pages + from : from, Math.min(to, pages));
    const { logged, mails } = await check(path);
    expect(logged).toMatchObject([{ event: 'database.damaged' }]);
    expect(mails).toBe(1);
    expect(JSON.stringify(logged)).toMatch(/malformed|corrupt|Page|Tree|never used/);
  });
});

/** Overwrites pages, counted from 1; the 100 bytes at the head of the file stay. */
function damage(path: string, from: number, to: number): void {
  const file = openSync(path, 'r+');
  for (let page = from; page <= to; page++) {
    const spared = page === 1 ? 100 : 0;
    writeSync(file, Buffer.alloc(PAGE - spared, 7), 0, PAGE - spared, (page - 1) * PAGE + spared);
  }
  closeSync(file);
}
