/** More than any code has: what is longer is noise, or a code of something else. */
const MAX_LINE_BYTES = 512;
/** Line feed, carriage return, and the end-of-text that some scanners are set to. */
const ENDS: ReadonlySet<number> = new Set([0x0a, 0x0d, 0x03]);
/** Some scanners are set to begin with it. */
const START_OF_TEXT = 0x02;

/** Lines out of the bytes of a scanner, whichever line end it is set to. Empty ones and too long ones are left out. */
export class LineCollector {
  readonly #bytes: number[] = [];
  #isTooLong = false;

  take(chunk: Uint8Array): string[] {
    const lines: string[] = [];
    for (const byte of chunk) {
      if (ENDS.has(byte)) {
        const line = this.#isTooLong ? '' : Buffer.from(this.#bytes).toString('utf8').trim();
        if (line !== '') lines.push(line);
        this.#bytes.length = 0;
        this.#isTooLong = false;
      } else if (this.#bytes.length >= MAX_LINE_BYTES) {
        this.#isTooLong = true;
      } else if (byte !== START_OF_TEXT) {
        this.#bytes.push(byte);
      }
    }
    return lines;
  }
}
