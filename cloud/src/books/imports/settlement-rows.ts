import type { SettlementRowRow } from '../../records/books/money-file-table.ts';
import { SETTLEMENT_ROW_KINDS } from '../files/file-content.ts';
import type { RowToMatch } from '../match/match-settlement.ts';

/** A stored row as it is matched. A kind that a newer version stored is none of our movements. */
export function toMatchOf(row: SettlementRowRow, key: string): RowToMatch {
  return { ...row, key, kind: SETTLEMENT_ROW_KINDS.find((kind) => kind === row.kind) ?? 'adjustment' };
}
