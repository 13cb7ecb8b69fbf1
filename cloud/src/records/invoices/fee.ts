import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { VatTerms } from '@hlid/protocol/base/vat';
import type { FeeRule } from './invoice-table.ts';

/** An amount that is charged beside the price of a stay. */
export interface Fee {
  rule: FeeRule;
  amountMinor: number;
  /** Absent: that of the price, in what was stored before fees had their own. */
  vat?: VatTerms;
  /** When the notice of a late fee was delivered. */
  noticeAt?: UtcTime;
}
