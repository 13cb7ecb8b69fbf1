/** Part of a picture: both ends are included. */
export interface ByteRange {
  from: number;
  to: number;
}

export interface StoredPicture {
  contentType: string;
  /** Of the whole picture. */
  bytes: number;
  body: ReadableStream<Uint8Array>;
}

/** Where pictures are kept, by key (`<site>/<day>/<photo id>.<jpg>`). */
export interface PictureStore {
  /** Durable when it resolves; the same key again takes its place. */
  put(key: string, picture: Uint8Array, contentType: string): Promise<void>;
  /** @param range within the picture; absent: all of it. @returns null where there is none */
  get(key: string, range?: ByteRange): Promise<StoredPicture | null>;
  /** No error where there is none. */
  delete(key: string): Promise<void>;
}
