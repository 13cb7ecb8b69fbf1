import { inputWords } from '@hlid/protocol/base/mistakes/input-words';
import { writtenWords } from '@hlid/protocol/base/mistakes/mistake-words';
import { momentOf } from '@hlid/protocol/base/moment';
import { TimeZoneSchema } from '@hlid/protocol/base/site-time';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { listOption, textOption, type ValuesOf } from '@hlid/protocol/command-line/command';
import { type VehicleCategory, VehicleCategorySchema } from '@hlid/protocol/plate/vehicle-category';
import { SiteSettingsSchema } from '@hlid/protocol/records/lane';
import type { Period, PriceQuestion } from '@hlid/protocol/tariff/price-visit';
import { z } from '@hono/zod-openapi';
import { noSuchTime } from './no-such-time.ts';

/** The grace of a site that sets none. */
const USUAL_GRACE_MINUTES = SiteSettingsSchema.parse({}).entryGraceMinutes;

export const PRICE_OPTIONS = {
  product: textOption('FILE', 'a product, or a list of them, as the API shows it; JSON or YAML'),
  from: textOption('TIME', 'start of the stay: ISO 8601, with an offset or in wall clock time of the zone'),
  to: textOption('TIME', 'end of the stay'),
  zone: textOption('ZONE', 'time zone of the site (Atlantic/Reykjavik)'),
  'entry-grace': textOption(
    'MINUTES',
    `free minutes after the entry by the settings of the site, where the tariff has none of its own (${USUAL_GRACE_MINUTES})`,
  ),
  category: textOption('NAME', 'category of the vehicle: light (default) or heavy; unknown counts as light'),
  seats: textOption('NUMBER', 'registered seats of the vehicle'),
  mass: textOption('KG', 'maximum permitted mass of the vehicle'),
  permit: listOption('TIME/TIME', 'a period that a permit covers; can be repeated'),
  earlier: listOption(
    'TIME/TIME',
    'an earlier stay of the plate, for free time once per plate; can be repeated',
  ),
  quota: textOption('UNITS', 'units of 24 hours from the start that a quota covers, or that are paid'),
  paid: textOption('AMOUNT', 'paid amount, in the currency’s minor unit'),
  channel: textOption('NAME', 'kiosk or online: adds the fees of this way to pay'),
  'paid-at': textOption('TIME', 'time of payment, for the late fee; default: the end of the stay'),
  visits: textOption('FILE', 'past visits: the price of each with the product, beside its old price'),
};

/** The options of the command line. */
export interface PriceAsked {
  productFile: string;
  visitsFile: string | undefined;
  timeZone: string;
  /** The entry grace of the site. */
  graceMinutes: number;
  category: VehicleCategory;
  from: UtcTime | undefined;
  to: UtcTime | undefined;
  /** The facts of a single stay. */
  stay: Pick<PriceQuestion, 'vehicle' | 'covered' | 'earlierStays' | 'quotaUnits' | 'paidMinor' | 'payment'>;
}

const CategorySchema = z
  .enum([...VehicleCategorySchema.options, 'unknown'], 'light or heavy')
  .transform((category) => (category === 'unknown' ? 'light' : category));

type Read = { ok: true; asked: PriceAsked } | { ok: false; mistakes: string[] };

/** Reads what the options ask for; all mistakes are named at once. */
export function readPriceQuestion(values: ValuesOf<typeof PRICE_OPTIONS>): Read {
  const mistakes: string[] = [];
  const timeZone = read('zone', TimeZoneSchema, values.zone, 'Atlantic/Reykjavik') ?? 'UTC';
  const category =
    read('category', CategorySchema, values.category?.toLowerCase() ?? null, 'light') ?? 'light';
  const channel = read('channel', z.enum(['kiosk', 'online']), values.channel);
  if (values.product === null) mistakes.push('--product FILE is missing');
  const [from, to] = [moment('from'), moment('to')];
  if (from !== undefined && to !== undefined && to < from) mistakes.push('--to is before --from');
  const [seats, massKg, paidMinor] = [wholeNumber('seats'), wholeNumber('mass'), wholeNumber('paid')];
  const quotaUnits = wholeNumber('quota');
  const graceMinutes = wholeNumber('entry-grace') ?? USUAL_GRACE_MINUTES;
  const paidAt = values['paid-at'] === null ? to : moment('paid-at');
  const isPaid = channel !== undefined || values['paid-at'] !== null;
  const stay: PriceAsked['stay'] = {
    vehicle: { category, ...(seats !== undefined && { seats }), ...(massKg !== undefined && { massKg }) },
    covered: periods('permit'),
    earlierStays: periods('earlier'),
    quotaUnits: quotaUnits ?? 0,
    paidMinor: paidMinor ?? 0,
    payment: isPaid && paidAt ? { at: paidAt, channel: channel ?? 'kiosk' } : undefined,
  };
  if (mistakes.length > 0 || values.product === null) return { ok: false, mistakes };
  const files = { productFile: values.product, visitsFile: values.visits ?? undefined };
  return { ok: true, asked: { ...files, timeZone, graceMinutes, category, from, to, stay } };

  function read<T>(name: string, schema: z.ZodType<T>, text: string | null, usual?: T): T | undefined {
    if (text === null) return usual;
    const { data, error } = schema.safeParse(text);
    for (const issue of error?.issues ?? []) {
      const known = issue.code === 'invalid_value' ? issue.values.map(String) : [];
      mistakes.push(`--${name}: ${inputWords(issue)}${writtenWords(text, known)}`);
    }
    return data;
  }

  function moment(name: 'from' | 'to' | 'paid-at'): UtcTime | undefined {
    const text = values[name];
    if (text !== null) return momentIn(name, text);
    if (name !== 'paid-at' && values.visits === null) mistakes.push(`--${name} TIME is missing`);
    return undefined;
  }

  function momentIn(name: string, text: string): UtcTime | undefined {
    const at = momentOf(text, timeZone);
    if (at === null) mistakes.push(`--${name}: ${noSuchTime(text, timeZone)}`);
    return at ?? undefined;
  }

  function periods(name: 'permit' | 'earlier'): Period[] {
    return values[name].flatMap((text) => {
      const [begins, ends, ...more] = text.split('/');
      if (begins === undefined || ends === undefined || more.length > 0) {
        mistakes.push(`--${name}: two times with a slash between them${writtenWords(text)}`);
        return [];
      }
      const [start, end] = [momentIn(name, begins), momentIn(name, ends)];
      return start === undefined || end === undefined ? [] : [{ from: start, to: end }];
    });
  }

  function wholeNumber(name: 'seats' | 'mass' | 'paid' | 'quota' | 'entry-grace'): number | undefined {
    const text = values[name];
    if (text === null) return undefined;
    if (!/^\d{1,12}$/.test(text)) mistakes.push(`--${name}: a whole number${writtenWords(text)}`);
    return Number(text);
  }
}
