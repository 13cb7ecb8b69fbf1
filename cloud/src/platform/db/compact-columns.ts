import { DAY_MS } from '@hlid/protocol/base/durations';
import { is, type SQL, sql } from 'drizzle-orm';
import { customType, type SQLiteColumn, SQLiteCustomColumn } from 'drizzle-orm/sqlite-core';

/**
 * Columns of tables that have many rows for each visit: 16 bytes instead of 36 for an id, 2 for that of a
 * site, 6 instead of 24 for a time. They convert the values that they are compared with (sql.ts): raw SQL
 * compares them with each other only, and with `sql.param(value, column)`. `shownId` and `shownTime` show one
 * as text in SQL; `jsonObject` uses them itself.
 */

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const UUID_DIGITS = 32;
const DIGITS = /^[\dA-F]{32,46}$/;
const EVENT = /^(.{36})-([1-9]\d{0,14})$/;

type StoredId = string | Uint8Array | ArrayBuffer;

/**
 * A UUID as 16 bytes; the id of an event, `{epoch}-{seq}`, as a UUID and as many bytes as its number needs. Other texts
 * are stored as they are.
 */
export const compactId = customType<{ data: string; driverData: StoredId }>({
  dataType: () => 'blob',
  toDriver(id) {
    if (UUID.test(id)) return uuidBytes(id);
    const [, epoch = '', seq = ''] = EVENT.exec(id) ?? [];
    if (!UUID.test(epoch)) return id;
    const hex = Number(seq).toString(16);
    return Buffer.concat([uuidBytes(epoch), Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')]);
  },
  fromDriver: (stored) => (typeof stored === 'string' ? stored : idOfHex(bufferOf(stored).toString('hex'))),
});

/** The rest of a site's id behind its number, which makes it a UUID (version 8, RFC 9562). */
const SITE_REST = '-0000-8000-8000-000000000000';
const SITE_DIGITS = 8;
/** Above the largest number of a site. */
export const SITE_NUMBERS = 10 ** SITE_DIGITS;
const SITE_ID = new RegExp(`^\\d{${SITE_DIGITS}}${SITE_REST}$`);

/** The id of a site by its number. */
export function siteIdOf(number: number): string {
  return String(number).padStart(SITE_DIGITS, '0') + SITE_REST;
}

/** The id of a site as its number. Other texts are stored as they are. */
export const compactSiteId = customType<{ data: string; driverData: string | number }>({
  // The type is not `integer`: as a key that would take numbers only.
  dataType: () => 'int',
  toDriver: (id) => (SITE_ID.test(id) ? Number(id.slice(0, SITE_DIGITS)) : id),
  fromDriver: (stored) => (typeof stored === 'number' ? siteIdOf(stored) : stored),
});

/** A UTC time as milliseconds. */
export const compactTime = customType<{ data: string; driverData: number }>({
  dataType: () => 'integer',
  toDriver: (time) => Date.parse(time),
  fromDriver: timeText,
});

/** One of these words as its place in their list. Others are stored as they are, so that an older version reads them too. */
export function compactWord<Word extends string>(name: string, words: readonly Word[]) {
  return customType<{ data: Word; driverData: number | Word }>({
    dataType: () => 'word',
    toDriver(word) {
      const place = words.indexOf(word);
      return place < 0 ? word : place;
    },
    fromDriver(stored): Word {
      const word = typeof stored === 'number' ? words[stored] : stored;
      if (word === undefined) throw new RangeError(`a newer version has stored ${name} ${stored}`);
      return word;
    },
  })(name);
}

/** The embedded database answers with a Buffer, a server's client with an ArrayBuffer. */
function bufferOf(stored: Uint8Array | ArrayBuffer): Buffer {
  if (stored instanceof ArrayBuffer) return Buffer.from(stored);
  return Buffer.isBuffer(stored) ? stored : Buffer.from(stored);
}

function uuidBytes(uuid: string): Buffer {
  return Buffer.from(uuid.replaceAll('-', ''), 'hex');
}

function idOfHex(hex: string): string {
  const uuid = uuidOfHex(hex);
  return hex.length === UUID_DIGITS ? uuid : `${uuid}-${Number.parseInt(hex.slice(UUID_DIGITS), 16)}`;
}

/** @param hex at least 32 digits, in small letters; further ones do not count */
export function uuidOfHex(hex: string): string {
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`;
}

const THREE_DIGITS = Array.from({ length: 1000 }, (_, n) => String(n).padStart(3, '0'));
const TWO_DIGITS = THREE_DIGITS.slice(0, 60).map((digits) => digits.slice(1));
let lastDay = { day: Number.NaN, text: '' };

/** The same text as `toISOString`, in a third of the time: rows of a list are mostly of one day. */
export function timeText(ms: number): string {
  const day = Math.floor(ms / DAY_MS);
  if (day !== lastDay.day)
    lastDay = { day, text: new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length) };
  const seconds = Math.floor((ms - day * DAY_MS) / 1000);
  const minutes = Math.floor(seconds / 60);
  const [hour, minute, second] = [Math.floor(minutes / 60), minutes % 60, seconds % 60];
  return `${lastDay.text}${TWO_DIGITS[hour]}:${TWO_DIGITS[minute]}:${TWO_DIGITS[second]}.${THREE_DIGITS[ms - Math.floor(ms / 1000) * 1000]}Z`;
}

/** The stored form of `value`, a text, by the SQL type of its column. */
export const STORED_IDS: Readonly<Record<string, SQL>> = {
  blob: sql`CASE length(value) WHEN 36 THEN unhex(value, '-') ELSE value END`,
  int: sql.raw(
    `CASE WHEN value GLOB '${'[0-9]'.repeat(SITE_DIGITS)}${SITE_REST}' THEN CAST(substr(value, 1, ${SITE_DIGITS}) AS INTEGER) ELSE value END`,
  ),
};

/**
 * The selection of a query of many rows, with ids read as text: the embedded driver takes several times
 * longer for bytes. The rows are the same.
 */
export function listed<Selection extends Record<string, SQLiteColumn | SQL>>(
  selection: Selection,
): Selection {
  const isId = (part: SQLiteColumn | SQL) => is(part, SQLiteCustomColumn) && part.getSQLType() === 'blob';
  return Object.fromEntries(
    Object.entries(selection).map(([name, part]) => [
      name,
      isId(part) ? digitsOfId(part).mapWith(idOfDigits) : part,
    ]),
  ) as Selection;
}

/** An id as `idOfDigits` takes it. */
export function digitsOfId(id: SQLiteColumn | SQL): SQL<string> {
  return sql<string>`CASE typeof(${id}) WHEN 'blob' THEN hex(${id}) ELSE ${id} END`;
}

export function idOfDigits(digits: string): string {
  return DIGITS.test(digits) ? idOfHex(digits.toLowerCase()) : digits;
}

/** A compact id as text. */
export function shownId(id: SQLiteColumn | SQL): SQL<string> {
  const hex = (from: number, bytes: number) => sql.raw(`, ${from}, ${bytes})`);
  const part = (from: number, bytes: number) => sql`hex(substr(${id}${hex(from, bytes)})`;
  return sql<string>`CASE typeof(${id}) WHEN 'blob' THEN lower(concat_ws('-', ${part(1, 4)}, ${part(5, 2)},
    ${part(7, 2)}, ${part(9, 2)}, ${part(11, 6)}))
    WHEN 'integer' THEN ${siteIdIn(id)} ELSE ${id} END`;
}

function siteIdIn(number: SQLiteColumn | SQL): SQL<string> {
  return sql<string>`printf(${sql.raw(`'%0${SITE_DIGITS}d${SITE_REST}'`)}, ${number})`;
}

/** The value of a column of ids or times as text. */
export function shownColumn(column: SQLiteColumn): SQL<string> {
  switch (column.getSQLType()) {
    case 'blob':
    case 'int':
      return shownId(column);
    case 'integer':
      return shownTime(column);
    default:
      throw new TypeError(`${column.name}: a ${column.getSQLType()} has no form in JSON`);
  }
}

/** A compact time as text. */
export function shownTime(ms: SQLiteColumn | SQL): SQL<string> {
  // Faster than `strftime`.
  return sql<string>`(replace(datetime(${ms} / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z')`;
}
