import { SECOND_MS } from '@hlid/protocol/base/durations';
import { inputWords } from '@hlid/protocol/base/mistakes/input-words';
import { momentOf } from '@hlid/protocol/base/moment';
import { CurrencySchema } from '@hlid/protocol/base/money';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { readYaml } from '@hlid/protocol/command-line/read-yaml';
import { normalisePlate } from '@hlid/protocol/plate/plate';
import { VehicleCategorySchema } from '@hlid/protocol/plate/vehicle-category';
import { z } from '@hono/zod-openapi';
import { noSuchTime } from './no-such-time.ts';
import { readStayTable } from './stay-table.ts';

/** A stay that was, and what it cost. */
export interface PastStay {
  id: string;
  startedAt: UtcTime;
  endedAt: UtcTime;
  /** Normalised; null: not known. */
  plate: string | null;
  category: 'light' | 'heavy' | null;
  /** The price before payments, quotas and waivers were taken off; null: it has none. */
  wasMinor: number | null;
  currency: string | null;
}

const WHOLE = 'a whole number in the currency’s minor unit';
const AmountSchema = z
  .union(
    [
      z.number(),
      z
        .string()
        .trim()
        .regex(/^\d{1,15}$/)
        .transform(Number),
    ],
    WHOLE,
  )
  .pipe(z.int(WHOLE).min(0, WHOLE));
const TimeSchema = z.string('a time is missing').trim().min(1, 'a time is missing');
/** A category that is unknown, or not one of our words, counts as light. */
const CategorySchema = VehicleCategorySchema.nullish().catch(null);
/** Visits that cost nothing whatever the tariff. */
const FREE = ['whitelisted', 'void'];

const PriceSchema = z.looseObject({
  amount: AmountSchema,
  currency: CurrencySchema,
});

/** A visit as the API lists it, or a row of a spreadsheet with the same names. */
const StaySchema = z.looseObject({
  id: z.union([z.string(), z.number().transform(String)]).optional(),
  startedOn: TimeSchema,
  endedOn: z.string().nullish(),
  plate: z.string().nullish(),
  price: z.union([PriceSchema, AmountSchema, z.literal('')], `${WHOLE}, or {amount, currency}`).nullish(),
  amount: z.union([AmountSchema, z.literal('')], WHOLE).nullish(),
  currency: z.string().nullish(),
  paymentStatus: z.string().nullish(),
  vehicleCategory: CategorySchema,
  vehicle: z.looseObject({ category: CategorySchema }).nullish(),
});
type Stay = z.infer<typeof StaySchema>;
/** A page of the API; `next` names the page after it. */
const PageSchema = z.looseObject({ data: z.array(z.unknown()), next: z.string().nullish() });

/**
 * Reads visits: JSON as the API lists them (`data`), an array, one object a line, one alone, or CSV: with the
 * columns `startedOn`, `endedOn` and, where they are known, `id`, `amount`, `currency`, `vehicleCategory`,
 * `paymentStatus`, or as the console downloads it. Visits that have not ended (`open`) and those of permits,
 * or void (`free`), are left out and counted. If not `complete`, the API has more pages than the file.
 */
export function readStays(
  file: string,
  timeZone: string,
):
  | { ok: true; stays: PastStay[]; open: number; free: number; complete: boolean }
  | { ok: false; mistakes: string[] } {
  const read = readRows(file);
  if (!read.ok) return read;
  const mistakes: string[] = [];
  const stays: PastStay[] = [];
  let open = 0;
  let free = 0;
  read.value.forEach(({ row, place }, at) => {
    if (!row.endedOn) {
      open++;
      return;
    }
    if (row.paymentStatus && FREE.includes(row.paymentStatus)) {
      free++;
      return;
    }
    const startedAt = secondOf(row.startedOn, timeZone);
    const endedAt = secondOf(row.endedOn, timeZone);
    if (startedAt === null) mistakes.push(`${place}: startedOn: ${noSuchTime(row.startedOn, timeZone)}`);
    if (endedAt === null) mistakes.push(`${place}: endedOn: ${noSuchTime(row.endedOn, timeZone)}`);
    if (startedAt === null || endedAt === null) return;
    if (endedAt < startedAt) mistakes.push(`${place}: endedOn is before startedOn`);
    else stays.push({ ...known(row, at), startedAt, endedAt });
  });
  const { complete } = read;
  return mistakes.length > 0 ? { ok: false, mistakes } : { ok: true, stays, open, free, complete };
}

/** The time in whole seconds, as the file has it, so that one stay has one price whichever way it is read. */
function secondOf(text: string, timeZone: string): UtcTime | null {
  const at = momentOf(text, timeZone);
  return at === null ? null : utcTime(Math.floor(millis(at) / SECOND_MS) * SECOND_MS);
}

function known(row: Stay, at: number): Pick<PastStay, 'id' | 'plate' | 'category' | 'wasMinor' | 'currency'> {
  const price = typeof row.price === 'object' ? row.price : null;
  // The amount is the file's own: what the stay cost, whoever has paid it.
  const amount = price?.amount ?? (typeof row.price === 'number' ? row.price : row.amount);
  return {
    id: row.id ?? String(at + 1),
    plate: row.plate ? normalisePlate(row.plate) : null,
    category: row.vehicleCategory || row.vehicle?.category || null,
    wasMinor: typeof amount === 'number' ? amount : null,
    currency: price?.currency ?? (row.currency || null),
  };
}

interface Row {
  row: unknown;
  /** The place of the row in the file, for people. */
  place: string;
}

type Rows = { ok: true; rows: readonly Row[]; complete: boolean } | { ok: false; mistakes: string[] };

function readRows(
  file: string,
): { ok: true; value: (Row & { row: Stay })[]; complete: boolean } | { ok: false; mistakes: string[] } {
  const begins = file.replace(/^\ufeff/, '').trimStart()[0];
  const read = begins === '{' || begins === '[' ? readJsonRows(file) : readTableRows(file);
  if (!read.ok) return read;
  const mistakes: string[] = [];
  const value = read.rows.flatMap(({ row, place }) => {
    const stay = StaySchema.safeParse(row);
    for (const issue of stay.error?.issues ?? []) {
      const key = issue.path.length === 0 ? '' : `${issue.path.join('.')}: `;
      mistakes.push(`${place}: ${key}${inputWords(issue)}`);
    }
    return stay.data ? { row: stay.data, place } : [];
  });
  return mistakes.length > 0 ? { ok: false, mistakes } : { ok: true, value, complete: read.complete };
}

function readTableRows(file: string): Rows {
  const table = readStayTable(file);
  if (!table.ok) return table;
  const rows = table.rows.map(({ row, line }) => ({ row, place: `line ${line}` }));
  return { ok: true, rows, complete: true };
}

/** A list, pages of the API, an object a line, or one alone. */
function readJsonRows(file: string): Rows {
  const whole = parseJson(file);
  if (whole !== undefined) return rowsOf(Array.isArray(whole) ? whole : [whole]);
  const lines = file.split('\n').flatMap((text, at) => (text.trim() === '' ? [] : { text, line: at + 1 }));
  const rows = lines.map(({ text }) => parseJson(text));
  const unread = rows.indexOf(undefined);
  if (lines.length > 1 && unread === -1) {
    return rowsOf(
      rows,
      lines.map(({ line }) => line),
    );
  }
  // All but the one are objects, so that it is lines.
  if (unread > 0) return { ok: false, mistakes: [`line ${lines[unread]?.line}: this is no JSON`] };
  // The mistakes are in words that name the place.
  const stated = readYaml(file, z.never());
  return { ok: false, mistakes: stated.ok ? [] : stated.mistakes };
}

/** @param lines where each stands, of a file with one a line */
function rowsOf(values: readonly unknown[], lines: readonly number[] = []): Rows {
  const pages = values.map((value) => PageSchema.safeParse(value));
  const rows = values.flatMap((value, at) => {
    const page = pages[at]?.data?.data;
    return page ? page.map((row) => ({ row, line: null })) : { row: value, line: lines[at] ?? null };
  });
  const isLast = pages.some(({ data }) => data && (data.next ?? null) === null);
  return {
    ok: true,
    rows: rows.map(({ row, line }, at) => ({
      row,
      place: line === null ? `visit ${at + 1}` : `line ${line}`,
    })),
    complete: isLast || pages.every(({ success }) => !success),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text.replace(/^\ufeff/, ''));
  } catch {
    return undefined;
  }
}
