import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { DAY_MS } from '@hlid/protocol/base/durations';
import Database from 'better-sqlite3';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { systemClock } from '../clock.ts';
import { backupCommands } from './backup-commands.ts';
import { writeEntry } from './backup-entry.ts';
import { encrypterFor, makeBackupKey, type RestoreKeys, readKeyFile, restoreKeysFor } from './backup-key.ts';
import { proofKeyOf, writeProof } from './backup-proof.ts';
import { type BackupStore, openBackupStore } from './backup-store.ts';
import { type BackupSource, filesOf, makeBackup } from './make-backup.ts';
import { backupName, type Manifest, ManifestSchema, manifestName, proofName } from './manifest.ts';
import { backupsToKeep, pruneBackups } from './prune-backups.ts';
import { chooseBackup, restoreBackup } from './restore-backup.ts';
import { type DatabaseKind, lockFolder, type SchemaPlan, sqliteFile } from './sqlite-file.ts';

const PICTURES = ['s1/2026-11-20/one.jpg', 's2/2026-11-20/two.jpg', 's1/2026-11-21/three.jpg'];

let folder: string;
let dataDir: string;
let keys: { publicKey: string; secretKey: string };
let pictures: Map<string, Uint8Array>;
let writer: Database.Database;

const DATABASE: DatabaseKind = {
  fileName: 'own.db',
  open: (path, mode) => sqliteFile(new Database(path, { readonly: mode === 'read' })),
  plan: () => planOf(3),
};

function planOf(newest: number): SchemaPlan {
  return {
    migrations: [{ schema: newest, statements: [] }],
    oldest: newest,
    software: 'own/1',
    revertCommand: '',
    schemaOf: (file) => Number(file.all('PRAGMA user_version')[0]?.[0]),
    record: () => undefined,
  };
}

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'hlid-backup-'));
  dataDir = join(folder, 'data');
  for (const made of [dataDir, join(folder, 'to')]) mkdirSync(made);
  keys = await makeBackupKey();
  pictures = new Map(PICTURES.map((key) => [key, Buffer.from(`picture ${key}`)]));
  writer = new Database(join(dataDir, 'own.db'));
  writer.pragma('journal_mode = WAL');
  writer.exec('PRAGMA user_version = 3; CREATE TABLE visit (id INTEGER PRIMARY KEY, body TEXT)');
  for (let id = 1; id <= 200; id++)
    writer.prepare('INSERT INTO visit VALUES (?, ?)').run(id, 'x'.repeat(500));
  mkdirSync(join(dataDir, 'notes'));
  writeFileSync(join(dataDir, 'notes', 'memory.json'), '{"last":7}');
  writeFileSync(join(dataDir, 'own.yaml'), 'port: 1\n');
});
afterEach(() => {
  writer.close();
  rmSync(folder, { recursive: true });
});

function source(into = dataDir): BackupSource {
  const stored = pictures;
  return {
    kind: 'cloud',
    software: 'test/1',
    dataDir: into,
    database: DATABASE,
    files: filesOf({
      dataDir: into,
      except: /^own\.db|\.lock$|-in-work\/$/,
      config: { name: 'own.yaml', path: join(into, 'own.yaml') },
    }),
    pictures: {
      keysIn: () => PICTURES,
      async get(key) {
        const found = stored.get(key);
        return found === undefined ? null : { body: new Blob([Buffer.from(found)]).stream() };
      },
      has: async (key) => stored.has(key),
      put: async (key, content) => void stored.set(key, content),
    },
  };
}

const folderStore = () => openBackupStore({ folder: join(folder, 'to') });
const live = () => new AbortController().signal;

const backUp = (store: BackupStore = folderStore(), from = source()) =>
  makeBackup(from, { store, keys: [keys.publicKey], clock: systemClock, signal: live() });

const keysOf = (secretKey = keys.secretKey) => restoreKeysFor([secretKey]);
const chosen = async (name: string | null = null) =>
  await chooseBackup(folderStore(), 'cloud', name, { keys: await keysOf(), clock: systemClock });

async function restore(
  into = source(),
  given: { store?: BackupStore; keys?: RestoreKeys; checkOnly?: boolean } = {},
) {
  const { store = folderStore(), keys: restoreKeys = await keysOf(), checkOnly = false } = given;
  const parts = { store, keys: restoreKeys, clock: systemClock, signal: live() };
  const manifest = await chooseBackup(store, 'cloud', null, parts);
  return await restoreBackup(into, parts, { manifest, checkOnly });
}

/** The store as it is for a program that dies at its n-th call. */
function dyingStore(calls: number): BackupStore {
  const store = folderStore();
  let left = calls;
  function step<T>(work: () => Promise<T>): Promise<T> {
    return left-- > 0 ? work() : Promise.reject(new Error('killed'));
  }
  return {
    place: store.place,
    put: (name, content) => step(() => store.put(name, content)),
    get: (name) => step(() => store.get(name)),
    list: (prefix) => store.list(prefix),
    delete: (name) => step(() => store.delete(name)),
  };
}

const visits = (path = join(dataDir, 'own.db')) => {
  const db = new Database(path, { readonly: true });
  try {
    expect(db.pragma('integrity_check', { simple: true })).toBe('ok');
    return Number(db.prepare('SELECT count(*) FROM visit').pluck().get());
  } finally {
    db.close();
  }
};

describe('a backup', () => {
  it('comes back on another machine with its files and pictures, and shows nothing of them where it is stored', async () => {
    await backUp();
    const other = join(folder, 'other');
    mkdirSync(other);
    const before = pictures;
    pictures = new Map();
    const restored = await restore(source(other));
    expect(restored).toMatchObject({ replaced: null, pictures: { written: 3, missing: 0 } });
    expect(visits(join(other, 'own.db'))).toBe(200);
    expect(readFileSync(join(other, 'notes', 'memory.json'), 'utf8')).toBe('{"last":7}');
    expect(readFileSync(join(other, 'own.yaml'), 'utf8')).toBe('port: 1\n');
    expect([...pictures].map(([key, content]) => [key, Buffer.from(content)])).toEqual([...before]);
    for (const file of readdirSync(join(folder, 'to'), { recursive: true, withFileTypes: true })) {
      if (!file.isFile() || file.name.startsWith('manifest.')) continue;
      expect(readFileSync(join(file.parentPath, file.name), 'latin1')).toMatch(/^age-encryption\.org\/v1\n/);
    }
  });

  it('stores each picture once, and counts those that are gone', async () => {
    await backUp();
    pictures.delete(PICTURES[1] ?? '');
    const put: string[] = [];
    const store = folderStore();
    const watched: BackupStore = {
      place: store.place,
      get: (name) => store.get(name),
      list: (prefix) => store.list(prefix),
      async put(name, content) {
        put.push(name);
        await store.put(name, content);
      },
      delete: (name) => store.delete(name),
    };
    const { pictures: counted } = await backUp(watched);
    expect(counted).toEqual({ count: 3, missing: 0 });
    expect(put.filter((name) => name.startsWith('pictures/'))).toEqual([]);
  });

  it('broken off at any step leaves the earlier one, and the next one cleans up', async () => {
    const { name: first } = await backUp();
    let calls = 0;
    for (;;) {
      pictures = new Map(PICTURES.map((key) => [key, Buffer.from('new')]));
      rmSync(join(folder, 'to', 'pictures'), { recursive: true, force: true });
      const died = await backUp(dyingStore(calls)).then(
        () => false,
        () => true,
      );
      if (!died) break;
      calls++;
      expect((await chosen()).name).toBe(first);
      expect(existsSync(join(dataDir, 'backup-in-work'))).toBe(false);
    }
    // Database, two files, three pictures, proof, manifest.
    expect(calls).toBe(8);
    const keep = { daily: 1, weekly: 0, monthly: 0 };
    const now = new Date(systemClock.now().getTime() + 2 * DAY_MS);
    await pruneBackups(folderStore(), 'cloud', {
      keep,
      proofKeys: [proofKeyOf(keys.publicKey)],
      now,
      pictureDays: null,
    });
    expect(readdirSync(join(folder, 'to')).filter((name) => name.startsWith('hlid-'))).toHaveLength(1);
  });

  it('is made one at a time', async () => {
    const both = await Promise.allSettled([backUp(), backUp()]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('is not made where its folder does not exist: its disk may not be mounted', async () => {
    await expect(backUp(openBackupStore({ folder: join(folder, 'unmounted') }))).rejects.toThrow('mounted');
    expect(existsSync(join(folder, 'unmounted'))).toBe(false);
  });
});

it('makes no backup of a damaged database', async () => {
  await backUp();
  writer.pragma('wal_checkpoint(TRUNCATE)');
  const path = join(dataDir, 'own.db');
  const bytes = readFileSync(path);
  writeFileSync(path, bytes.fill(7, bytes.length - 8192));
  await expect(backUp()).rejects.toThrow('malformed');
  expect(readdirSync(join(folder, 'to')).filter((name) => name.startsWith('hlid-'))).toHaveLength(1);
});

describe('a restore', () => {
  it('replaces the database in one step, keeps the old one with its newest commits, and overwrites no file', async () => {
    await backUp();
    writer.exec("INSERT INTO visit (body) VALUES ('newest, in the log')");
    writeFileSync(join(dataDir, 'own.yaml'), 'port: 2\n');
    // After a crash the log is not in the database yet.
    const crashed = join(folder, 'crashed');
    mkdirSync(crashed);
    for (const name of ['own.db', 'own.db-wal'])
      writeFileSync(join(crashed, name), readFileSync(join(dataDir, name)));
    writeFileSync(join(crashed, 'own.yaml'), 'port: 2\n');
    const { replaced, files } = await restore(source(crashed));
    expect(visits(join(crashed, 'own.db'))).toBe(200);
    expect(visits(replaced ?? '')).toBe(201);
    expect(files.beside).toEqual([join(crashed, 'own.yaml.restored')]);
    expect(readFileSync(join(crashed, 'own.yaml'), 'utf8')).toBe('port: 2\n');
    expect(existsSync(join(crashed, 'own.db-wal'))).toBe(false);
  });

  it('broken off at any step leaves the old database whole', async () => {
    await backUp();
    writer.exec("INSERT INTO visit (body) VALUES ('newer')");
    pictures.clear();
    let calls = 1;
    for (; ; calls++) {
      const died = await restore(source(), { store: dyingStore(calls) }).then(
        () => false,
        () => true,
      );
      if (!died) break;
      expect(visits()).toBe(201);
      expect(existsSync(join(dataDir, 'restore-in-work'))).toBe(false);
    }
    expect(calls).toBeGreaterThan(4);
    expect(visits()).toBe(200);
  });

  it('is refused while a program runs on the folder; a check is not, and replaces nothing', async () => {
    await backUp();
    writer.exec("INSERT INTO visit (body) VALUES ('newer')");
    const release = lockFolder(dataDir, 'shared', DATABASE);
    await expect(restore()).rejects.toThrow('another program is at work');
    await expect(restore(source(), { checkOnly: true })).resolves.toMatchObject({ replaced: null });
    expect(visits()).toBe(201);
    release();
    await restore();
    expect(visits()).toBe(200);
  });

  it('refuses what is damaged, missing, encrypted for others, or newer than the program', async () => {
    const { name } = await backUp();
    const part = join(folder, 'to', name, 'database.gz.age.00000');
    const whole = readFileSync(part);
    const damaged = Buffer.from(whole);
    damaged[whole.length - 40] = (damaged[whole.length - 40] ?? 0) ^ 1;
    writeFileSync(part, damaged);
    await expect(restore()).rejects.toThrow('database.gz.age.00000 is damaged');
    rmSync(part);
    await expect(restore()).rejects.toThrow('is missing');
    writeFileSync(part, whole);
    const stranger = await keysOf((await makeBackupKey()).secretKey);
    await expect(restore(source(), { keys: stranger })).rejects.toThrow('does not fit');
    const older = { ...source(), database: { ...DATABASE, plan: () => planOf(2) } };
    await expect(restore(older)).rejects.toThrow('made by a newer version');
    const manifest = ManifestSchema.parse(stored(manifestName(name)));
    writeProved({ ...manifest, rows: { visit: 201 } });
    await expect(restore()).rejects.toThrow('lacks rows: visit');
    expect(visits()).toBe(200);
  });

  it('reads keys as they are printed', async () => {
    const path = join(folder, 'key');
    writeFileSync(path, `# public key: ${keys.publicKey}\n${keys.secretKey}\n`);
    await backUp();
    const read = await readKeyFile(path);
    await expect(restore(source(), { keys: read, checkOnly: true })).resolves.toBeDefined();
    writeFileSync(path, 'nothing\n');
    await expect(readKeyFile(path)).rejects.toThrow('has no line');
  });
});

const stored = (name: string): unknown => JSON.parse(readFileSync(join(folder, 'to', name), 'utf8'));

/** Writes a manifest with a valid proof, as a faulty program would. */
function writeProved(manifest: Manifest): void {
  const bytes = Buffer.from(JSON.stringify(manifest));
  mkdirSync(join(folder, 'to', manifest.name), { recursive: true });
  writeFileSync(join(folder, 'to', manifestName(manifest.name)), bytes);
  writeFileSync(
    join(folder, 'to', proofName(manifest.name)),
    writeProof([proofKeyOf(keys.publicKey)], bytes),
  );
}

describe('whoever can write to the place of the backups', () => {
  let genuine: Manifest;
  const later = (hours: number) => new Date(systemClock.now().getTime() + hours * 3_600_000).toISOString();
  beforeEach(async () => {
    genuine = await backUp();
  });

  it('does not learn the key that proves a backup', () => {
    for (const file of readdirSync(join(folder, 'to'), { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const content = readFileSync(join(file.parentPath, file.name), 'latin1');
      expect(content.includes(keys.publicKey), file.name).toBe(false);
    }
  });

  it.each([false, true])('gets no forged one restored, checkOnly %s', async (checkOnly) => {
    // A whole backup, newer than ours, by a forger's key.
    const own = await makeBackupKey();
    const forged = await makeBackup(source(), {
      store: folderStore(),
      keys: [own.publicKey],
      signal: live(),
      clock: { ...systemClock, now: () => new Date(systemClock.now().getTime() + 60_000) },
    });
    expect(forged.name > genuine.name).toBe(true);
    await expect(restore(source(), { checkOnly })).rejects.toThrow('does not fit');
    // The proof is that of another manifest.
    const proof = readFileSync(join(folder, 'to', proofName(genuine.name)));
    writeFileSync(join(folder, 'to', proofName(forged.name)), proof);
    await expect(restore(source(), { checkOnly })).rejects.toThrow('does not fit');
    rmSync(join(folder, 'to', proofName(forged.name)));
    await expect(restore(source(), { checkOnly })).rejects.toThrow('does not fit');
  });

  it('gets nothing restored of which a byte of the manifest was changed', async () => {
    const path = join(folder, 'to', manifestName(genuine.name));
    const text = readFileSync(path, 'utf8');
    for (const [from, to] of [
      ['"schema": 3', '"schema": 4'],
      ['"database"', '"files/../../../escaped"'],
      ['test/1', 'test/2'],
    ] as const) {
      writeFileSync(path, text.replace(from, to));
      await expect(restore(), to).rejects.toThrow();
    }
  });

  it('gets no older one restored as the newest', async () => {
    const name = backupName('cloud', later(0.5), 'abcdef');
    cpSync(join(folder, 'to', genuine.name), join(folder, 'to', name), { recursive: true });
    await expect(restore()).rejects.toThrow('is of another backup');
  });

  it('does not get ours deleted by many that are newer, or of the future', async () => {
    const own = await makeBackupKey();
    for (const hours of [0.1, 0.2, 24 * 30, 24 * 60]) {
      await makeBackup(source(), {
        store: folderStore(),
        keys: [own.publicKey],
        signal: live(),
        clock: { ...systemClock, now: () => new Date(later(hours)) },
      });
    }
    const now = new Date(later(0.3));
    const keep = { daily: 1, weekly: 0, monthly: 0 };
    const proofKeys = [proofKeyOf(keys.publicKey)];
    await pruneBackups(folderStore(), 'cloud', { keep, proofKeys, now, pictureDays: null });
    await expect(chosen(genuine.name)).resolves.toMatchObject({ name: genuine.name });
  });
});

describe('a manifest with a proof, that no program of ours writes,', () => {
  const entryOf = async (backup: string, name: string, content: string) =>
    await writeEntry(
      { store: folderStore(), backup, encrypter: encrypterFor([keys.publicKey]), signal: live() },
      name,
      Readable.from([Buffer.from(content)]),
    );

  it.each([
    'files/../../escaped',
    '/escaped',
    'files//escaped',
    'files/a/./b',
    'escaped',
    'files/own.db-wal',
    'files/x\\y',
  ])('unpacks no entry of the name %s', async (name) => {
    const { name: backup } = await backUp();
    const manifest = ManifestSchema.parse(stored(manifestName(backup)));
    // The object has a plain name: the path in the manifest leads out.
    const entry = await entryOf(backup, 'files/plain', 'escaped');
    writeProved({ ...manifest, entries: [...manifest.entries, { ...entry, name }] });
    for (const checkOnly of [true, false]) {
      await expect(restore(source(), { checkOnly })).rejects.toThrow(/damaged|no file of a backup/);
    }
    expect(readdirSync(folder).sort()).toEqual(['data', 'to']);
    expect(readdirSync(dataDir)).not.toContain('escaped');
  });

  it('stops unpacking where an entry is larger than it says', async () => {
    const { name: backup } = await backUp();
    const manifest = ManifestSchema.parse(stored(manifestName(backup)));
    const bomb = await entryOf(backup, 'files/bomb', 'x'.repeat(50_000_000));
    expect(bomb.parts).toHaveLength(1);
    writeProved({ ...manifest, entries: [...manifest.entries, { ...bomb, bytes: 1000 }] });
    await expect(restore(source())).rejects.toThrow('larger than it was');
    const huge = { ...bomb, bytes: Number.MAX_SAFE_INTEGER };
    writeProved({ ...manifest, entries: [...manifest.entries, huge] });
    await expect(restore(source())).rejects.toThrow('MB on the disk');
  });

  it('is not restored where it is of the future', async () => {
    const { name: backup } = await backUp();
    const manifest = ManifestSchema.parse(stored(manifestName(backup)));
    const madeAt = new Date(systemClock.now().getTime() + 2 * 3_600_000).toISOString();
    writeProved({ ...manifest, madeAt, name: backupName('cloud', madeAt, 'abcdef') });
    await expect(restore()).rejects.toThrow('of the future');
    await expect(chosen(backup)).resolves.toMatchObject({ name: backup });
  });
});

it('keeps the newest backup of each of so many days, weeks and months', () => {
  const days = Array.from({ length: 100 }, (_, day) =>
    new Date(Date.UTC(2026, 7, 16 + day, 3)).toISOString(),
  );
  const twice = days.flatMap((at) => [at, at.replace('T03', 'T15')]);
  const names = twice.map((at) => backupName('cloud', at, 'a1'));
  const kept = [...backupsToKeep(names, { daily: 3, weekly: 2, monthly: 3 })].map((name) =>
    name.slice(11, 22),
  );
  // 23 November 2026 is a Monday.
  expect(kept.sort()).toEqual(['20260930T15', '20261031T15', '20261121T15', '20261122T15', '20261123T15']);
});

it('the command names a backup and its date, and replaces nothing until a person agrees', async () => {
  const { name, madeAt } = await backUp();
  writer.exec("INSERT INTO visit (body) VALUES ('newer')");
  const keyFile = join(folder, 'key');
  writeFileSync(keyFile, `${keys.secretKey}\n`);
  const plan = { source: source(), config: null, pictureDays: null };
  const program = { kind: 'cloud', runs: 'the cloud', readPlan: async () => plan, next: [] } as const;
  const command = backupCommands(program).find((one) => one.name === 'restore');
  const run = async (...flags: string[]) => {
    const lines: string[] = [];
    const options = new Map<string, string[]>([
      ['key-file', [keyFile]],
      ['from', [join(folder, 'to')]],
      ...flags.map((one): [string, string[]] => [one, ['']]),
    ]);
    const reading = command?.read({ options, operands: [] }, 'restore');
    const shell = { complain: (line: string) => void lines.push(line), print: () => undefined };
    const code = reading?.ok && (await reading.run({ ...shell, environment: {}, isTerminal: false }));
    return { code, lines: lines.join('\n') };
  };
  const asked = await run();
  expect(asked.code).toBe(2);
  expect(asked.lines).toContain(`To restore: ${name}  ${madeAt}`);
  expect(asked.lines).toContain('Nothing was replaced');
  expect(visits()).toBe(201);
  expect((await run('check')).code).toBe(0);
  expect(visits()).toBe(201);
  expect((await run('yes')).code).toBe(0);
  expect(visits()).toBe(200);
});
