import { parseArgs } from 'node:util';
import { messageOf } from '@hlid/protocol/fault';
import { momentOf } from '@hlid/protocol/moment';
import type { Period, PriceQuestion } from '@hlid/protocol/price-visit';
import { TimeZoneSchema } from '@hlid/protocol/site-time';
import type { UtcTime } from '@hlid/protocol/utc-time';
import { type VehicleCategory, VehicleCategorySchema } from '@hlid/protocol/vehicle-category';
import { z } from '@hono/zod-openapi';
import { noSuchTime } from './no-such-time.ts';

export const PRICE_HELP = `What a stay costs, or what past stays would have cost.

  npm run -s price -- --product FILE --from TIME --to TIME [options]
  npm run -s price -- --product FILE --visits FILE [options]

  --product FILE       a product, or a list of them, as the API shows it; JSON or YAML
  --from, --to TIME    ISO 8601, with an offset or by the wall clock of the zone
  --zone ZONE          of the site: Atlantic/Reykjavik (default)

Of the vehicle:
  --category NAME      light (default) or heavy; unknown counts as light
  --seats NUMBER       as registered
  --mass KG            its largest permitted mass

Of the stay:
  --permit TIME/TIME   a time that a permit covers; may be said several times
  --earlier TIME/TIME  an earlier stay of the plate, for free time that it has once; may be said several times
  --quota UNITS        units of 24 hours from the start that a quota meets, or that are paid already
  --paid AMOUNT        paid already, in the currency’s minor unit
  --channel NAME       kiosk or online: with the fees of who pays so
  --paid-at TIME       when it is paid, for the fee of who pays late; without: at once

  --visits FILE        past visits, as JSON of the API (its pages in a list, or one a line), as CSV, or as the console
                       downloads them: prices each with the product, beside what it cost; --from and --to, where
                       given, choose those that began then. complete: false says that the API has another page
`;

/** What the command line asks. */
export interface PriceAsked {
  productFile: string;
  visitsFile: string | undefined;
  timeZone: string;
  category: VehicleCategory;
  from: UtcTime | undefined;
  to: UtcTime | undefined;
  /** Of one stay. */
  stay: Pick<PriceQuestion, 'vehicle' | 'covered' | 'earlierStays' | 'quotaUnits' | 'paidMinor' | 'payment'>;
}

const CategorySchema = z
  .enum([...VehicleCategorySchema.options, 'unknown'], 'light or heavy')
  .transform((category) => (category === 'unknown' ? 'light' : category));

type Read = { ok: true; asked: PriceAsked | 'help' } | { ok: false; mistakes: string[] };

const TEXT = { type: 'string' } as const;
const TEXTS = { type: 'string', multiple: true, default: [] as string[] } as const;
const OPTIONS = {
  ...{ product: TEXT, from: TEXT, to: TEXT, zone: TEXT, visits: TEXT },
  ...{ category: TEXT, seats: TEXT, mass: TEXT },
  ...{ permit: TEXTS, earlier: TEXTS, quota: TEXT, paid: TEXT, channel: TEXT, 'paid-at': TEXT },
  help: { type: 'boolean', short: 'h' },
} as const;

/** Reads the words after the program’s name; all mistakes are named at once. */
export function readPriceQuestion(words: readonly string[]): Read {
  const parsed = parse(words);
  if (!parsed.ok) return parsed;
  const { values } = parsed;
  if (values.help) return { ok: true, asked: 'help' };

  const mistakes: string[] = [];
  const timeZone = read('zone', TimeZoneSchema, values.zone, 'Atlantic/Reykjavik') ?? 'UTC';
  const category = read('category', CategorySchema, values.category?.toLowerCase(), 'light') ?? 'light';
  const channel = read('channel', z.enum(['kiosk', 'online']), values.channel);
  if (values.product === undefined) mistakes.push('--product FILE is missing');
  const [from, to] = [moment('from'), moment('to')];
  if (from !== undefined && to !== undefined && to < from) mistakes.push('--to is before --from');
  const [seats, massKg, paidMinor] = [wholeNumber('seats'), wholeNumber('mass'), wholeNumber('paid')];
  const quotaUnits = wholeNumber('quota');
  const paidAt = values['paid-at'] === undefined ? to : moment('paid-at');
  const isPaid = channel !== undefined || values['paid-at'] !== undefined;
  const stay: PriceAsked['stay'] = {
    vehicle: { category, ...(seats !== undefined && { seats }), ...(massKg !== undefined && { massKg }) },
    covered: periods('permit'),
    earlierStays: periods('earlier'),
    quotaUnits: quotaUnits ?? 0,
    paidMinor: paidMinor ?? 0,
    payment: isPaid && paidAt ? { at: paidAt, channel: channel ?? 'kiosk' } : undefined,
  };
  if (mistakes.length > 0 || values.product === undefined) return { ok: false, mistakes };
  const files = { productFile: values.product, visitsFile: values.visits };
  return { ok: true, asked: { ...files, timeZone, category, from, to, stay } };

  function read<T>(name: string, schema: z.ZodType<T>, text: string | undefined, usual?: T): T | undefined {
    if (text === undefined) return usual;
    const { data, error } = schema.safeParse(text);
    if (error) mistakes.push(`--${name}: ${error.issues[0]?.message}, not ${text}`);
    return data;
  }

  function moment(name: 'from' | 'to' | 'paid-at'): UtcTime | undefined {
    const text = values[name];
    if (text !== undefined) return momentIn(name, text);
    if (name !== 'paid-at' && values.visits === undefined) mistakes.push(`--${name} TIME is missing`);
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
        mistakes.push(`--${name}: two times with a slash between them, not ${text}`);
        return [];
      }
      const [start, end] = [momentIn(name, begins), momentIn(name, ends)];
      return start === undefined || end === undefined ? [] : [{ from: start, to: end }];
    });
  }

  function wholeNumber(name: 'seats' | 'mass' | 'paid' | 'quota'): number | undefined {
    const text = values[name];
    if (text === undefined) return undefined;
    if (!/^\d{1,12}$/.test(text)) mistakes.push(`--${name}: a whole number, not ${text}`);
    return Number(text);
  }
}

function parse(words: readonly string[]) {
  try {
    return { ok: true as const, values: parseArgs({ args: [...words], options: OPTIONS }).values };
  } catch (error) {
    return { ok: false as const, mistakes: [messageOf(error)] };
  }
}
