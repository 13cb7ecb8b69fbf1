import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { FeeRule } from './invoice-table.ts';

/** What is charged beside the price of a stay. */
export interface Fee {
  rule: FeeRule;
  amountMinor: number;
  /** When the notice of a late fee was delivered. */
  noticeAt?: UtcTime;
}
