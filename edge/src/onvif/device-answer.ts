/** A device's answer as far as it has come, read by what it means and not by what HTTP demands. */
export interface ReadAnswer {
  status: number;
  /** The headers by name in lower case; of several the first. */
  headers: Readonly<Record<string, string>>;
  /** The logins that the device offers. */
  challenges: string[];
  body: Buffer;
  /**
   * `no`: more must come; `perhaps`: it has its announced length, and its document goes on; `yes`: nothing
   * more comes.
   */
  isWhole: 'no' | 'perhaps' | 'yes';
  /** The number of bytes after which it ends, as it reports; null: it does not report that. */
  endsAt: number | null;
  /** The violations of HTTP, for the installer. */
  faults: string[];
}

interface Head {
  status: number;
  headers: Record<string, string>;
  challenges: string[];
  faults: string[];
  /** The length of the head: the body begins there. */
  length: number;
}

const MAX_HEAD_BYTES = 32 * 1024;
const STRICT_STATUS = /^HTTP\/\d\.\d (\d{3})(?: .*)?$/;
const LOOSE_STATUS = /^(?:[A-Za-z]{2,8}(?:\/\d?(?:\.\d)?)?\s+)?([1-5]\d{2})(?!\d)/;
const HEADER = /^([!#$%&'*+\-.^_`|~0-9A-Za-z]+)[ \t]*:(.*)$/;
const STARTS_AS_ENVELOPE = /<(?:[\w-]{1,40}:)?Envelope[\s>]/;
const ENDS_AS_ENVELOPE = /<\/(?:[\w-]{1,40}:)?Envelope\s*>[\s\0]*(?:0\s*)?$/;
/** Some write more behind their document. */
const HAS_END = /<\/(?:[\w-]{1,40}:)?Envelope\s*>/;
const MAX_TAIL_BYTES = 1024;
const MAX_BEGINNING_BYTES = 2048;
const MAX_END_BYTES = 100;

/**
 * Reads an answer of a device with faulty HTTP: without a status line, without a head, with a wrong length, with
 * chunks that are none. Null: not even its head is there yet.
 *
 * @param ended the device has closed the connection
 */
export function readDeviceAnswer(bytes: Buffer, ended: boolean): ReadAnswer | null {
  const head = readHead(bytes, ended);
  if (head === null) return null;
  // The device sends an interim answer before the real one.
  if (head.status < 200 && head.length > 0) return readDeviceAnswer(bytes.subarray(head.length), ended);
  const { length, ...answer } = head;
  const rest = bytes.subarray(length);
  if (head.status === 204 || head.status === 304) {
    return { ...answer, body: Buffer.alloc(0), isWhole: 'yes', endsAt: null };
  }
  const isChunked = /\bchunked\b/i.test(head.headers['transfer-encoding'] ?? '');
  const chunked = isChunked ? readChunks(rest) : null;
  if (chunked !== null) {
    const whole = documentState(chunked.body, chunked.isWhole);
    return { ...answer, body: chunked.body, isWhole: whole === 'perhaps' ? 'yes' : whole, endsAt: null };
  }
  if (isChunked) answer.faults.push('its chunks are broken');
  const announced = isChunked ? null : announcedLength(head.headers['content-length']);
  return withLength(answer, rest, announced, { ended, headBytes: length });
}

function withLength(
  answer: Omit<ReadAnswer, 'body' | 'isWhole' | 'endsAt'>,
  rest: Buffer,
  announced: number | null,
  { ended, headBytes }: { ended: boolean; headBytes: number },
): ReadAnswer {
  const hasEnd = !isEnvelope(rest) || HAS_END.test(rest.subarray(-MAX_TAIL_BYTES).toString('latin1'));
  const isLongEnough = announced === null ? ended && hasEnd : rest.length >= announced;
  const endsAt = announced === null ? null : headBytes + announced;
  const isWhole = documentState(rest, isLongEnough);
  // Some count the line end after their document, and some do not.
  const differs = announced !== null && Math.abs(rest.length - announced) > MAX_LINE_END;
  if (!isEnvelope(rest)) {
    // Bytes after the announced end belong to no answer.
    const body = announced === null ? rest : rest.subarray(0, announced);
    return { ...answer, body, isWhole, endsAt };
  }
  if (isWhole !== 'no' && differs) answer.faults.push('it has another length than it says');
  return { ...answer, body: rest, isWhole, endsAt };
}

const MAX_LINE_END = 4;

function isEnvelope(body: Buffer): boolean {
  return STARTS_AS_ENVELOPE.test(body.subarray(0, MAX_BEGINNING_BYTES).toString('latin1'));
}

/** A document shows by itself where it ends; of anything else, its length does. */
function documentState(body: Buffer, isLongEnough: boolean): ReadAnswer['isWhole'] {
  if (!isEnvelope(body)) return isLongEnough ? 'yes' : 'no';
  if (ENDS_AS_ENVELOPE.test(body.subarray(-MAX_END_BYTES).toString('latin1'))) return 'yes';
  return isLongEnough ? 'perhaps' : 'no';
}

function announcedLength(given: string | undefined): number | null {
  return given !== undefined && /^\d{1,9}$/.test(given) ? Number(given) : null;
}

/** Null: it is not all there. */
function readHead(bytes: Buffer, ended: boolean): Head | null {
  const text = bytes.subarray(0, MAX_HEAD_BYTES).toString('latin1');
  const [firstLine = ''] = text.split(/\r?\n/, 1);
  const isFirstWhole = firstLine.length < text.length || ended || text.length === MAX_HEAD_BYTES;
  const status = LOOSE_STATUS.exec(firstLine);
  const noHead = { status: 200, headers: {}, challenges: [], faults: ['it has no status line'], length: 0 };
  // A document, a picture, or a word.
  if (text !== '' && /^\s*</.test(text)) return noHead;
  if (text.trim() === '' || !isFirstWhole) return null;
  if (status === null && !HEADER.test(firstLine)) return noHead;
  return readLines(text, status, ended);
}

function readLines(text: string, status: RegExpExecArray | null, ended: boolean): Head | null {
  const headers: Record<string, string> = {};
  const challenges: string[] = [];
  const faults = new Set<string>();
  let at = 0;
  let isFirst = true;
  for (;;) {
    const feed = text.indexOf('\n', at);
    const line = text.slice(at, feed === -1 ? text.length : feed).replace(/\r$/, '');
    const beginsDocument = /^\s*</.test(line);
    if (feed === -1 && !beginsDocument && !ended && text.length < MAX_HEAD_BYTES) return null;
    if (isFirst && status !== null) {
      if (!STRICT_STATUS.test(line)) faults.add('its status line is not as HTTP has it');
    } else if (line === '' || beginsDocument || feed === -1) {
      if (line !== '') faults.add('its head does not end');
      const length = line === '' && feed !== -1 ? feed + 1 : at;
      return headOf({ status, headers, challenges, faults }, length);
    } else {
      readHeader(line, headers, challenges, faults);
    }
    if (isFirst && status === null) faults.add('it has no status line');
    isFirst = false;
    if (feed === -1) return headOf({ status, headers, challenges, faults }, text.length);
    at = feed + 1;
  }
}

function readHeader(
  line: string,
  headers: Record<string, string>,
  challenges: string[],
  faults: Set<string>,
): void {
  if (/^[ \t]/.test(line)) return;
  const [, name = '', value = ''] = HEADER.exec(line) ?? [];
  if (name === '') {
    faults.add('a line of its head is no header');
    return;
  }
  const key = name.toLowerCase();
  headers[key] ??= value.trim();
  if (key === 'www-authenticate') challenges.push(value.trim());
}

function headOf(
  {
    status,
    headers,
    challenges,
    faults,
  }: {
    status: RegExpExecArray | null;
    headers: Record<string, string>;
    challenges: string[];
    faults: ReadonlySet<string>;
  },
  length: number,
): Head {
  // An offered login counts as demanded if there is no status line.
  const assumed = challenges.length > 0 ? 401 : 200;
  return {
    status: status === null ? assumed : Number(status[1]),
    headers,
    challenges,
    faults: [...faults],
    length,
  };
}

/** The body of chunks, as far as they have come; null: these are no chunks. */
function readChunks(bytes: Buffer): { body: Buffer; isWhole: boolean } | null {
  const chunks: Buffer[] = [];
  let at = 0;
  const result = (isWhole: boolean) => ({ body: Buffer.concat(chunks), isWhole });
  for (;;) {
    const feed = bytes.indexOf('\n', at);
    const line = bytes
      .subarray(at, feed === -1 ? undefined : feed)
      .toString('latin1')
      .trim();
    if (feed === -1) return line.length <= 16 && /^[\da-f]*$/i.test(line) ? result(false) : null;
    const [size = ''] = /^[\da-f]{1,7}(?=\s*(?:;|$))/i.exec(line) ?? [];
    if (size === '') return null;
    const length = Number.parseInt(size, 16);
    if (length === 0) return result(true);
    const from = feed + 1;
    chunks.push(bytes.subarray(from, from + length));
    at = from + length;
    if (at > bytes.length) return result(false);
    // The line end behind the chunk.
    const after = bytes.subarray(at, at + 2).toString('latin1');
    if (after.length < 2 && !after.startsWith('\n')) return result(false);
    if (after === '\r\n') at += 2;
    else if (after.startsWith('\n')) at += 1;
    else return null;
  }
}
