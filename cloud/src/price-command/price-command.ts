import { parseArgs } from 'node:util';
import { messageOf } from '@hlid/protocol/fault';
import { momentOf } from '@hlid/protocol/moment';
import { priceVisit } from '@hlid/protocol/price-visit';
import { TimeZoneSchema } from '@hlid/protocol/site-time';
import { VehicleCategorySchema } from '@hlid/protocol/vehicle-category';
import { compareStays } from './compare-stays.ts';
import { readProducts } from './price-product.ts';
import { readStays } from './price-stays.ts';

export const PRICE_HELP = `What a stay costs, or what past stays would have cost.

  npm run -s price -- --product FILE --from TIME --to TIME [options]
  npm run -s price -- --product FILE --visits FILE [options]

  --product FILE       a product, or a list of them, as the API shows it; JSON or YAML
  --from, --to TIME    ISO 8601, with an offset or by the wall clock of the zone
  --category NAME      light (default) or heavy
  --seats NUMBER       of the vehicle, for tariffs with classes
  --paid AMOUNT        paid already, in the currency's minor unit
  --zone ZONE          of the site: Atlantic/Reykjavik (default)
  --visits FILE        past visits, as JSON of the API or as CSV: prices each with the product, beside what it cost;
                       --from and --to, where given, choose those that began then
`;

/** What the program is to print, or why it does not. */
export type PriceAnswer = { ok: true; text: string } | { ok: false; mistakes: string[] };

/** Answers the command line. `readFile` may throw. */
export async function answerPrice(
  words: readonly string[],
  readFile: (path: string) => Promise<string>,
): Promise<PriceAnswer> {
  const given = readWords(words);
  if (!given.ok) return given;
  const { values } = given;
  if (values.help) return { ok: true, text: PRICE_HELP.trimEnd() };
  const timeZone = values.zone ?? 'Atlantic/Reykjavik';
  const category = VehicleCategorySchema.safeParse(values.category ?? 'light');
  const from = values.from === undefined ? undefined : momentOf(values.from, timeZone);
  const to = values.to === undefined ? undefined : momentOf(values.to, timeZone);
  const seats = wholeNumber(values.seats);
  const paidMinor = wholeNumber(values.paid);
  const mistakes = [
    ...(values.product === undefined ? ['--product FILE is missing'] : []),
    ...(TimeZoneSchema.safeParse(timeZone).success ? [] : [`--zone: there is no time zone ${timeZone}`]),
    ...(category.success ? [] : [`--category: light or heavy, not ${values.category}`]),
    ...(from === null ? [`--from: there is no such time: ${values.from}`] : []),
    ...(to === null ? [`--to: there is no such time: ${values.to}`] : []),
    ...(values.visits === undefined && from === undefined ? ['--from TIME is missing'] : []),
    ...(values.visits === undefined && to === undefined ? ['--to TIME is missing'] : []),
    ...(from && to && to < from ? ['--to is before --from'] : []),
    ...(seats === null ? [`--seats: a whole number, not ${values.seats}`] : []),
    ...(paidMinor === null ? [`--paid: a whole number, not ${values.paid}`] : []),
  ];
  if (mistakes.length > 0 || !category.success || values.product === undefined)
    return { ok: false, mistakes };

  const productFile = await read(values.product, readFile);
  if (!productFile.ok) return productFile;
  const products = readProducts(productFile.text);
  if (!products.ok)
    return { ok: false, mistakes: products.mistakes.map((text) => `${values.product}: ${text}`) };

  if (values.visits !== undefined) {
    const visitsFile = await read(values.visits, readFile);
    if (!visitsFile.ok) return visitsFile;
    const past = readStays(visitsFile.text, timeZone);
    if (!past.ok) return { ok: false, mistakes: past.mistakes.map((text) => `${values.visits}: ${text}`) };
    const stays = past.stays.filter(
      ({ startedAt }) => (!from || startedAt >= from) && (!to || startedAt < to),
    );
    return json({ ...compareStays(stays, products.pricing, timeZone), open: past.open });
  }
  if (!from || !to) return { ok: false, mistakes: ['--from and --to are missing'] };
  const price = priceVisit({
    product: products.pricing(category.data),
    startedAt: from,
    until: to,
    timeZone,
    vehicle: { category: category.data, ...(seats !== undefined && seats !== null && { seats }) },
    paidMinor: paidMinor ?? 0,
  });
  const lines = price.lines.map(({ amountMinor, unitMinor, ...line }) => ({
    ...line,
    ...(unitMinor !== undefined && { unitAmount: unitMinor }),
    amount: amountMinor,
  }));
  return json({ amount: price.amountMinor, currency: price.currency, lines });
}

function readWords(words: readonly string[]) {
  try {
    const { values } = parseArgs({
      args: [...words],
      options: {
        product: { type: 'string' },
        from: { type: 'string' },
        to: { type: 'string' },
        category: { type: 'string' },
        seats: { type: 'string' },
        paid: { type: 'string' },
        zone: { type: 'string' },
        visits: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    return { ok: true as const, values };
  } catch (error) {
    return { ok: false as const, mistakes: [messageOf(error)] };
  }
}

async function read(
  path: string,
  readFile: (path: string) => Promise<string>,
): Promise<{ ok: true; text: string } | { ok: false; mistakes: string[] }> {
  try {
    return { ok: true, text: await readFile(path) };
  } catch (error) {
    return { ok: false, mistakes: [`${path} cannot be read: ${messageOf(error)}`] };
  }
}

/** Undefined: not given; null: no whole number. */
function wholeNumber(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined;
  return /^\d{1,12}$/.test(text) ? Number(text) : null;
}

function json(answer: object): PriceAnswer {
  return { ok: true, text: JSON.stringify(answer, null, 2) };
}
