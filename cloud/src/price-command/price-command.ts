import { messageOf } from '@hlid/protocol/fault';
import { type Price, priceVisit } from '@hlid/protocol/price-visit';
import { compareStays } from './compare-stays.ts';
import { readProducts } from './price-product.ts';
import { PRICE_HELP, readPriceQuestion } from './price-question.ts';
import { readStays } from './price-stays.ts';

/** What the program is to print, or why it does not. */
export type PriceAnswer = { ok: true; text: string } | { ok: false; mistakes: string[] };

/** Answers the command line. `readFile` may throw. */
export async function answerPrice(
  words: readonly string[],
  readFile: (path: string) => Promise<string>,
): Promise<PriceAnswer> {
  const question = readPriceQuestion(words);
  if (!question.ok) return question;
  const { asked } = question;
  if (asked === 'help') return { ok: true, text: PRICE_HELP.trimEnd() };
  const { productFile, visitsFile, timeZone, category, from, to, stay } = asked;

  const products = await read(productFile, readFile, readProducts);
  if (!products.ok) return products;
  const { pricing } = products;
  if (visitsFile !== undefined) {
    const past = await read(visitsFile, readFile, (text) => readStays(text, timeZone));
    if (!past.ok) return past;
    const stays = past.stays.filter(
      ({ startedAt }) => (!from || startedAt >= from) && (!to || startedAt < to),
    );
    const { open, free, complete } = past;
    return json({ ...compareStays(stays, pricing, timeZone), open, free, complete });
  }
  if (!from || !to) return { ok: false, mistakes: ['--from and --to are missing'] };
  return json(
    shown(priceVisit({ product: pricing(category), startedAt: from, until: to, timeZone, ...stay })),
  );
}

function shown({ amountMinor: amount, currency, lines }: Price): object {
  return {
    amount,
    currency,
    lines: lines.map(({ amountMinor, unitMinor, ...line }) => ({
      ...line,
      ...(unitMinor !== undefined && { unitAmount: unitMinor }),
      amount: amountMinor,
    })),
  };
}

/** Of one file: more are of one kind. */
const MOST_MISTAKES = 50;

type Failed = { ok: false; mistakes: string[] };

/** Reads a file; its mistakes stand behind its name. */
async function read<T extends { ok: true }>(
  path: string,
  readFile: (path: string) => Promise<string>,
  parse: (text: string) => T | Failed,
): Promise<T | Failed> {
  let text: string;
  try {
    text = await readFile(path);
  } catch (error) {
    return { ok: false, mistakes: [`${path} cannot be read: ${messageOf(error)}`] };
  }
  const parsed = parse(text);
  if (parsed.ok) return parsed;
  const named = parsed.mistakes.slice(0, MOST_MISTAKES).map((mistake) => `${path}: ${mistake}`);
  const more = parsed.mistakes.length - named.length;
  return { ok: false, mistakes: more > 0 ? [...named, `${path}: and ${more} more`] : named };
}

function json(answer: object): PriceAnswer {
  return { ok: true, text: JSON.stringify(answer, null, 2) };
}
