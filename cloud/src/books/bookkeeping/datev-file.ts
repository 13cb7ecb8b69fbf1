import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { minorUnitDigits } from '@hlid/protocol/base/money';
import type { DatevSettings, PlanLine } from '../../records/books/bookkeeping-plan-table.ts';
import type { BookPeriod } from './book-period.ts';
import type { BookkeepingPlans } from './bookkeeping-plan.ts';
import { DATEV_COLUMNS, DATEV_TEXTS } from './datev-columns.ts';
import { type Entry, type Leg, pairsOf } from './entry.ts';
import type { FileFrame } from './entry-file.ts';
import { entryText } from './entry-words.ts';

/** DATEV takes so many rows in a file. */
export const MAX_DATEV_ROWS = 99_999;
const MAX_TEXT = 60;
const MAX_DOCUMENT = 36;
const MAX_INFO = 210;
const HEADER_TEXTS = new Set([1, 4, 8, 9, 10, 17, 18, 22, 24, 27, 30, 31]);

/** A line of a batch: an amount from one account to another. */
interface DatevRow {
  entry: Entry;
  debit: PlanLine;
  credit: PlanLine;
  amountMinor: number;
  /** The key with which DATEV takes the VAT out of the amount; null: the amount has none. */
  vatCode: string | null;
}

/**
 * The rows of an entry. Income whose line has a key of VAT is booked with its VAT in one gross amount; the VAT of other
 * income has its own row.
 */
export function datevRows(entry: Entry, plans: BookkeepingPlans): DatevRow[] {
  const lineOf = (leg: Leg) => plans.lineFor(entry.siteId, leg.use);
  return pairsOf(withGrossIncome(entry, lineOf)).map(({ debit, credit, amountMinor }) => {
    const [debitLine, creditLine] = [lineOf(debit), lineOf(credit)];
    if (debitLine === null || creditLine === null) throw new Error('each account was looked for before');
    const vatCode = creditLine.vatCode ?? debitLine.vatCode;
    return { entry, debit: debitLine, credit: creditLine, amountMinor, vatCode };
  });
}

/** The VAT of income with a key goes into its amount. Of several incomes with one VAT it is in the largest. */
function withGrossIncome(entry: Entry, lineOf: (leg: Leg) => PlanLine | null): Leg[] {
  const legs = entry.legs.map((leg) => ({ ...leg }));
  for (const tax of legs.filter(({ use }) => use.role === 'vat')) {
    const ofVat = legs.filter(
      (leg) =>
        leg.use.role !== 'vat' &&
        leg.vat?.category === tax.vat?.category &&
        leg.vat?.rate === tax.vat?.rate &&
        lineOf(leg)?.vatCode != null,
    );
    const isWhole = legs.every(
      (leg) =>
        leg.vat === null || leg.use.role === 'vat' || leg.vat.rate !== tax.vat?.rate || ofVat.includes(leg),
    );
    if (ofVat.length === 0 || !isWhole) continue;
    spreadTax(tax, ofVat);
  }
  return legs.filter(({ amountMinor }) => amountMinor !== 0);
}

/** Gives each income its share of the VAT, the rest to the first. */
function spreadTax(tax: Leg, incomes: readonly Leg[]): void {
  const rate = tax.vat?.rate ?? 0;
  let rest = tax.amountMinor;
  for (const income of incomes.slice(1)) {
    const share = Math.round((income.amountMinor * rate) / 100);
    income.amountMinor += share;
    rest -= share;
  }
  const [first] = incomes;
  if (first !== undefined) first.amountMinor += rest;
  tax.amountMinor = 0;
}

/** Why a batch cannot be made of these accounts. */
export function datevMistakes(
  datev: DatevSettings | null,
  {
    accounts,
    currencies,
    rows,
  }: { accounts: ReadonlySet<string>; currencies: ReadonlySet<string>; rows: number },
): Mistake[] {
  if (datev === null) return [mistake('datev-not-set')];
  const { accountDigits } = datev;
  // The accounts of customers and suppliers have a digit more.
  const wrong = [...accounts].filter(
    (account) => !/^\d+$/.test(account) || account.length > accountDigits + 1,
  );
  return [
    ...wrong
      .toSorted()
      .map((account) => mistake('datev-account', [], { account, digits: String(accountDigits) })),
    ...(currencies.size > 1
      ? [mistake('datev-currencies', [], { currencies: [...currencies].toSorted().join(', ') })]
      : []),
    ...(rows > MAX_DATEV_ROWS ? [mistake('datev-rows', [], { max: MAX_DATEV_ROWS })] : []),
  ];
}

/** A batch of postings for DATEV: EXTF 700, category 21, format version 13. */
export async function* datevFile(
  pages: AsyncIterable<readonly Entry[]>,
  frame: FileFrame & { datev: DatevSettings; period: BookPeriod; currency: string },
): AsyncGenerator<Uint8Array> {
  const { datev, period, currency } = frame;
  yield windows1252(`${line(headerOf(datev, period, currency), HEADER_TEXTS)}${DATEV_COLUMNS.join(';')}\r\n`);
  for await (const page of pages) {
    const rows = page.flatMap((entry) => datevRows(entry, frame.plans));
    if (rows.length > 0) yield windows1252(rows.map((row) => rowText(row, frame)).join(''));
  }
}

/** The time of making is the end of the period: the same period makes the same file. */
function headerOf(datev: DatevSettings, { name, from, to }: BookPeriod, currency: string) {
  const { consultant, client, accountDigits, fiscalYearMonth } = datev;
  const [year = 0, month = 1] = from.split('-').map(Number);
  const beginYear = month >= fiscalYearMonth ? year : year - 1;
  const begin = `${beginYear}${String(fiscalYearMonth).padStart(2, '0')}01`;
  const header: (string | number)[] = Array.from({ length: 31 }, () => '');
  header.splice(0, 6, 'EXTF', 700, 21, 'Buchungsstapel', 13, `${digits(to)}235959000`);
  header.splice(7, 2, 'HL', 'Hlid');
  header.splice(10, 7, consultant, client, begin, accountDigits, digits(from), digits(to), `Hlid ${name}`);
  // 1: financial accounting, for every purpose, and not locked: that is the accountant's decision.
  header.splice(18, 4, 1, 0, 0, currency);
  return header;
}

function rowText({ entry, debit, credit, amountMinor, vatCode }: DatevRow, frame: FileFrame): string {
  const { day, number, creditOf, currency, siteId, path } = entry;
  const isCredit = entry.kind === 'credit-note';
  const row: (string | number)[] = DATEV_COLUMNS.map(() => '');
  const set = (field: (typeof DATEV_COLUMNS)[number], value: string | number) => {
    row[DATEV_COLUMNS.indexOf(field)] = value;
  };
  set('Umsatz (ohne Soll/Haben-Kz)', decimal(amountMinor, currency));
  set('Soll/Haben-Kennzeichen', 'S');
  set('WKZ Umsatz', currency);
  // What takes back is booked on the sides of what it takes back, with the mark of a reversal.
  set('Konto', isCredit ? credit.account : debit.account);
  set('Gegenkonto (ohne BU-Schlüssel)', isCredit ? debit.account : credit.account);
  set('BU-Schlüssel', vatCode ?? '');
  set('Belegdatum', `${day.slice(8, 10)}${day.slice(5, 7)}`);
  // What belongs together has one number: payments and credit notes that of their invoice.
  set('Belegfeld 1', documentText(creditOf ?? number));
  set('Buchungstext', plainText(entryText(entry, frame.language), MAX_TEXT));
  set('Zusatzinformation - Art 1', 'Link');
  set('Zusatzinformation- Inhalt 1', plainText(frame.linkTo(siteId, path), MAX_INFO));
  const code = siteId === null ? undefined : frame.codes.get(siteId);
  if (code !== undefined) {
    set('Zusatzinformation - Art 2', 'Site');
    set('Zusatzinformation- Inhalt 2', plainText(code, MAX_INFO));
  }
  set('Festschreibung', 0);
  set('Generalumkehr (GU)', isCredit ? '1' : '0');
  return line(row, DATEV_TEXTS);
}

function line(fields: readonly (string | number)[], texts: ReadonlySet<number>): string {
  const cells = fields.map((field, n) =>
    texts.has(n + 1) ? `"${String(field).replaceAll('"', '""')}"` : field,
  );
  return `${cells.join(';')}\r\n`;
}

/** Two decimals and a comma, whatever the currency has. */
function decimal(amountMinor: number, currency: string): string {
  const places = minorUnitDigits(currency);
  const hundredths =
    places < 2 ? amountMinor * 10 ** (2 - places) : Math.round(amountMinor / 10 ** (places - 2));
  const text = String(hundredths).padStart(3, '0');
  return `${text.slice(0, -2)},${text.slice(-2)}`;
}

function digits(day: string): string {
  return day.replaceAll('-', '');
}

/** What the field of a document's number may have. */
function documentText(number: string): string {
  return number.replaceAll(/[^\w$&%*+/-]/g, '-').slice(0, MAX_DOCUMENT);
}

/** One line that no spreadsheet runs as a formula. */
function plainText(text: string, max: number): string {
  const oneLine = text.replaceAll(/\p{Cc}/gu, ' ').trimStart();
  return (/^[=+\-@]/.test(oneLine) ? `'${oneLine}` : oneLine).slice(0, max);
}

/** The letters of Windows-1252 that ISO 8859-1 does not have. */
const WINDOWS: ReadonlyMap<string, number> = new Map(
  [...'€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ'].map(
    (letter, n) => [letter, 0x80 + n] as const,
  ),
);

/** Text in the encoding of DATEV; letters that it does not have become question marks. */
function windows1252(text: string): Uint8Array {
  return Uint8Array.from([...text], (letter) => {
    const known = WINDOWS.get(letter);
    if (known !== undefined) return known;
    const point = letter.codePointAt(0) ?? 0;
    return point < 0x80 || (point >= 0xa0 && point <= 0xff) ? point : QUESTION_MARK;
  });
}

const QUESTION_MARK = 0x3f;
