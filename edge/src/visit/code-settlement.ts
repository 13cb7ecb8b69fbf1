import { codeSettlementId } from '@hlid/node/exit-code-key';
import { codeTime } from '@hlid/protocol/records/exit-code';
import type { SettlementItem } from '@hlid/protocol/site-link/site-change';

/** The actor of a settlement that a driver made by the code of an online payment. */
export const BY_CODE = 'code';

/** The id that the settlement of a payment has at a site where its code was typed first. */
export function codeIdOf({ visitId, settledAt, units, amountMinor }: SettlementItem): string {
  return codeSettlementId({ visitId, paidAt: codeTime(settledAt), units, amountMinor });
}
