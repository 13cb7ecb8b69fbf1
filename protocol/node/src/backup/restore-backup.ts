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
import { open, statfs } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import type { Decrypter } from 'age-encryption';
import type { Clock } from '../clock.ts';
import { isExample } from '../configuration.ts';
import { syncNow } from '../durable-files.ts';
import { refuseUnknownSchema } from '../migration/migrate-database.ts';
import { protectFolder } from '../private-files.ts';
import { bytesAtMost } from '../read-at-most.ts';
import { readEntry } from './backup-entry.ts';
import type { RestoreKeys } from './backup-key.ts';
import type { BackupStore } from './backup-store.ts';
import { type BackedUpPictures, type BackupSource, DATABASE, FILES, pictureName } from './make-backup.ts';
import {
  type BackupEntry,
  EntryNameSchema,
  isOfFuture,
  type Manifest,
  namesOfBackups,
  readManifest,
} from './manifest.ts';
import { type DatabaseKind, lockFile, lockFolder, rowsOf } from './sqlite-file.ts';

export interface RestoreParts {
  store: BackupStore;
  keys: RestoreKeys;
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
/** More than a camera sends. */
const MAX_PICTURE_BYTES = 64 * 1024 * 1024;

/**
 * The newest finished backup, or the one of that name, if one of the keys proves who made it and it is not of the future.
 * One that is not is never passed over in silence: a person decides which backup to restore then. Throws Fault
 * 'config-invalid'.
 */
export async function chooseBackup(
  store: BackupStore,
  kind: Manifest['kind'],
  name: string | null,
  { keys, clock }: Pick<RestoreParts, 'keys' | 'clock'>,
): Promise<Manifest> {
  const { finished } = await namesOfBackups(store, kind);
  const chosen = name ?? finished.at(-1);
  const found = chosen === undefined ? null : await readManifest(store, chosen, keys.proofKeys);
  if (found?.manifest.kind !== kind) {
    const known = finished.length === 0 ? 'none' : finished.slice(-5).join(', ');
    throw new Fault('config-invalid', `no such backup in ${store.place}; there: ${known}`);
  }
  const { manifest, isProved } = found;
  if (!isProved) {
    throw new Fault(
      'config-invalid',
      `the secret key does not fit ${manifest.name}: it was made with another key, or somebody else has put it there or changed it. ` +
        'Restore one that you know by its name.',
    );
  }
  if (isOfFuture(manifest.name, clock.now())) {
    throw new Fault(
      'config-invalid',
      `${manifest.name} is of the future: set the clock of this machine, or restore another one by its name`,
    );
  }
  return manifest;
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
    await refuseUnexpected(source, manifest);
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

/**
 * Refuses before anything is unpacked: the database, and files of the data folder beside it, as far as the
 * disk has room for them.
 */
async function refuseUnexpected({ dataDir, database }: BackupSource, manifest: Manifest): Promise<void> {
  for (const { name } of manifest.entries) {
    const own = name.startsWith(FILES) ? name.slice(FILES.length) : null;
    const isPlain = EntryNameSchema.safeParse(name).success && own !== '';
    // A file beside the database with its name would be taken for its log.
    const isDatabase = own?.toLowerCase().startsWith(database.fileName.toLowerCase());
    if (!isPlain || isDatabase || (own === null && name !== DATABASE)) {
      throw new Fault(
        'peer-misbehaved',
        `${manifest.name} has an entry that is no file of a backup: ${name}`,
      );
    }
  }
  const bytes = manifest.entries.reduce((total, entry) => total + entry.bytes, 0);
  const { bavail, bsize } = await statfs(dataDir);
  if (bavail * bsize >= bytes) return;
  const needed = Math.ceil(bytes / 1e6);
  throw new Fault('no-room', `${manifest.name} needs ${needed} MB on the disk of ${dataDir}`);
}

async function extract(
  { store, keys: { decrypter }, signal }: RestoreParts,
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

/** The checksum shows that the file is the one that was stored. */
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

/** Restores the pictures that the restored database names and the program's store lacks. */
async function restorePictures(
  { pictures, database }: BackupSource,
  { store, keys: { decrypter }, signal }: RestoreParts,
  { staged, checkOnly }: { staged: string; checkOnly: boolean },
): Promise<{ written: number; missing: number } | null> {
  if (pictures === null) return null;
  const counted = { written: 0, missing: 0 };
  const file = database.open(staged, 'read');
  try {
    for (const key of pictures.keysIn(file)) {
      signal.throwIfAborted();
      if (!EntryNameSchema.safeParse(key).success) {
        throw new Fault('database-unusable', `the database names a picture that is none: ${key}`);
      }
      if (!checkOnly && (await pictures.has(key))) continue;
      const body = await store.get(pictureName(key));
      if (body === null) {
        counted.missing++;
        continue;
      }
      const stored = await bytesAtMost(body, MAX_PICTURE_BYTES);
      if (stored === null) throw new Fault('peer-misbehaved', `${pictureName(key)} is too large`);
      const content = await openPicture(decrypter, stored, key);
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
 * Never over a file, but for an example that was not edited yet: one that differs is written into the data
 * folder. Elsewhere, such as in `/etc`, the program's user may change its file and make no other.
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
    // A restore does not write to what a link points to.
    rmSync(target, { force: true });
    // It may lie on another disk.
    copyFileSync(staged, target, constants.COPYFILE_EXCL);
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
    // A log remains only of a database that cannot be opened any more.
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
