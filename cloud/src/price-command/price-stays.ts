import { momentOf } from '@hlid/protocol/moment';
import { CurrencySchema } from '@hlid/protocol/money';
import { readYaml } from '@hlid/protocol/read-yaml';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { VehicleCategorySchema } from '@hlid/protocol/vehicle-category';
import { z } from '@hono/zod-openapi';
import { parse as parseCsv } from 'csv-parse/sync';

/** A stay that was, and what it cost. */
export interface PastStay {
  id: string;
  startedAt: UtcTime;
  endedAt: UtcTime;
  category: 'light' | 'heavy' | null;
  /** What it cost before payments, quotas and waivers were taken off; null: it has no price. */
  wasMinor: number | null;
  currency: string | null;
}

const AmountSchema = z
  .union([
    z.number(),
    z
      .string()
      .trim()
      .regex(/^\d{1,15}$/, 'a whole number')
      .transform(Number),
  ])
  .pipe(z.int().min(0));
const text = z.string().trim().min(1);
const LineSchema = z.looseObject({ rule: z.string(), amount: z.int() });
/** How a price was met: no part of what the stay cost. */
const MET = ['paid', 'units-met', 'waived'];
/** Visits that cost nothing whatever the tariff. */
const FREE = ['whitelisted', 'void'];

const PriceSchema = z.looseObject({
  amount: AmountSchema,
  currency: CurrencySchema,
  lines: z.array(LineSchema).optional(),
});

/** A visit as the API lists it, or a row of a spreadsheet with the same names. */
const StaySchema = z.looseObject({
  id: z.string().optional(),
  startedOn: text,
  endedOn: z.string().nullish(),
  price: z.union([PriceSchema, AmountSchema, z.literal('')]).nullish(),
  amount: z.union([AmountSchema, z.literal('')]).nullish(),
  currency: z.string().nullish(),
  paymentStatus: z.string().nullish(),
  vehicleCategory: VehicleCategorySchema.or(z.literal('')).nullish(),
  vehicle: z.looseObject({ category: VehicleCategorySchema.nullish() }).nullish(),
});
type Stay = z.infer<typeof StaySchema>;

/**
 * Reads visits: JSON as the API lists them (`data`), an array, one object a line, or CSV with the columns `startedOn`,
 * `endedOn` and, where they are known, `id`, `amount`, `currency`, `vehicleCategory`, `paymentStatus`. Visits that have
 * not ended (`open`) and those of permits, or void (`free`), are left out and counted.
 */
export function readStays(
  file: string,
  timeZone: string,
): { ok: true; stays: PastStay[]; open: number; free: number } | { ok: false; mistakes: string[] } {
  const read = readRows(file);
  if (!read.ok) return read;
  const mistakes: string[] = [];
  const stays: PastStay[] = [];
  let open = 0;
  let free = 0;
  read.value.forEach((row, at) => {
    if (!row.endedOn) {
      open++;
      return;
    }
    if (row.paymentStatus && FREE.includes(row.paymentStatus)) {
      free++;
      return;
    }
    const startedAt = momentOf(row.startedOn, timeZone);
    const endedAt = momentOf(row.endedOn, timeZone);
    if (startedAt === null)
      mistakes.push(`visit ${at + 1}: startedOn: there is no such time: ${row.startedOn}`);
    if (endedAt === null) mistakes.push(`visit ${at + 1}: endedOn: there is no such time: ${row.endedOn}`);
    if (startedAt !== null && endedAt !== null) stays.push({ ...known(row, at), startedAt, endedAt });
  });
  return mistakes.length > 0 ? { ok: false, mistakes } : { ok: true, stays, open, free };
}

function known(row: Stay, at: number): Pick<PastStay, 'id' | 'category' | 'wasMinor' | 'currency'> {
  const price = typeof row.price === 'object' ? row.price : null;
  const said = price?.amount ?? (typeof row.price === 'number' ? row.price : row.amount);
  const lines = price?.lines?.filter(({ rule }) => !MET.includes(rule));
  // What is still due of a visit that was paid is nothing.
  const amount = lines ? lines.reduce((sum, line) => sum + line.amount, 0) : said;
  return {
    id: row.id ?? String(at + 1),
    category: row.vehicleCategory || row.vehicle?.category || null,
    wasMinor: typeof amount === 'number' ? amount : null,
    currency: price?.currency ?? (row.currency || null),
  };
}

type Read = { ok: true; value: Stay[] } | { ok: false; mistakes: string[] };

function readRows(file: string): Read {
  const begins = file.trimStart()[0];
  const inLines = begins === '{' && file.trim().includes('\n{');
  if (inLines) return readYaml(`[${file.trim().split(/\r?\n/).join(',\n')}]`, z.array(StaySchema));
  if (begins === '[') return readYaml(file, z.array(StaySchema));
  if (begins === '{') {
    return readYaml(
      file,
      z.looseObject({ data: z.array(StaySchema) }).transform(({ data }) => data),
    );
  }
  try {
    const rows: unknown = parseCsv(file, {
      columns: true,
      bom: true,
      trim: true,
      delimiter: [',', ';', '\t'],
    });
    return readYaml(JSON.stringify(rows), z.array(StaySchema));
  } catch (error) {
    return { ok: false, mistakes: [error instanceof Error ? error.message : String(error)] };
  }
}
