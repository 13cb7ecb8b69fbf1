import { randomUUID } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import { dirname, extname, join } from 'node:path';
import { Readable } from 'node:stream';
import { syncFolder, writeDurably } from '@hlid/node/durable-files';
import type { ByteRange, StoredObject } from '@hlid/node/s3-bucket';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import type { ObjectStorage } from './object-storage.ts';

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.deb': 'application/vnd.debian.binary-package',
  '.jpg': 'image/jpeg',
  '.png': 'image/png',
};

/** No key begins with a dot. */
const PARTS = '.parts';
/** No file is written for this long: what is left is of a crash. */
const FORGOTTEN_MS = HOUR_MS;

/** Files in a folder, each durable and whole before it has its name. */
export class FolderStorage implements ObjectStorage {
  readonly #folder: string;
  readonly #keys: RegExp;

  /** @param keys what a key looks like */
  constructor(folder: string, keys: RegExp) {
    this.#folder = folder;
    this.#keys = keys;
  }

  async put(key: string, content: Uint8Array, _contentType: string): Promise<void> {
    const path = this.#path(key);
    // A unique name: the same file may be put twice at once.
    const part = join(this.#folder, PARTS, randomUUID());
    await mkdir(dirname(part), { recursive: true, mode: 0o700 });
    await mkdir(dirname(path), { recursive: true, mode: 0o700 });
    try {
      await writeDurably(part, content);
      await rename(part, path);
    } catch (error) {
      await rm(part, { force: true });
      throw error;
    }
    await syncFolder(dirname(path));
  }

  async get(key: string, range?: ByteRange): Promise<StoredObject | null> {
    const path = this.#path(key);
    const found = await stat(path).catch(() => null);
    if (found === null) return null;
    const body = createReadStream(path, range && { start: range.from, end: range.to });
    return {
      contentType: CONTENT_TYPES[extname(key)] ?? 'application/octet-stream',
      bytes: found.size,
      body: Readable.toWeb(body) as ReadableStream<Uint8Array>,
    };
  }

  async delete(key: string): Promise<void> {
    await rm(this.#path(key), { force: true });
    await this.#forgetParts();
  }

  async #forgetParts(): Promise<void> {
    const folder = join(this.#folder, PARTS);
    for (const name of await readdir(folder).catch(() => [])) {
      const part = join(folder, name);
      const found = await stat(part).catch(() => null);
      if (found && Date.now() - found.mtimeMs > FORGOTTEN_MS) await rm(part, { force: true });
    }
  }

  #path(key: string): string {
    if (!this.#keys.test(key)) throw new RangeError('not a key of this store');
    return join(this.#folder, key);
  }
}
