import type { ByteRange, StoredObject } from '@hlid/node/s3-bucket';

/** Where pictures are kept, by key (`<site>/<day>/<photo id>.<jpg>`): files, or a bucket. */
export interface PictureStore {
  /** Durable when it resolves; the same key again takes its place. */
  put(key: string, picture: Uint8Array, contentType: string): Promise<void>;
  /** @param range within the picture; absent: all of it. @returns null where there is none */
  get(key: string, range?: ByteRange): Promise<StoredObject | null>;
  /** No error where there is none. */
  delete(key: string): Promise<void>;
}
