import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProgram } from '@hlid/protocol/command-line/program';
import { SiteSettingsSchema } from '@hlid/protocol/records/lane';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { z } from 'zod';
import { packageBytes, SIGNATURE } from '../../../test/packages.ts';
import { cloudActor } from '../../people/audit/audit.ts';
import type { Db } from '../../platform/db/db.ts';
import { openDb } from '../../platform/db/libsql-db.ts';
import { auditTable } from '../../records/audit/audit-table.ts';
import { answerSite } from '../../sites/rollouts/answer-site.ts';
import { createSite } from '../../sites/sites/change/change-sites.ts';
import { CLOUD_PROGRAM } from './cloud-program.ts';

let dataDir: string;
/** The cloud runs beside the command. */
let db: Db;
let siteId: string;

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), 'hlid-upgrade-'));
  db = await openDb(join(dataDir, 'cloud.db'));
  const settings = SiteSettingsSchema.parse({});
  const fields = { name: 'Harbour', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings };
  siteId = (await createSite(db, cloudActor('test', new Date().toISOString()), fields)).site.id;
});
afterEach(async () => {
  await db.close();
  rmSync(dataDir, { recursive: true });
});

async function run(words: string[], isTerminal = false) {
  const [printed, complaints]: [string[], string[]] = [[], []];
  const code = await runProgram(CLOUD_PROGRAM, ['upgrade', ...words], {
    print: (text) => void printed.push(text),
    complain: (text) => void complaints.push(text),
    environment: { HLID_DATA_DIR: dataDir },
    isTerminal,
  });
  return { code, printed: printed.join('\n'), complaint: complaints.join('\n') };
}

function writePackage(version: string, content = 'x'): string {
  const path = join(dataDir, `hlid-edge_${version}_amd64.deb`);
  writeFileSync(path, packageBytes(content));
  writeFileSync(`${path}.minisig`, SIGNATURE);
  return path;
}

async function siteAsks(acceptsOrders: boolean) {
  const report = { version: '0.2.0', architecture: 'amd64', acceptsOrders, upgrade: null } as const;
  return await answerSite(db, { siteId, report, now: new Date().toISOString() });
}

const stateOf = ({ printed }: { printed: string }) =>
  z.looseObject({ rollout: z.looseObject({ state: z.string() }) }).parse(JSON.parse(printed)).rollout.state;

it('a rollout goes by commands, and the audit log has it', async () => {
  const path = writePackage('0.3.0');
  expect(JSON.parse((await run(['add', path])).printed)).toMatchObject({
    ok: true,
    isNew: true,
    version: '0.3.0',
    architecture: 'amd64',
  });
  expect(existsSync(join(dataDir, 'packages', 'hlid-edge_0.3.0_amd64.deb'))).toBe(true);
  expect((await run(['add', path], true)).printed).toMatch(/^Was there: 0\.3\.0 for amd64, \d+ bytes/);
  const started = await run(['start', '0.3.0', '--soak-hours', '2', '--max-at-once', '3']);
  expect(JSON.parse(started.printed)).toMatchObject({
    ok: true,
    rollout: { version: '0.3.0', soakHours: 2, maxAtOnce: 3, by: 'cloud:command-line', byName: null },
  });
  expect(stateOf(await run(['pause']))).toBe('paused');
  expect((await siteAsks(true)).order).toBeNull();
  expect(stateOf(await run(['resume']))).toBe('running');
  expect((await siteAsks(false)).order).toBeNull();
  const status = await run(['status'], true);
  expect(status.printed).toMatch(
    /^Rollout of 0\.3\.0: paused, ring 2 of 2\. 2 h between rings, 3 sites at once\.$/m,
  );
  expect(status.printed).toMatch(/^Paused at .*: no site of ring 2 runs the version$/m);
  expect(status.printed).toMatch(/^Ring +Site +Outcome +From +Now +Connected +Since +Reason$/m);
  expect(status.printed).toMatch(/^2 +Harbour +skipped +0\.2\.0 +0\.2\.0 +no +\S+ +accepts-no-orders$/m);
  expect((await run(['retry', 'Harbour'])).code).toBe(0);
  await run(['resume']);
  expect((await siteAsks(true)).order).toMatchObject({ version: '0.3.0' });
  expect((await run(['retry', siteId])).complaint).toBe('siteId: the site has its order, or has the version');
  expect(stateOf(await run(['end']))).toBe('ended');
  expect(stateOf(await run(['status']))).toBe('ended');
  const lines = await db.read(async (q) => await q.select().from(auditTable));
  const done = lines.filter(({ by }) => by === 'cloud:command-line').map(({ action }) => action);
  expect([...new Set(done)].sort()).toEqual([
    'edge-package.add',
    'rollout.end',
    'rollout.pause',
    'rollout.resume',
    'rollout.retry',
    'rollout.start',
  ]);
});

it('what cannot be done is said', async () => {
  expect(await run(['status'], true)).toMatchObject({ code: 0, printed: 'There is no rollout.' });
  expect(await run(['status'])).toMatchObject({ code: 0, printed: '{"rollout":null}' });
  expect(await run(['pause'])).toMatchObject({ code: 1, complaint: 'there is no rollout' });
  expect(await run(['start', '0.3.0'])).toMatchObject({
    code: 1,
    complaint: 'version: there is no package of 0.3.0',
  });
  expect(await run(['start', 'latest'])).toMatchObject({
    code: 2,
    complaint: '"latest" is no version of a package',
  });
  expect(await run(['start', '0.3.0', '--soak-hours', '1000'])).toMatchObject({ code: 2 });
  expect(await run(['add', join(dataDir, 'none.deb')])).toMatchObject({ code: 2 });
  const path = writePackage('0.3.0');
  await run(['add', path]);
  expect(await run(['add', writePackage('0.3.0', 'y')])).toMatchObject({
    code: 1,
    complaint: expect.stringContaining('There is another package of 0.3.0 for amd64.'),
  });
  expect(await run(['add', path, '--signature', path])).toMatchObject({
    code: 1,
    complaint: 'signature: is no signature of minisign',
  });
  await run(['start', '0.3.0']);
  expect(await run(['retry', 'Airport'])).toMatchObject({
    code: 1,
    complaint: 'no site of the rollout is called "Airport"',
  });
});
