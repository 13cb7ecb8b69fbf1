import { constants, crc32, deflateRawSync } from 'node:zlib';
import { Zip, type ZipInputFile } from 'fflate';

/** The fastest: what is written here is as repetitive as can be. */
const LEVEL = 1;

/** A zip archive that is written as it grows: `take` gives what has come together since the last time. */
export class ZipStream {
  readonly #zip = new Zip((error, bytes) => {
    if (error) throw error;
    this.#ready.push(bytes);
  });
  #ready: Uint8Array[] = [];

  /** Begins a file. One is ended before the next is begun. */
  begin(path: string): ZippedFile {
    const file = new ZippedFile(path);
    this.#zip.add(file);
    return file;
  }

  /** A small file in one. */
  add(path: string, content: string): void {
    const file = this.begin(path);
    file.add(content);
    file.end();
  }

  /** Ends the archive: only `take` may follow. */
  end(): void {
    this.#zip.end();
  }

  /** Takes the bytes in a separate memory, so that they can be transferred. */
  take(): Uint8Array {
    const bytes = new Uint8Array(this.#ready.reduce((sum, { byteLength }) => sum + byteLength, 0));
    let at = 0;
    for (const piece of this.#ready) {
      bytes.set(piece, at);
      at += piece.byteLength;
    }
    this.#ready = [];
    return bytes;
  }
}

/** A file within the archive, compressed by zlib: several times as fast as in JavaScript. */
export class ZippedFile implements ZipInputFile {
  readonly filename: string;
  /** Deflate. */
  readonly compression = 8;
  crc = 0;
  size = 0;
  /** The archive sets this. */
  ondata: NonNullable<ZipInputFile['ondata']> = () => undefined;

  constructor(path: string) {
    this.filename = path;
  }

  add(content: string): void {
    const bytes = Buffer.from(content);
    this.size += bytes.byteLength;
    this.crc = crc32(bytes, this.crc);
    // A full flush ends on a byte and refers to nothing before it: the pieces one after another are one stream.
    const finishFlush = constants.Z_FULL_FLUSH;
    this.ondata(null, deflateRawSync(bytes, { level: LEVEL, finishFlush }), false);
  }

  end(): void {
    this.ondata(null, deflateRawSync(new Uint8Array(0)), true);
  }
}
