import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { parseXml, type QualifiedElement } from '@hlid/protocol/base/xml';
import { BOOKS_FILE_BYTES } from '../../../platform/http/limit-bodies.ts';
import { refusedInput } from '../../../platform/refused.ts';
import { fineAmount, isWholeMinor, minorOfFine, minorText, PLAIN_NUMBERS } from '../amount-text.ts';
import { type BankEntry, type BankStatement, MAX_FILE_MISTAKES, type ReadFile } from '../file-content.ts';
import { isoDay } from '../moment-text.ts';
import { checkStatements } from './check-statements.ts';

const NAMESPACE = /^urn:iso:std:iso:20022:tech:xsd:camt\.053\.001\.(0[2-9]|1\d)$/;
/** A statement of as many entries as are read has this much, with indents. */
const BOUNDS = {
  maxCharacters: BOOKS_FILE_BYTES,
  maxElements: 800_000,
  maxDepth: 40,
  maxBlanks: BOOKS_FILE_BYTES,
  maxMarks: 400_000,
};

/** Whether a text begins as a statement of ISO 20022 does, of whatever version. */
export function looksLikeCamt(text: string): boolean {
  return /<([\w.-]+:)?BkToCstmrStmt[\s>]/.test(text);
}

/** Reads a bank statement in ISO 20022: camt.053.001.02 and later. Entries that are not booked are left out. */
export function readCamt(text: string): ReadFile {
  const parsed = parseXml(text, BOUNDS);
  if (!parsed.ok) return refusedInput(mistake('file-cut', [], { detail: parsed.reason }));
  const { root } = parsed;
  if (!NAMESPACE.test(root.namespace)) {
    return refusedInput(mistake('file-format', [], { formats: 'camt.053.001.02 – camt.053.001.14' }));
  }
  const reader = new CamtReader();
  const statements = all(child(root, 'BkToCstmrStmt'), 'Stmt').flatMap(
    (element) => reader.statement(element) ?? [],
  );
  const { mistakes, warnings } = reader;
  if (mistakes.length > 0) return refusedInput(...mistakes.slice(0, MAX_FILE_MISTAKES));
  return checkStatements('camt.053', statements, warnings);
}

/** What stands in the elements of a document, and what is wrong with them. */
class CamtReader {
  readonly mistakes: Mistake[] = [];
  readonly warnings: Mistake[] = [];

  statement(element: QualifiedElement): BankStatement | null {
    const reference = textAt(element, 'Id') ?? '-';
    const place = `Stmt ${reference}`;
    const opening = balanceOf(element, ['OPBD', 'PRCD']);
    const closing = balanceOf(element, ['CLBD']);
    const entries = all(element, 'Ntry');
    const currency =
      textAt(element, 'Acct', 'Ccy') ??
      [closing, opening, entries[0]].map((one) => child(one, 'Amt')?.attributes['Ccy']).find(Boolean);
    if (currency === undefined || !/^[A-Z]{3}$/.test(currency)) return this.#wrong(`${place}, Acct/Ccy`, '–');
    const read = entries.map((entry, n) => this.#entry(entry, { reference, currency, number: n + 1 }));
    const pending = entries.filter((entry) => statusOf(entry) !== 'BOOK').length;
    if (pending > 0) {
      this.warnings.push(mistake('entry-pending', [], { statement: reference, entries: String(pending) }));
    }
    this.#checkCount(element, reference, entries.length);
    const booked = read.flatMap((entry) => entry ?? []);
    const days = booked.map(({ bookedOn }) => bookedOn).sort();
    const from = dayAt(element, ['FrToDt', 'FrDtTm']) ?? dayAt(opening, ['Dt']) ?? days[0];
    const until = dayAt(element, ['FrToDt', 'ToDtTm']) ?? dayAt(closing, ['Dt']) ?? days.at(-1);
    if (from === undefined || until === undefined) return this.#wrong(`${place}, FrToDt`, '–');
    const openingMinor = this.#balance(opening, currency, `${place}, OPBD`);
    const closingMinor = this.#balance(closing, currency, `${place}, CLBD`);
    if (openingMinor === undefined || closingMinor === undefined) return null;
    const account =
      textAt(element, 'Acct', 'Id', 'IBAN') ?? textAt(element, 'Acct', 'Id', 'Othr', 'Id') ?? null;
    return { account, reference, currency, from, until, openingMinor, closingMinor, entries: booked };
  }

  /** Null: it is not booked, or wrong. */
  #entry(
    element: QualifiedElement,
    { reference, currency, number }: { reference: string; currency: string; number: number },
  ): BankEntry | null {
    if (statusOf(element) !== 'BOOK') return null;
    const place = `Stmt ${reference}, Ntry ${number}`;
    const amountMinor = this.#amount(element, child(element, 'Amt'), currency, place);
    if (amountMinor === null) return null;
    const bookedOn = dayAt(element, ['BookgDt']);
    if (bookedOn === undefined) return this.#wrong(`${place}, BookgDt`, '–');
    const details = all(element, 'NtryDtls').flatMap((one) => all(one, 'TxDtls'));
    this.#checkDetails(details, { reference, number, currency, amountMinor });
    const [only] = details.length === 1 ? details : [];
    const named = textAt(child(element, 'NtryDtls'), 'Btch', 'NbOfTxs');
    return {
      line: number,
      amountMinor,
      bookedOn,
      valueOn: dayAt(element, ['ValDt']) ?? null,
      // The sign is that of the entry itself; the mark says that it takes back another.
      isReversal: ['true', '1'].includes(textAt(element, 'RvslInd') ?? ''),
      reference:
        textAt(element, 'AcctSvcrRef') ??
        textAt(only, 'Refs', 'AcctSvcrRef') ??
        textAt(element, 'NtryRef') ??
        null,
      endToEndId: textAt(only, 'Refs', 'EndToEndId') ?? null,
      counterpart: counterpartOf(only, amountMinor),
      text: textsOf(element, details),
      transactions: named !== undefined ? Number(named) : details.length > 0 ? details.length : null,
    };
  }

  /** The transactions of an entry must add up to it, where all of them name an amount in its currency. */
  #checkDetails(
    details: readonly QualifiedElement[],
    entry: { reference: string; number: number; currency: string; amountMinor: number },
  ): void {
    const { reference, number, currency, amountMinor } = entry;
    const amounts = details.map((one) => {
      const amount = child(one, 'Amt') ?? child(child(child(one, 'AmtDtls'), 'TxAmt'), 'Amt');
      if (amount?.attributes['Ccy'] !== currency) return null;
      const fine = fineAmount(amount.text, currency, PLAIN_NUMBERS);
      if (fine === null) return null;
      const mark = textAt(one, 'CdtDbtInd');
      const isDebit = mark === undefined ? amountMinor < 0 : mark === 'DBIT';
      return isDebit ? 0 - minorOfFine(fine) : minorOfFine(fine);
    });
    if (amounts.length === 0 || amounts.includes(null)) return;
    const sum = amounts.reduce<number>((total, amount) => total + (amount ?? 0), 0);
    if (sum === amountMinor) return;
    const params = { statement: reference, entry: String(number) };
    this.mistakes.push(
      mistake('entry-sum', [], {
        ...params,
        sum: minorText(sum, currency),
        amount: minorText(amountMinor, currency),
      }),
    );
  }

  /** Undefined: it is wrong; null: there is none. */
  #balance(
    element: QualifiedElement | undefined,
    currency: string,
    place: string,
  ): number | null | undefined {
    if (element === undefined) return null;
    return this.#amount(element, child(element, 'Amt'), currency, place) ?? undefined;
  }

  #amount(
    of: QualifiedElement,
    amount: QualifiedElement | undefined,
    currency: string,
    place: string,
  ): number | null {
    if (amount === undefined) return this.#wrong(`${place}, Amt`, '–');
    if (amount.attributes['Ccy'] !== currency) {
      return this.#wrong(`${place}, Amt`, `${amount.attributes['Ccy'] ?? '-'} ≠ ${currency}`);
    }
    const fine = fineAmount(amount.text, currency, PLAIN_NUMBERS);
    if (fine === null || fine < 0 || !isWholeMinor(fine)) return this.#wrong(`${place}, Amt`, amount.text);
    const mark = textAt(of, 'CdtDbtInd');
    if (mark === 'CRDT') return minorOfFine(fine);
    return mark === 'DBIT' ? 0 - minorOfFine(fine) : this.#wrong(`${place}, CdtDbtInd`, mark ?? '-');
  }

  #checkCount(element: QualifiedElement, statement: string, found: number): void {
    const named = textAt(element, 'TxsSummry', 'TtlNtries', 'NbOfNtries');
    if (named === undefined || Number(named) === found) return;
    this.warnings.push(mistake('statement-count', [], { statement, expected: named, found: String(found) }));
  }

  #wrong(place: string, detail: string): null {
    this.mistakes.push(mistake('file-element', [], { place, detail }));
    return null;
  }
}

function child(element: QualifiedElement | undefined, name: string): QualifiedElement | undefined {
  return element?.children.find((one) => one.name === name);
}

function all(element: QualifiedElement | undefined, name: string): QualifiedElement[] {
  return element?.children.filter((one) => one.name === name) ?? [];
}

function textAt(element: QualifiedElement | undefined, ...path: string[]): string | undefined {
  const found = path.reduce<QualifiedElement | undefined>(child, element);
  return found === undefined || found.text === '' ? undefined : found.text;
}

/** The day of a choice of `Dt` and `DtTm`, or of an element that is a moment itself. */
function dayAt(element: QualifiedElement | undefined, path: readonly string[]): string | undefined {
  const found = path.reduce<QualifiedElement | undefined>(child, element);
  const text = textAt(found, 'Dt') ?? textAt(found, 'DtTm') ?? found?.text;
  return text === undefined ? undefined : (isoDay(text) ?? undefined);
}

/** Before .001.08 the code itself, since then a choice of a code and own words. */
function statusOf(entry: QualifiedElement): string {
  const status = child(entry, 'Sts');
  return textAt(status, 'Cd') ?? status?.text ?? '';
}

function balanceOf(statement: QualifiedElement, codes: readonly string[]): QualifiedElement | undefined {
  const balances = all(statement, 'Bal');
  return codes
    .map((code) => balances.find((one) => textAt(one, 'Tp', 'CdOrPrtry', 'Cd') === code))
    .find((found) => found !== undefined);
}

/** Who paid, or was paid. Since .001.08 parties have a level of their own. */
function counterpartOf(details: QualifiedElement | undefined, amountMinor: number): string | null {
  const party = child(child(details, 'RltdPties'), amountMinor < 0 ? 'Cdtr' : 'Dbtr');
  return textAt(party, 'Pty', 'Nm') ?? textAt(party, 'Nm') ?? null;
}

const MAX_TEXT = 1000;

/** All that the bank wrote beside the amount: a payout is named in one of these places. */
function textsOf(entry: QualifiedElement, details: readonly QualifiedElement[]): string | null {
  const remittance = (one: QualifiedElement) => {
    const info = child(one, 'RmtInf');
    return [
      ...all(info, 'Ustrd').map(({ text }) => text),
      ...all(info, 'Strd').flatMap((strd) => textAt(strd, 'CdtrRefInf', 'Ref') ?? []),
      textAt(one, 'AddtlTxInf') ?? '',
    ];
  };
  const texts = [textAt(entry, 'AddtlNtryInf') ?? '', ...details.flatMap(remittance)];
  return (
    [...new Set(texts)]
      .filter((text) => text !== '')
      .join(' ')
      .slice(0, MAX_TEXT) || null
  );
}
