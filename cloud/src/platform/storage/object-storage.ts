import type { ByteRange, StoredObject } from '@hlid/node/s3-bucket';

/** The storage of pictures and packages, by key: a folder, or a bucket. */
export interface ObjectStorage {
  /** Durable when it resolves; the same key again takes its place. */
  put(key: string, content: Uint8Array, contentType: string): Promise<void>;
  /** @param range within the object; absent: all of it. @returns null where there is none */
  get(key: string, range?: ByteRange): Promise<StoredObject | null>;
  /** No error where there is none. */
  delete(key: string): Promise<void>;
}
