import { DAY_MS } from '@hlid/protocol/base/durations';
import { type GetColumnData, Placeholder, type SQL, sql } from 'drizzle-orm';
import { customType, type SQLiteColumn } from 'drizzle-orm/sqlite-core';

/**
 * Columns of tables that have many rows for each visit: 16 bytes instead of 36 for an id, 2 for that of a site, 6 instead
 * of 24 for a time.
 * Drizzle converts a value that is compared with the column itself (`eq(table.siteId, id)`). In raw SQL, behind a `+`
 * and for a placeholder say `asStored(column, value)`; where SQL shows one as text, `shownId` and `shownTime`.
 */

const UUID = /^[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;
const UUID_BYTES = 16;
const DIGITS = /^[\dA-F]{32,46}$/;
const EVENT = /^(.{36})-([1-9]\d{0,14})$/;

type StoredId = string | Uint8Array | ArrayBuffer;

/** A UUID as 16 bytes. Other texts are stored as they are. */
export const compactId = customType<{ data: string; driverData: StoredId }>({
  dataType: () => 'blob',
  toDriver: (id) => (UUID.test(id) ? uuidBytes(id) : id),
  fromDriver: (stored) => (typeof stored === 'string' ? stored : uuidText(bufferOf(stored))),
});

/** The id of an event, `{epoch}-{seq}`: a UUID and as many bytes as its number needs. Other texts stay as they are. */
export const compactEventId = customType<{ data: string; driverData: StoredId }>({
  dataType: () => 'blob',
  toDriver(id) {
    const [, epoch = '', seq = ''] = EVENT.exec(id) ?? [];
    if (!UUID.test(epoch)) return id;
    const hex = Number(seq).toString(16);
    return Buffer.concat([uuidBytes(epoch), Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex')]);
  },
  fromDriver(stored) {
    if (typeof stored === 'string') return stored;
    const bytes = bufferOf(stored);
    const seq = Number.parseInt(bytes.toString('hex', UUID_BYTES), 16);
    return `${uuidText(bytes)}-${seq}`;
  },
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
  // Not `integer`: as a key that would take numbers only.
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
    dataType: () => 'integer',
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

function uuidText(bytes: Buffer): string {
  return uuidOfHex(bytes.toString('hex', 0, UUID_BYTES));
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

/** A value, or the placeholder of that name, as the column stores it. */
export function asStored(column: SQLiteColumn, value: unknown): SQL {
  return sql`${sql.param(value, column)}`;
}

/** The value of a prepared query that is compared with a column. */
export function placeholderOf(column: SQLiteColumn, name: string): SQL {
  return asStored(column, new Placeholder(name));
}

/** Whether a column is the value of a prepared query. */
export function eqPlaceholder(column: SQLiteColumn, name: string): SQL {
  return sql`${column} = ${placeholderOf(column, name)}`;
}

const storedIds: Readonly<Record<string, SQL>> = {
  blob: sql`CASE length(value) WHEN 36 THEN unhex(value, '-') ELSE value END`,
  int: sql.raw(
    `CASE WHEN value GLOB '${'[0-9]'.repeat(SITE_DIGITS)}${SITE_REST}' THEN CAST(substr(value, 1, ${SITE_DIGITS}) AS INTEGER) ELSE value END`,
  ),
};

/** Whether a column is one of these ids, by the bytes of a JSON list of texts. */
export function idsOfList(column: SQLiteColumn, list: string | Placeholder): SQL {
  return sql`(SELECT ${storedIds[column.getSQLType()] ?? sql`value`} FROM json_each(${list}))`;
}

/**
 * A compact id as a column of a query that reads many rows: the embedded driver takes several times longer for bytes than
 * for a text.
 */
export function listedId<Column extends SQLiteColumn>(id: Column): SQL<GetColumnData<Column>> {
  return digitsOfId(id).mapWith(idOfDigits);
}

/** The same as it comes, for `idOfDigits`. */
export function digitsOfId<Column extends SQLiteColumn>(id: Column): SQL<GetColumnData<Column>> {
  return sql<GetColumnData<Column>>`CASE typeof(${id}) WHEN 'blob' THEN hex(${id}) ELSE ${id} END`;
}

export function idOfDigits(digits: string): string {
  if (!DIGITS.test(digits)) return digits;
  const hex = digits.toLowerCase();
  const uuid = uuidOfHex(hex);
  return hex.length === 2 * UUID_BYTES ? uuid : `${uuid}-${Number.parseInt(hex.slice(2 * UUID_BYTES), 16)}`;
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

/** A compact time as text. */
export function shownTime(ms: SQLiteColumn | SQL): SQL<string> {
  // Faster than `strftime`.
  return sql<string>`(replace(datetime(${ms} / 1000.0, 'unixepoch', 'subsec'), ' ', 'T') || 'Z')`;
}
