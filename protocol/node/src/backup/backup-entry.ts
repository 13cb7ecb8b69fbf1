import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGunzip, createGzip } from 'node:zlib';
import { Fault } from '@hlid/protocol/base/fault';
import type { Decrypter, Encrypter } from 'age-encryption';
import { bytesAtMost } from '../read-at-most.ts';
import type { BackupStore } from './backup-store.ts';
import { type BackupEntry, partName } from './manifest.ts';

/**
 * The size of the part in memory that is being sent. Every storage and file system has room for files of that
 * size.
 */
const PART_BYTES = 8 * 1024 * 1024;
/** More costs several times the time, and saves a tenth. */
const GZIP_LEVEL = 1;

interface EntryParts {
  store: BackupStore;
  backup: string;
  encrypter: Encrypter;
  signal: AbortSignal;
}

/** Stores a file of a backup as it is read: compressed, encrypted, in parts. */
export async function writeEntry(
  { store, backup, encrypter, signal }: EntryParts,
  name: string,
  content: AsyncIterable<Uint8Array>,
): Promise<BackupEntry> {
  const hash = createHash('sha256');
  let bytes = 0;
  async function* counted() {
    for await (const chunk of content) {
      hash.update(chunk);
      bytes += chunk.byteLength;
      yield chunk;
    }
  }
  const gzip = createGzip({ level: GZIP_LEVEL });
  const packing = pipeline(counted, gzip, { signal });
  // The stream that the packing ends in throws its errors too.
  packing.catch(() => undefined);
  const encrypted = await encrypter.encrypt(Readable.toWeb(gzip) as ReadableStream<Uint8Array>);
  const parts: BackupEntry['parts'] = [];
  for await (const part of inParts(encrypted)) {
    signal.throwIfAborted();
    await store.put(partName(backup, name, parts.length), part);
    parts.push({ bytes: part.byteLength, sha256: sha256(part) });
  }
  await packing;
  return { name, bytes, sha256: hash.digest('hex'), parts };
}

async function* inParts(content: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  let waiting: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of content) {
    waiting.push(chunk);
    bytes += chunk.byteLength;
    if (bytes < PART_BYTES) continue;
    yield Buffer.concat(waiting);
    waiting = [];
    bytes = 0;
  }
  if (bytes > 0) yield Buffer.concat(waiting);
}

/** The content of a file of a backup. Throws Fault 'peer-misbehaved' at its end where it is not what was stored. */
export async function* readEntry(
  { store, backup, decrypter, signal }: Omit<EntryParts, 'encrypter'> & { decrypter: Decrypter },
  entry: BackupEntry,
): AsyncGenerator<Uint8Array> {
  const { name, parts, bytes, sha256: sum } = entry;
  async function* stored() {
    for (const [at, part] of parts.entries()) {
      signal.throwIfAborted();
      const object = partName(backup, name, at);
      const body = await store.get(object);
      if (body === null) throw new Fault('peer-misbehaved', `${object} is missing`);
      const content = await bytesAtMost(body, part.bytes);
      if (content === null || sha256(content) !== part.sha256)
        throw new Fault('peer-misbehaved', `${object} is damaged`);
      yield content;
    }
  }
  const hash = createHash('sha256');
  let read = 0;
  const gunzip = createGunzip();
  const decrypted = await decryptedStream(decrypter, Readable.toWeb(Readable.from(stored())));
  const unpacking = pipeline(Readable.fromWeb(decrypted), gunzip, { signal });
  unpacking.catch(() => undefined);
  for await (const chunk of gunzip as AsyncIterable<Uint8Array>) {
    hash.update(chunk);
    read += chunk.byteLength;
    if (read > bytes) throw new Fault('peer-misbehaved', `${name} of ${backup} is larger than it was`);
    yield chunk;
  }
  await unpacking;
  if (read === bytes && hash.digest('hex') === sum) return;
  throw new Fault('peer-misbehaved', `${name} of ${backup} is not what was stored`);
}

type WebStream = Parameters<typeof Readable.fromWeb>[0];

async function decryptedStream(decrypter: Decrypter, content: unknown): Promise<WebStream> {
  try {
    return (await decrypter.decrypt(content as ReadableStream<Uint8Array>)) as unknown as WebStream;
  } catch (error) {
    if (error instanceof Fault) throw error;
    throw new Fault('config-invalid', 'the secret key does not fit this backup', { cause: error });
  }
}

function sha256(content: Uint8Array): string {
  return createHash('sha256').update(content).digest('hex');
}
