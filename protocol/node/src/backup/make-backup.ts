import { randomBytes } from 'node:crypto';
import { createReadStream, type Dirent, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { Fault } from '@hlid/protocol/base/fault';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Encrypter } from 'age-encryption';
import type { Clock } from '../clock.ts';
import { isMissing } from '../errors.ts';
import { writeEntry } from './backup-entry.ts';
import { encrypterFor } from './backup-key.ts';
import { proofKeyOf, writeProof } from './backup-proof.ts';
import type { BackupStore } from './backup-store.ts';
import {
  type BackupEntry,
  backupName,
  EntryNameSchema,
  type Manifest,
  manifestName,
  PICTURES,
  proofName,
} from './manifest.ts';
import { type DatabaseKind, lockFile, removeDatabase, rowsOf, type SqliteFile } from './sqlite-file.ts';

/** The pictures that a database names. They never change. */
export interface BackedUpPictures {
  /** The keys that a database names (`<site>/<day>/<name>`), by day. */
  keysIn(file: SqliteFile): Iterable<string>;
  get(key: string): Promise<{ body: ReadableStream<Uint8Array> } | null>;
  has(key: string): Promise<boolean>;
  put(key: string, content: Uint8Array): Promise<void>;
}

/** The contents of a backup, which a restore makes again. */
export interface BackupSource {
  kind: Manifest['kind'];
  software: string;
  dataDir: string;
  database: DatabaseKind;
  /** Small files, by the names that they have in the backup. */
  files: readonly { name: string; path: string }[];
  /** Null: they stay where they are. */
  pictures: BackedUpPictures | null;
}

export interface BackupParts {
  store: BackupStore;
  keys: readonly string[];
  clock: Clock;
  signal: AbortSignal;
}

/** The names of entries. */
export const DATABASE = 'database';
export const FILES = 'files/';

/** The copy of the database lies there until it is stored. */
const STAGE = 'backup-in-work';
const LOCK = 'backup.lock';
const PAGE_PRAGMAS = ['page_count', 'page_size'] as const;

/**
 * Makes a backup while the program runs: a consistent copy of the database beside it, which holds up no writer, then
 * its files and pictures; the manifest last. Broken off anywhere, there is no backup of that name. One at a time.
 */
export async function makeBackup(source: BackupSource, parts: BackupParts): Promise<Manifest> {
  const { dataDir, database } = source;
  const release = lockFile(join(dataDir, LOCK), 'alone', database.open);
  const stage = join(dataDir, STAGE);
  try {
    rmSync(stage, { recursive: true, force: true });
    mkdirSync(stage, { mode: 0o700 });
    const copy = join(stage, database.fileName);
    const madeAt = utcTime(parts.clock.now());
    await copyDatabase(join(dataDir, database.fileName), copy, database);
    return await store(source, parts, { copy, madeAt });
  } finally {
    rmSync(stage, { recursive: true, force: true });
    release();
  }
}

async function copyDatabase(path: string, copy: string, { open }: DatabaseKind): Promise<void> {
  const file = open(path, 'read');
  try {
    const [pages = 0, pageBytes = 0] = PAGE_PRAGMAS.map((name) => Number(file.all(`PRAGMA ${name}`)[0]?.[0]));
    const { bavail, bsize } = await statfs(join(copy, '..'));
    if (bavail * bsize < pages * pageBytes) {
      const needed = Math.ceil((pages * pageBytes) / 1e6);
      throw new Fault('no-room', `the copy of ${path} needs ${needed} MB on its disk`);
    }
    // The copy is one read of the write-ahead log, which delays no writer. It reads every row and every
    // index, and fails at a damaged page.
    file.run('VACUUM INTO ?', copy);
  } finally {
    file.close();
  }
}

async function store(
  source: BackupSource,
  { store, keys, clock, signal }: BackupParts,
  { copy, madeAt }: { copy: string; madeAt: UtcTime },
): Promise<Manifest> {
  const { kind, software, database, files, pictures } = source;
  const backup = backupName(kind, madeAt, randomBytes(3).toString('hex'));
  const encrypter = encrypterFor(keys);
  const to = { store, backup, encrypter, signal };
  const file = database.open(copy, 'read');
  try {
    const described = { schema: database.plan().schemaOf(file), rows: rowsOf(file) };
    const entries: BackupEntry[] = [await writeEntry(to, DATABASE, createReadStream(copy))];
    for (const { name, path } of files) {
      entries.push(await writeEntry(to, FILES + name, createReadStream(path)));
    }
    const stored = pictures && (await storePictures(pictures, file, { store, encrypter, signal }));
    const manifest: Manifest = {
      format: 1,
      name: backup,
      kind,
      software,
      madeAt,
      finishedAt: utcTime(clock.now()),
      ...described,
      entries,
      pictures: stored,
    };
    signal.throwIfAborted();
    const bytes = Buffer.from(`${JSON.stringify(manifest, null, 2)}\n`);
    await store.put(proofName(backup), Buffer.from(writeProof(keys.map(proofKeyOf), bytes)));
    await store.put(manifestName(backup), bytes);
    return manifest;
  } finally {
    file.close();
    removeDatabase(copy);
  }
}

/** Stores the pictures that the store does not have yet. */
async function storePictures(
  pictures: BackedUpPictures,
  file: SqliteFile,
  to: { store: BackupStore; encrypter: Encrypter; signal: AbortSignal },
): Promise<{ count: number; missing: number }> {
  const { store, encrypter, signal } = to;
  let count = 0;
  let missing = 0;
  // Names are listed for a day at a time: the names of all pictures would take too much memory.
  let day = '';
  const there = new Map<string, ReadonlySet<string>>();
  for (const key of pictures.keysIn(file)) {
    signal.throwIfAborted();
    const folder = key.slice(0, key.lastIndexOf('/') + 1);
    const ownDay = folder.slice(folder.indexOf('/'));
    if (ownDay !== day) there.clear();
    day = ownDay;
    const known = there.get(folder) ?? (await namesIn(store, PICTURES + folder));
    there.set(folder, known);
    const object = pictureName(key);
    if (!known.has(object)) {
      const picture = await pictures.get(key);
      if (picture === null) {
        // Erased since the copy was made, or lost before.
        missing++;
        continue;
      }
      const content = new Uint8Array(await new Response(picture.body).arrayBuffer());
      await store.put(object, await encrypter.encrypt(content));
    }
    count++;
  }
  return { count, missing };
}

async function namesIn(store: BackupStore, folder: string): Promise<ReadonlySet<string>> {
  const names = new Set<string>();
  for await (const name of store.list(folder)) names.add(name);
  return names;
}

export function pictureName(key: string): string {
  return `${PICTURES}${key}.age`;
}

/**
 * The small files of a program: those of its data folder, and its configuration, wherever that lies. What the environment
 * sets is in no backup.
 *
 * @param except paths in the data folder that belong to no backup; of a folder with a slash at its end
 */
export function filesOf(given: {
  dataDir: string;
  except: RegExp;
  config: { name: string; path: string };
}): BackupSource['files'] {
  const { dataDir, except, config } = given;
  const files = filesBelow(dataDir, '', except).filter(({ path }) => path !== config.path);
  return existsSync(config.path) ? [...files, config] : files;
}

function filesBelow(folder: string, within: string, except: RegExp): { name: string; path: string }[] {
  let entries: Dirent[];
  try {
    entries = readdirSync(join(folder, within), { withFileTypes: true });
  } catch (error) {
    if (isMissing(error)) return [];
    throw error;
  }
  return entries.flatMap((entry) => {
    const name = within + entry.name;
    const isFolder = entry.isDirectory();
    if (except.test(isFolder ? `${name}/` : name)) return [];
    if (isFolder) return filesBelow(folder, `${name}/`, except);
    // A file that no restore would accept is no backup of this program.
    const isOurs = entry.isFile() && EntryNameSchema.safeParse(name).success;
    return isOurs ? [{ name, path: join(folder, name) }] : [];
  });
}
