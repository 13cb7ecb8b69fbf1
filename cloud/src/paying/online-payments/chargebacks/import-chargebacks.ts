import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { CurrencySchema } from '@hlid/protocol/base/money';
import { z } from 'zod';
import type { Db } from '../../../platform/db/db.ts';
import type { Actor } from '../../../platform/http/caller.ts';
import { type RefusedInput, refusedInput } from '../../../platform/refused.ts';
import { AMOUNT_IN_FILE, minorOf, readProviderFile } from '../provider-file.ts';
import {
  type ChargebackOutcome,
  ChargebackTrial,
  NAMES_NO_PAYMENT,
  namesPayment,
  type ProviderChargeback,
  ProviderChargebackSchema,
  takeChargeback,
} from './provider-chargeback.ts';

const REQUIRED = ['reference', 'amount', 'currency', 'reasonCode', 'state'];
const COLUMNS = [...REQUIRED, 'payment', 'transactionId', 'deadline', 'evidence'];

const AmountSchema = z.object({ amount: z.string().regex(AMOUNT_IN_FILE), currency: CurrencySchema });

/** The outcome of a line of the file; the header is line 1. */
export type ImportedLine = ChargebackOutcome & { line: number; reference: string | null };

/**
 * Records the chargebacks of a provider's file. A wrong line does not prevent the others from being recorded.
 * The same file once more changes nothing, so an import that broke off can be repeated.
 *
 * @param options.dryRun only reports what each line would come to
 */
export async function importChargebacks(
  db: Db,
  actor: Actor,
  file: string,
  { gatewayId, dryRun }: { gatewayId: string; dryRun: boolean },
): Promise<{ ok: true; lines: ImportedLine[] } | RefusedInput> {
  const opened = readProviderFile(file, { columns: COLUMNS, required: REQUIRED });
  if (!opened.ok) return refusedInput(...opened.mistakes);
  const take = async (given: ProviderChargeback) =>
    await db.write((tx) => takeChargeback(tx, actor, gatewayId, given));
  const lines = dryRun
    ? await db.read(async (q) => {
        const trial = new ChargebackTrial(q, gatewayId);
        return await eachLine(opened.rows, (given) => trial.take(given));
      })
    : await eachLine(opened.rows, take);
  return { ok: true, lines };
}

async function eachLine(
  rows: readonly Record<string, string>[],
  take: (given: ProviderChargeback) => Promise<ChargebackOutcome>,
): Promise<ImportedLine[]> {
  const lines: ImportedLine[] = [];
  for (const [index, row] of rows.entries()) {
    const read = readLine(row);
    const outcome: ChargebackOutcome = read.ok
      ? await take(read.given)
      : { outcome: 'refused', paymentId: null, mistakes: read.mistakes };
    lines.push({ line: index + 2, reference: read.ok ? read.given.reference : null, ...outcome });
  }
  return lines;
}

function readLine(row: Record<string, string>): { ok: true; given: ProviderChargeback } | RefusedInput {
  const sum = AmountSchema.safeParse(row);
  const amount = sum.success ? minorOf(sum.data.amount, sum.data.currency) : null;
  // An empty cell is none.
  const cells = Object.entries(row).filter(([name, text]) => COLUMNS.includes(name) && text !== '');
  const parsed = ProviderChargebackSchema.safeParse({ ...Object.fromEntries(cells), amount });
  if (!parsed.success) {
    // The texts of a file may be anything, and are not repeated.
    const places = new Set(parsed.error.issues.map(({ path }) => path.join('.')));
    return refusedInput(...[...places].map((place) => mistake('unreadable', place)));
  }
  return namesPayment(parsed.data) ? { ok: true, given: parsed.data } : NAMES_NO_PAYMENT;
}
