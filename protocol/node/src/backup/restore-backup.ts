import {
  accessSync,
  constants,
  copyFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
} from 'node:fs';
import { open } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Fault, messageOf } from '@hlid/protocol/fault';
import type { Decrypter } from 'age-encryption';
import type { Clock } from '../clock.ts';
import { isExample } from '../configuration.ts';
import { syncNow } from '../durable-files.ts';
import { refuseUnknownSchema } from '../migration/migrate-database.ts';
import { protectFolder } from '../private-files.ts';
import { readEntry } from './backup-entry.ts';
import type { BackupStore } from './backup-store.ts';
import { type BackedUpPictures, type BackupSource, DATABASE, FILES, pictureName } from './make-backup.ts';
import { type BackupEntry, type Manifest, namesOfBackups, readManifest } from './manifest.ts';
import { type DatabaseKind, lockFile, lockFolder, rowsOf } from './sqlite-file.ts';

export interface RestoreParts {
  store: BackupStore;
  decrypter: Decrypter;
  clock: Clock;
  signal: AbortSignal;
}

export interface Restored {
  manifest: Manifest;
  /** The paths of the files of the backup: those that were missing, and those that differ from what is there. */
  files: { written: string[]; beside: string[] };
  /** Null: the backup has none. */
  pictures: { written: number; missing: number } | null;
  /** The path of the database that was there; null: there was none, or it was a check. */
  replaced: string | null;
}

const STAGE = 'restore-in-work';
const LOCK = 'restore.lock';

/** The newest finished backup, or the one of that name. Throws Fault 'config-invalid' where there is none. */
export async function chooseBackup(
  store: BackupStore,
  kind: Manifest['kind'],
  name: string | null,
): Promise<Manifest> {
  const { finished } = await namesOfBackups(store, kind);
  const chosen = name ?? finished.at(-1);
  const manifest = chosen === undefined ? null : await readManifest(store, chosen);
  if (manifest?.kind === kind) return manifest;
  const known = finished.length === 0 ? 'none' : finished.slice(-5).join(', ');
  throw new Fault('config-invalid', `no such backup in ${store.place}; there: ${known}`);
}

/**
 * Puts a backup in the place of what is in the data folder. Everything is read, checked and on the disk beside it before
 * the database is replaced, in one step; the old one is kept. Broken off anywhere, the old one is whole.
 *
 * @param checkOnly nothing is replaced, nor written for good. Throws Fault where a program runs on the folder, or
 *   where something of the backup is damaged, missing, or newer than this program
 */
export async function restoreBackup(
  source: BackupSource,
  parts: RestoreParts,
  { manifest, checkOnly = false }: { manifest: Manifest; checkOnly?: boolean },
): Promise<Restored> {
  const { dataDir, database } = source;
  protectFolder(dataDir);
  const release = lockFile(join(dataDir, LOCK), 'alone', database.open);
  const stage = join(dataDir, STAGE);
  // A check can be made beside a program that runs.
  let releaseFolder: (() => void) | null = null;
  try {
    if (!checkOnly) releaseFolder = lockFolder(dataDir, 'alone', database);
    rmSync(stage, { recursive: true, force: true });
    mkdirSync(stage, { mode: 0o700 });
    const staged = join(stage, database.fileName);
    for (const entry of manifest.entries) {
      await extract(parts, { backup: manifest.name, entry, path: join(stage, entry.name) });
    }
    renameSync(join(stage, DATABASE), staged);
    checkDatabase(source, staged, manifest);
    const pictures = manifest.pictures && (await restorePictures(source, parts, { staged, checkOnly }));
    const files = placeFiles(source, stage, manifest, checkOnly);
    parts.signal.throwIfAborted();
    const replaced = checkOnly ? null : replaceDatabase(source, staged, parts.clock.now());
    return { manifest, files, pictures, replaced };
  } finally {
    rmSync(stage, { recursive: true, force: true });
    releaseFolder?.();
    release();
  }
}

async function extract(
  { store, decrypter, signal }: RestoreParts,
  { backup, entry, path }: { backup: string; entry: BackupEntry; path: string },
): Promise<void> {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
  const file = await open(path, 'wx', 0o600);
  try {
    for await (const chunk of readEntry({ store, backup, decrypter, signal }, entry)) await file.write(chunk);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** That it is what was stored is known by its sum. */
function checkDatabase({ database }: BackupSource, path: string, manifest: Manifest): void {
  const { rows, name } = manifest;
  const file = database.open(path, 'read');
  try {
    refuseUnknownSchema(file, database.plan(), {
      path: name,
      goBack: 'Install that version, or a newer one.',
    });
    const found = rowsOf(file);
    const wrong = Object.keys(rows).filter((table) => found[table] !== rows[table]);
    if (wrong.length > 0) {
      throw new Fault('database-unusable', `the database of ${name} lacks rows: ${wrong.join(', ')}`);
    }
  } finally {
    file.close();
  }
}

/** Those that the restored database names and the program's store lacks. */
async function restorePictures(
  { pictures, database }: BackupSource,
  { store, decrypter, signal }: RestoreParts,
  { staged, checkOnly }: { staged: string; checkOnly: boolean },
): Promise<{ written: number; missing: number } | null> {
  if (pictures === null) return null;
  const counted = { written: 0, missing: 0 };
  const file = database.open(staged, 'read');
  try {
    for (const key of pictures.keysIn(file)) {
      signal.throwIfAborted();
      if (!checkOnly && (await pictures.has(key))) continue;
      const body = await store.get(pictureName(key));
      if (body === null) {
        counted.missing++;
        continue;
      }
      const content = await openPicture(
        decrypter,
        new Uint8Array(await new Response(body).arrayBuffer()),
        key,
      );
      if (!checkOnly) await pictures.put(key, content);
      counted.written++;
    }
  } finally {
    file.close();
  }
  return counted;
}

async function openPicture(
  decrypter: Decrypter,
  content: Uint8Array,
  key: Parameters<BackedUpPictures['put']>[0],
): Promise<Uint8Array> {
  try {
    return await decrypter.decrypt(content);
  } catch (error) {
    throw new Fault('peer-misbehaved', `${pictureName(key)} is damaged: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

/**
 * Never over a file, but for an example that nobody has edited yet: one that differs is written into the data folder.
 * Elsewhere, such as in `/etc`, the program's user may change its file and make no other.
 */
function placeFiles(
  { files, dataDir }: BackupSource,
  stage: string,
  { entries }: Manifest,
  checkOnly: boolean,
): Restored['files'] {
  const placed: Restored['files'] = { written: [], beside: [] };
  for (const { name } of entries) {
    if (!name.startsWith(FILES)) continue;
    const own = name.slice(FILES.length);
    const path = files.find((file) => file.name === own)?.path ?? join(dataDir, own);
    const staged = join(stage, name);
    if (existsSync(path) && readFileSync(path).equals(readFileSync(staged))) continue;
    const isFree = existsSync(path) ? isExample(path) : mayMake(path, dataDir);
    const target = isFree ? path : `${join(dataDir, own)}.restored`;
    placed[isFree ? 'written' : 'beside'].push(target);
    if (checkOnly) continue;
    mkdirSync(dirname(target), { recursive: true, mode: 0o700 });
    // It may lie on another disk.
    copyFileSync(staged, target);
  }
  return placed;
}

function mayMake(path: string, dataDir: string): boolean {
  if (!relative(dataDir, path).startsWith('..')) return true;
  try {
    accessSync(dirname(path), constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

/** @returns the path of the database that was there */
export function replaceDatabase(
  { dataDir, database }: Pick<BackupSource, 'dataDir' | 'database'>,
  staged: string,
  at: Date,
): string | null {
  const path = join(dataDir, database.fileName);
  const aside = existsSync(path) ? `${path}.replaced-${at.toISOString().replaceAll(/[-:.]/g, '')}` : null;
  if (aside !== null) {
    closeLog(path, database);
    keep(path, aside);
    // Only of a database that cannot be opened any more.
    if (sizeOf(`${path}-wal`) > 0) renameSync(`${path}-wal`, `${aside}-wal`);
  }
  // The log of another database would be applied to this one.
  for (const end of ['-wal', '-shm']) rmSync(path + end, { force: true });
  renameSync(staged, path);
  syncNow(dataDir);
  return aside;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}

/** Brings the write-ahead log of a database into it, so that it is one file. */
function closeLog(path: string, { open }: DatabaseKind): void {
  try {
    const file = open(path, 'write');
    try {
      file.all('PRAGMA wal_checkpoint(TRUNCATE)');
    } finally {
      file.close();
    }
  } catch {
    // It is damaged: it is kept as it is.
  }
}

/** A second name for the same file, so that the first one always has a database. */
function keep(path: string, aside: string): void {
  try {
    linkSync(path, aside);
  } catch {
    copyFileSync(path, aside);
  }
}
