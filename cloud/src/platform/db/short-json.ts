import { customType, type SQLiteColumn } from 'drizzle-orm/sqlite-core';
import { timeText, uuidOfHex } from './compact-columns.ts';
import { type SQL, sql } from './sql.ts';

/**
 * JSON columns of tables that have many rows for each visit, and that no SQL looks into. The usual words are
 * one or two control characters each, a UUID is 23 characters instead of 38 and a time 9 instead of 26. JSON
 * itself has no control characters, so any other JSON is stored unchanged and read back the same. The rest
 * stays plain, so that plates are still found in the stored text.
 */

/** A UUID in quotes: this, and 22 digits of base 64. */
const UUID_MARK = '\u0001';
const UUID_DIGITS = 22;
/** A time in quotes: this, and its milliseconds in 8 digits of base 64. */
const TIME_MARK = '\u001f';
const TIME_DIGITS = 8;
const TIME_BYTES = 6;
/** The characters before it stand for one word each; these three begin a word of two characters. */
const FIRST_PREFIX = 0x1c;
const PREFIXES = 3;
const LAST_CODE = 0x1f;
/** The second character of such a word: none that JSON or a plate could begin with. */
const SECOND = [...'\u0002\u0003\u0004\u0005\u0006\u0007\u0008\u000b\u000c\u000e\u000f\u0010\u0011\u0012'];

/**
 * Stored text can only be read with these words in this order: new ones go to the end of the second list.
 * Each has a quote or a bracket, so that none is a part of typed text, such as a plate.
 */
const WORDS: readonly string[] = [
  // Candidates of a plate.
  '[{"plate":"',
  '","score":0.',
  '},{"plate":"',
  '}]',
  // Decisions.
  '{"open":true,"reason":"',
  '{"open":false,"reason":"',
  '","visit":{"kind":"start","status":"new","lostExitOf":null},"settlement":null,"flags":[]}',
  '","visit":{"kind":"end","visitId":',
  '","visit":{"kind":"ask","visitId":',
  ',"settled":true},"settlement":null,"flags":[]}',
  ',"settled":true},"settlement":"',
  '","flags":[]}',
  '},"settlement":null,"flags":[',
  // Lines of prices and invoices.
  '[{"rule":"unit","units":',
  ',"amountMinor":',
  ',"unitMinor":',
  '[{"rule":"visit","visitId":',
  ',"plate":"',
  '","units":',
  ',"vatRate":24}',
  '[{"siteId":',
  ',"vehicleCategory":"light","invoices":1,"amountMinor":',
  '[{"rate":24,"netMinor":',
  ',"vatMinor":',
  // Texts in a list.
  '","',
  // Products that priced a stay.
  ',"version":',
];

const RARE_WORDS: readonly string[] = [
  '{"reference":"',
  '","authorisation":"',
  '","card":{"type":"visa","lastFour":"',
  '","card":{"type":"mastercard","lastFour":"',
  '"}}',
  '{"id":',
  '["',
  '"]',
  '","visit":{"kind":"none"},"settlement":null,"flags":[]}',
  '","visit":{"kind":"none"},"settlement":null,"flags":[',
  '","visit":{"kind":"start","status":"new","lostExitOf":',
  '","visit":{"kind":"start","status":"need-plate","lostExitOf":null},"settlement":null,"flags":["unreadable-plate"]}',
  '","visit":{"kind":"review","visitId":',
  ',"settled":false},"settlement":null,"flags":[',
  ',"settled":true},"settlement":null,"flags":[',
  ',"doubtful":true},"settlement":null,"flags":[',
  ',"flags":[],"quotaUnits":',
  ',"vehicleCategory":"light","invoices":0,"amountMinor":',
  ',"vehicleCategory":"heavy","invoices":1,"amountMinor":',
  ',"plate":null,"units":',
  '[{"rule":"visit","visitId":null,"plate":null,"units":',
  ',{"rule":"visit","visitId":',
  ',{"rule":"discount","visitId":',
  ',{"rule":"service-fee","visitId":',
  ',{"rule":"late-fee","visitId":',
  ',{"rule":"units-met","units":',
  ',{"rule":"unit","units":',
  // Prices of visits.
  '{"amountMinor":',
  ',"currency":"ISK","lines":',
  '}],"product":{"id":',
  ',"pricedAt":',
];

const codes = new Map<string, string>([
  ...WORDS.map((word, n) => [word, String.fromCharCode(UUID_MARK.charCodeAt(0) + 1 + n)] as const),
  ...RARE_WORDS.map((word, n) => [word, rareCode(n)] as const),
]);
const words = new Map([...codes].map(([word, code]) => [code, word]));

const escaped = (text: string) => text.replace(/[\\^$.*+?()[\]{}|]/g, String.raw`\$&`);
const UUID = '"[\\da-f]{8}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{4}-[\\da-f]{12}"';
const TIME = '"\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d\\.\\d{3}Z"';
/** The longest first, since the first that fits counts. */
const LONG = new RegExp(
  [UUID, TIME, ...[...codes.keys()].sort((a, b) => b.length - a.length).map(escaped)].join('|'),
  'g',
);
function rareCode(n: number): string {
  const prefix = FIRST_PREFIX + Math.floor(n / SECOND.length);
  if (prefix >= FIRST_PREFIX + PREFIXES) throw new RangeError('there are codes for no more words');
  return String.fromCharCode(prefix) + SECOND[n % SECOND.length];
}

export function shortenJson(json: string): string {
  return json.replace(
    LONG,
    (long) => codes.get(long) ?? (long.endsWith('Z"') ? shortTime(long) : shortUuid(long)),
  );
}

function shortUuid(quoted: string): string {
  return UUID_MARK + Buffer.from(quoted.replaceAll(/["-]/g, ''), 'hex').toString('base64url');
}

function shortTime(quoted: string): string {
  const ms = Date.parse(quoted.slice(1, -1));
  // No day of the calendar, or before 1970.
  if (!(ms >= 0) || quoted !== longTime(ms)) return quoted;
  const bytes = Buffer.alloc(TIME_BYTES);
  bytes.writeUIntBE(ms, 0, TIME_BYTES);
  return TIME_MARK + bytes.toString('base64url');
}

function longTime(ms: number): string {
  return `"${timeText(ms)}"`;
}

export function lengthenJson(stored: string): string {
  let json = '';
  let from = 0;
  for (let at = 0; at < stored.length; at++) {
    if (stored.charCodeAt(at) > LAST_CODE) continue;
    json += stored.slice(from, at);
    const first = stored.charAt(at);
    if (first === UUID_MARK) {
      json += longUuid(stored.slice(at + 1, at + 1 + UUID_DIGITS));
      at += UUID_DIGITS;
    } else if (first === TIME_MARK) {
      const digits = stored.slice(at + 1, at + 1 + TIME_DIGITS);
      json += longTime(Buffer.from(digits, 'base64url').readUIntBE(0, TIME_BYTES));
      at += TIME_DIGITS;
    } else {
      const code = stored.charCodeAt(at) < FIRST_PREFIX ? first : stored.slice(at, at + 2);
      const word = words.get(code);
      if (word === undefined) throw new RangeError('a newer version has stored this');
      json += word;
      at += code.length - 1;
    }
    from = at + 1;
  }
  return json + stored.slice(from);
}

function longUuid(digits: string): string {
  return `"${uuidOfHex(Buffer.from(digits, 'base64url').toString('hex'))}"`;
}

/** Whether such a column has a word, which it may have in either form. */
export function hasWord(column: SQLiteColumn, word: string): SQL {
  const has = (form: string) => sql`instr(${column}, ${sql.param(form)}) > 0`;
  return sql`(${has(word)} OR ${has(codes.get(word) ?? word)})`;
}

/** A column of such JSON. */
export function shortJson<Value>(name: string) {
  return customType<{ data: Value; driverData: string }>({
    dataType: () => 'text',
    toDriver: (value) => shortenJson(JSON.stringify(value)),
    fromDriver: (stored): Value => JSON.parse(lengthenJson(stored)),
  })(name);
}
