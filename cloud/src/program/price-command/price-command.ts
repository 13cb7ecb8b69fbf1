import { messageOf } from '@hlid/protocol/base/fault';
import { formatMoney } from '@hlid/protocol/base/money';
import { VERSION } from '@hlid/protocol/base/version';
import { defineCommand, EXIT, type Program } from '@hlid/protocol/command-line/command';
import { type Price, priceAtExit } from '@hlid/protocol/tariff/price-visit';
import { priceLanguage } from '@hlid/protocol/words/price/price-texts';
import { priceLineSentence } from '@hlid/protocol/words/price-words';
import { compareStays } from './compare-stays.ts';
import { readProducts } from './price-product.ts';
import { PRICE_OPTIONS, type PriceAsked, readPriceQuestion } from './price-question.ts';
import { readStays } from './price-stays.ts';

/** `npm run price`. `readFile` may throw. */
export function priceProgram(readFile: (path: string) => Promise<string>): Program {
  return {
    software: `hlid-price/${VERSION}`,
    title: 'what a stay costs',
    typed: 'npm run -s price --',
    commands: [priceCommand(readFile)],
    environment: [],
  };
}

function priceCommand(readFile: (path: string) => Promise<string>) {
  return defineCommand({
    name: '',
    summary: 'Price a stay, or compare past stays with a tariff',
    about: `With --from and --to: one stay. With --visits: past visits as JSON from the API (its pages in a list, or one per line) or
as CSV; --from and --to then select by the start. "complete" is false if the API has another page.`,
    options: PRICE_OPTIONS,
    examples: [
      '--product product.yaml --from 2026-11-20T08:00 --to 2026-11-21T09:30',
      '--product product.yaml --visits october.csv',
    ],
    check({ options }) {
      const question = readPriceQuestion(options);
      return question.ok ? [] : question.mistakes;
    },
    async run({ options, json }, { print, complain }) {
      const question = readPriceQuestion(options);
      const answer = question.ok ? await answerPrice(question.asked, readFile) : question;
      if (!answer.ok) {
        for (const mistake of answer.mistakes) complain(mistake);
        return EXIT.failed;
      }
      for (const line of json ? [JSON.stringify(answer.answer, null, 2)] : answer.words()) print(line);
      return EXIT.done;
    },
  });
}

/** The answer for scripts and for people, or why there is none. */
type PriceAnswer = { ok: true; answer: object; words: () => string[] } | { ok: false; mistakes: string[] };

async function answerPrice(
  { productFile, visitsFile, timeZone, graceMinutes, category, from, to, stay }: PriceAsked,
  readFile: (path: string) => Promise<string>,
): Promise<PriceAnswer> {
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
    const answer = { ...compareStays(stays, pricing, { timeZone, graceMinutes }), open, free, complete };
    return { ok: true, answer, words: () => comparisonWords(answer) };
  }
  if (!from || !to) return { ok: false, mistakes: ['--from and --to are missing'] };
  const asked = { product: pricing(category), startedAt: from, until: to, timeZone, ...stay };
  const price = priceAtExit(asked, graceMinutes);
  return { ok: true, answer: shown(price), words: () => priceWords(price) };
}

function priceWords({ amountMinor, currency, lines }: Price): string[] {
  const rows = [
    ...lines.map(
      (line) => [priceLineSentence(line, currency, priceLanguage('en')), line.amountMinor] as const,
    ),
    ['To pay', amountMinor] as const,
  ];
  const width = Math.max(...rows.map(([what]) => what.length));
  return rows.map(
    ([what, minor]) => `${what.padEnd(width)}  ${formatMoney({ amountMinor: minor, currency }, 'en')}`,
  );
}

function comparisonWords(
  compared: ReturnType<typeof compareStays> & { open: number; free: number; complete: boolean },
): string[] {
  const { amount, was, difference, currency, visits, dearer, cheaper, same, notCompared } = compared;
  const money = (amountMinor: number) => formatMoney({ amountMinor, currency }, 'en');
  return [
    `${visits.length} visits would cost ${money(amount)}; those with a price did cost ${money(was)}.`,
    `Difference: ${money(difference)} (${dearer} dearer, ${cheaper} cheaper, ${same} the same, ${notCompared} not compared).`,
    `Left out: ${compared.open} that have not ended, ${compared.free} that nobody pays for.`,
    ...(compared.complete ? [] : ['The API has another page of visits: they are not counted here.']),
  ];
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

/** The most mistakes that are printed of one file: more are of one kind. */
const MAX_MISTAKES = 50;

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
  const named = parsed.mistakes.slice(0, MAX_MISTAKES).map((mistake) => `${path}: ${mistake}`);
  const more = parsed.mistakes.length - named.length;
  return { ok: false, mistakes: more > 0 ? [...named, `${path}: and ${more} more`] : named };
}
