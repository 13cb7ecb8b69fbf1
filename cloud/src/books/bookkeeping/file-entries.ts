import type { SettlementRowKind } from '../files/file-content.ts';
import { type Entry, type Leg, mergedLegs } from './entry.ts';
import { clearingOf } from './invoice-entries.ts';

/** An account with a provider or at a bank, as the rules read it. */
export interface BookedAccount {
  id: string;
  siteId: string | null;
  gatewayId: string | null;
}

/** A batch of a provider, with the sums of its rows by kind. */
export interface BookedBatch {
  id: string;
  fileId: string;
  reference: string;
  currency: string;
  /** The day of its payout; without one, that of its newest row. */
  day: string;
  roundingMinor: number;
  account: BookedAccount;
  sums: readonly { kind: SettlementRowKind; grossMinor: number; feeMinor: number }[];
}

/**
 * A batch in the books: what it settles leaves the clearing of cards, less the fees, for the balance with the provider. A
 * payout that failed changes nothing there: the money is back in the same balance.
 */
export function entriesOfBatch(batch: BookedBatch): Entry[] {
  const { account, roundingMinor } = batch;
  const clearing = clearingOf(account.gatewayId);
  const details = [account.id];
  const fees = { role: 'provider-fees', details } as const;
  const legs: Leg[] = [
    { use: { role: 'rounding', details: [] }, amountMinor: 0 - roundingMinor, vat: null },
    ...batch.sums.flatMap(({ kind, grossMinor, feeMinor }): Leg[] => {
      const fee: Leg = { use: fees, amountMinor: feeMinor, vat: null };
      if (kind === 'payout-failed') return [fee];
      const use = kind === 'fee' ? fees : kind === 'adjustment' ? ADJUSTMENTS(account.id) : clearing;
      return [{ use, amountMinor: 0 - grossMinor, vat: null }, fee];
    }),
  ];
  const balanceMinor = 0 - legs.reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  const merged = mergedLegs([
    { use: { role: 'provider-balance', details }, amountMinor: balanceMinor, vat: null },
    ...legs,
  ]);
  if (merged.length === 0) return [];
  return [
    {
      kind: 'settlement',
      day: batch.day,
      siteId: account.siteId,
      id: batch.id,
      number: batch.reference,
      creditOf: null,
      path: `money/files/settlement/${batch.fileId}`,
      currency: batch.currency,
      legs: merged,
    },
  ];
}

const ADJUSTMENTS = (accountId: string) => ({ role: 'provider-adjustments', details: [accountId] }) as const;

/** An entry of a bank that is a payout of a provider. */
export interface BookedBankEntry {
  fileId: string;
  n: number;
  bookedOn: string;
  amountMinor: number;
  currency: string;
  reference: string | null;
  bank: BookedAccount;
  /** The account with the provider that paid it out. */
  providerAccountId: string;
}

/** What the bank has of a provider leaves the balance with the provider. */
export function entriesOfBank(entry: BookedBankEntry): Entry[] {
  const { fileId, n, bank, amountMinor } = entry;
  if (amountMinor === 0) return [];
  return [
    {
      kind: 'bank',
      day: entry.bookedOn,
      siteId: bank.siteId,
      id: `${fileId}:${n}`,
      number: entry.reference ?? `B${n}`,
      creditOf: null,
      path: `money/files/bank/${fileId}`,
      currency: entry.currency,
      legs: [
        { use: { role: 'bank', details: [bank.id] }, amountMinor, vat: null },
        {
          use: { role: 'provider-balance', details: [entry.providerAccountId] },
          amountMinor: 0 - amountMinor,
          vat: null,
        },
      ],
    },
  ];
}
