import { createReadStream } from 'node:fs';
import { access, constants, lstat, mkdir, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import { Readable } from 'node:stream';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import { syncFolder, writeDurably } from '../durable-files.ts';
import { errorCode, isMissing } from '../errors.ts';
import { S3Bucket } from '../s3-bucket.ts';
import type { BackupPlace } from './backup-config.ts';

/** The storage of a backup's objects. Names are like paths. */
export interface BackupStore {
  /** The place, for people. */
  readonly place: string;
  /** Durable when it resolves, and whole or not there. */
  put(name: string, content: Uint8Array): Promise<void>;
  get(name: string): Promise<ReadableStream<Uint8Array> | null>;
  /** The names that begin with a text, in their order. */
  list(prefix: string): AsyncIterable<string>;
  delete(name: string): Promise<void>;
}

export function openBackupStore(place: BackupPlace): BackupStore {
  if ('folder' in place) return new FolderStore(place.folder);
  const { prefix, ...bucket } = place;
  return new BucketStore(new S3Bucket(bucket), prefix, `${bucket.bucket}/${prefix} at ${bucket.endpoint}`);
}

const WRITE_ADVICE: Readonly<Record<string, string>> = {
  EROFS:
    'it is read-only for this program. A service writes below /mnt/backup, and where ReadWritePaths= of its unit allows it (BACKUP.md)',
  EACCES: 'it belongs to another user than the one of this program (BACKUP.md)',
};

class FolderStore implements BackupStore {
  readonly place: string;

  constructor(folder: string) {
    this.place = folder;
  }

  async put(name: string, content: Uint8Array): Promise<void> {
    await this.#checkFolder();
    await this.#checkWritable();
    const path = join(this.place, name);
    const partial = `${path}.part`;
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    await writeDurably(partial, content);
    await rename(partial, path);
    await syncFolder(dirname(path));
  }

  async get(name: string): Promise<ReadableStream<Uint8Array> | null> {
    await this.#checkFolder();
    const path = join(this.place, name);
    // The target of a link is no object of the store.
    if (!(await lstat(path).catch(() => null))?.isFile()) return null;
    return Readable.toWeb(createReadStream(path)) as ReadableStream<Uint8Array>;
  }

  async *list(prefix: string): AsyncGenerator<string> {
    await this.#checkFolder();
    const folder = prefix.slice(0, prefix.lastIndexOf('/') + 1);
    for await (const name of this.#below(folder)) if (name.startsWith(prefix)) yield name;
  }

  async *#below(folder: string): AsyncGenerator<string> {
    const entries = await readdir(join(this.place, folder), { withFileTypes: true }).catch((error) => {
      if (isMissing(error)) return [];
      throw error;
    });
    for (const entry of entries.sort((one, other) => (one.name < other.name ? -1 : 1))) {
      if (entry.isDirectory()) yield* this.#below(`${folder}${entry.name}/`);
      else yield `${folder}${entry.name}`;
    }
  }

  /** Folders that are empty after it go too. */
  async delete(name: string): Promise<void> {
    await rm(join(this.place, name), { force: true });
    for (let folder = dirname(name); folder !== '.' && folder !== sep; folder = dirname(folder)) {
      try {
        await rmdir(join(this.place, folder));
      } catch {
        return;
      }
    }
  }

  /** It is never made: where a disk is not mounted, backups would go to the disk that they are to outlive. */
  async #checkFolder(): Promise<void> {
    const found = await stat(this.place).catch(() => null);
    if (found?.isDirectory()) return;
    throw new Fault('no-room', `the folder ${this.place} does not exist: is its disk mounted?`);
  }

  /** Node's `mkdir` reports a read-only file system as a missing folder. */
  async #checkWritable(): Promise<void> {
    try {
      await access(this.place, constants.W_OK | constants.X_OK);
    } catch (error) {
      const advice = WRITE_ADVICE[errorCode(error) ?? ''] ?? messageOf(error);
      throw new Fault('no-room', `the folder ${this.place} cannot be written: ${advice}`, { cause: error });
    }
  }
}

class BucketStore implements BackupStore {
  readonly place: string;
  readonly #bucket: S3Bucket;
  readonly #prefix: string;

  constructor(bucket: S3Bucket, prefix: string, place: string) {
    this.#bucket = bucket;
    this.#prefix = prefix;
    this.place = place;
  }

  async put(name: string, content: Uint8Array): Promise<void> {
    await this.#bucket.put(this.#prefix + name, content, 'application/octet-stream');
  }

  async get(name: string): Promise<ReadableStream<Uint8Array> | null> {
    return (await this.#bucket.get(this.#prefix + name))?.body ?? null;
  }

  async *list(prefix: string): AsyncGenerator<string> {
    for await (const key of this.#bucket.list(this.#prefix + prefix)) yield key.slice(this.#prefix.length);
  }

  async delete(name: string): Promise<void> {
    await this.#bucket.delete(this.#prefix + name);
  }
}
