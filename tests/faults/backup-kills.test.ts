import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeBackupKey } from '@hlid/node/backup/backup-key';
import Database from 'better-sqlite3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { stringify } from 'yaml';
import { z } from 'zod';
import { startCloud } from '../harness/cloud-program.ts';
import { newSecret } from '../harness/new-secret.ts';
import { PROJECT_ROOT, programArguments } from '../harness/programs.ts';
import { seededRandom } from '../sim/seeded-random.ts';

const KILLS = Number(process.env['HLID_BACKUP_KILLS'] ?? 3);
/** Bytes that no compression shortens: a kill comes in the middle of the work. */
const PADDING_MB = 24;

const ListSchema = z.object({ ok: z.boolean(), backups: z.array(z.looseObject({ name: z.string() })) });

describe('a cloud that is killed while it makes or restores a backup', () => {
  let folder: string;
  let keyFile: string;
  const data = () => join(folder, 'data');
  const place = () => join(folder, 'place');

  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hlid-backup-kills-'));
    const { publicKey, secretKey } = await makeBackupKey();
    keyFile = join(folder, 'key');
    writeFileSync(keyFile, `${secretKey}\n`);
    mkdirSync(place());
    const operator = { id: 'operator@example.is', password: newSecret() };
    const cloud = await startCloud({ folder: data(), apiKey: newSecret(), operator });
    await cloud.stop();
    const db = new Database(join(data(), 'cloud.db'));
    db.exec('CREATE TABLE padding (n INTEGER PRIMARY KEY, bytes BLOB)');
    const add = db.prepare('INSERT INTO padding (bytes) VALUES (?)');
    for (let n = 0; n < PADDING_MB; n++) add.run(randomBytes(2 ** 20));
    db.close();
    const backup = { to: { folder: place() }, key: publicKey };
    writeFileSync(join(data(), 'cloud.yaml'), stringify({ backup }));
  });
  afterAll(() => rmSync(folder, { recursive: true, force: true }));

  /** Runs a command of the cloud's program. @param killAfterMs it is killed then, if it is still at work */
  async function cloud(dataDir: string, words: readonly string[], killAfterMs: number | null = null) {
    const child = spawn(process.execPath, [...programArguments('cloud'), ...words], {
      cwd: PROJECT_ROOT,
      env: { PATH: process.env['PATH'], HLID_DATA_DIR: dataDir, HLID_LOG_LEVEL: 'silent' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let printed = '';
    child.stdout.on('data', (piece) => (printed += String(piece)));
    child.stderr.on('data', (piece) => (printed += String(piece)));
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
    if (killAfterMs !== null) setTimeout(() => child.kill('SIGKILL'), killAfterMs);
    return { code: await ended, printed };
  }
  async function does(dataDir: string, ...words: string[]): Promise<string> {
    const { code, printed } = await cloud(dataDir, words);
    expect(code, `${words.join(' ')}: ${printed}`).toBe(0);
    return printed;
  }
  const restore = (...more: string[]) => [
    'restore',
    '--yes',
    '--key-file',
    keyFile,
    '--from',
    place(),
    ...more,
  ];
  const padding = (dataDir: string) => {
    const db = new Database(join(dataDir, 'cloud.db'), { readonly: true });
    try {
      return db.prepare('SELECT count(*) FROM padding').pluck().get();
    } finally {
      db.close();
    }
  };

  it('lists and restores finished backups only, and makes the next one', async () => {
    const random = seededRandom(2026);
    let from = performance.now();
    await does(data(), 'backup');
    let tookMs = performance.now() - from;
    let finished = 1;
    let known: string[] = [];
    let killed = 0;
    for (let tries = 0; killed < KILLS && tries < KILLS * 5; tries++) {
      from = performance.now();
      const { code, printed } = await cloud(data(), ['backup'], random.next() * tookMs);
      const { ok, backups } = ListSchema.parse(JSON.parse(await does(data(), 'backup', 'list')));
      expect(ok).toBe(true);
      if (code === null) {
        killed++;
        // The kill may meet the moment between the last byte and the program's end.
        expect([finished, finished + 1]).toContain(backups.length);
      } else {
        expect(code, printed).toBe(0);
        // It takes the place of the one before: only the newest of a day is kept.
        expect(backups.some(({ name }) => !known.includes(name))).toBe(true);
        // The first one, with cold files, does not show how long the next ones take.
        tookMs = performance.now() - from;
      }
      finished = backups.length;
      known = backups.map(({ name }) => name);
      await does(data(), ...restore('--check'));
    }
    expect(killed).toBe(KILLS);
    await does(data(), 'backup');
    expect(readdirSync(data()).filter((name) => /in-work|trial|copy-/.test(name))).toEqual([]);
  });

  it('has after a restore that was broken off the whole database, or none, and restores again', async () => {
    const random = seededRandom(2027);
    const reference = join(folder, 'reference');
    const from = performance.now();
    await does(reference, ...restore());
    const tookMs = performance.now() - from;
    for (let n = 0; n < KILLS; n++) {
      const next = join(folder, `next-${n}`);
      await cloud(next, restore(), random.next() * tookMs);
      if (existsSync(join(next, 'cloud.db'))) expect(padding(next)).toBe(PADDING_MB);
      await does(next, ...restore());
      expect(padding(next)).toBe(PADDING_MB);
      rmSync(next, { recursive: true });
    }
  });
});
