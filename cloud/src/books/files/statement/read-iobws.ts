import { beyondJsonBounds } from '@hlid/protocol/base/json-bounds';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { CurrencySchema } from '@hlid/protocol/base/money';
import { z } from 'zod';
import { refusedInput } from '../../../platform/refused.ts';
import { fineAmount, isWholeMinor, minorOfFine, PLAIN_NUMBERS } from '../amount-text.ts';
import { type BankEntry, MAX_FILE_MISTAKES, MAX_FILE_ROWS, type ReadFile } from '../file-content.ts';
import { checkStatements } from './check-statements.ts';

/** What a file of as many transactions as are read may hold. */
const BOUNDS = { maxValues: MAX_FILE_ROWS * 40, maxDepth: 12, maxEscapes: 200_000 };

const AmountSchema = z.object({ currency: CurrencySchema, amount: z.string() });
const TextSchema = z.string().nullish();

/** A transaction of ÍST TS 310 (IOBWS 3.2), which follows the Berlin Group. Members that are not here do not count. */
const TransactionSchema = z.object({
  transactionId: TextSchema,
  entryReference: TextSchema,
  endToEndId: TextSchema,
  bookingDate: z.iso.date(),
  valueDate: z.iso.date().nullish(),
  transactionAmount: AmountSchema,
  creditorName: TextSchema,
  debtorName: TextSchema,
  remittanceInformationUnstructured: TextSchema,
  additionalInformation: TextSchema,
  batchIndicator: z.boolean().nullish(),
  batchNumberOfTransactions: z.int().nullish(),
});

const BalanceSchema = z.object({
  balanceType: z.string(),
  balanceAmount: AmountSchema,
  referenceDate: z.iso.date().nullish(),
});

const FileSchema = z.object({
  account: z.object({ iban: TextSchema, bban: TextSchema, currency: CurrencySchema.nullish() }),
  transactions: z.object({ booked: z.array(TransactionSchema), pending: z.array(z.unknown()).nullish() }),
  balances: z.array(BalanceSchema).nullish(),
});

/** Reads the answer of `GET /accounts/{id}/transactions` of an Icelandic bank. */
export function readIobws(text: string): ReadFile {
  if (beyondJsonBounds(Buffer.from(text), BOUNDS) !== null) {
    return refusedInput(mistake('file-rows', [], { max: MAX_FILE_ROWS }));
  }
  let document: unknown;
  try {
    document = JSON.parse(text);
  } catch (error) {
    return refusedInput(mistake('file-cut', [], { detail: error instanceof Error ? error.message : 'JSON' }));
  }
  const parsed = FileSchema.safeParse(document);
  if (!parsed.success)
    return refusedInput(...parsed.error.issues.slice(0, MAX_FILE_MISTAKES).map(wrongPlace));
  const { account, transactions, balances } = parsed.data;
  const { booked } = transactions;
  const [first] = booked;
  const currency = account.currency ?? first?.transactionAmount.currency;
  if (first === undefined || currency === undefined) return refusedInput(mistake('file-no-rows'));
  const mistakes: Mistake[] = [];
  const minorOf = (amount: z.infer<typeof AmountSchema>, place: string) => {
    const fine = fineAmount(amount.amount, currency, PLAIN_NUMBERS);
    if (amount.currency === currency && fine !== null && isWholeMinor(fine)) return minorOfFine(fine);
    mistakes.push(mistake('file-element', [], { place, detail: `${amount.amount} ${amount.currency}` }));
    return 0;
  };
  const entries = booked.map((one, n) => entryOf(one, n, minorOf));
  const balanceOf = (type: string) => {
    const found = balances?.find(({ balanceType }) => balanceType === type);
    return found === undefined ? null : minorOf(found.balanceAmount, `balances ${type}`);
  };
  const [openingMinor, closingMinor] = [balanceOf('openingBooked'), balanceOf('closingBooked')];
  if (mistakes.length > 0) return refusedInput(...mistakes.slice(0, MAX_FILE_MISTAKES));
  const days = entries.map(({ bookedOn }) => bookedOn).sort();
  const [from = '', until = ''] = [days[0], days.at(-1)];
  const pending = transactions.pending?.length ?? 0;
  const reference = `${from}/${until}`;
  const warnings =
    pending === 0 ? [] : [mistake('entry-pending', [], { statement: reference, entries: String(pending) })];
  const statement = { reference, currency, from, until, openingMinor, closingMinor, entries };
  return checkStatements(
    'iobws',
    [{ account: account.iban ?? account.bban ?? null, ...statement }],
    warnings,
  );
}

function entryOf(
  one: z.infer<typeof TransactionSchema>,
  n: number,
  minorOf: (amount: z.infer<typeof AmountSchema>, place: string) => number,
): BankEntry {
  const amountMinor = minorOf(one.transactionAmount, `transactions.booked ${n + 1}`);
  const texts = [one.remittanceInformationUnstructured, one.additionalInformation].flatMap(
    (text) => text || [],
  );
  return {
    line: n + 1,
    amountMinor,
    bookedOn: one.bookingDate,
    valueOn: one.valueDate ?? null,
    isReversal: false,
    reference: one.entryReference ?? one.transactionId ?? null,
    endToEndId: one.endToEndId ?? null,
    counterpart: (amountMinor < 0 ? one.creditorName : one.debtorName) ?? null,
    text: texts.join(' ') || null,
    transactions: one.batchNumberOfTransactions ?? null,
  };
}

function wrongPlace({ path }: z.core.$ZodIssue): Mistake {
  return mistake('file-member', [], { place: path.join('.') || 'JSON' });
}
