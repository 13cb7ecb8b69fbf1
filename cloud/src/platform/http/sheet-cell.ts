/** The value of one cell of a table for people; null: empty. */
export type SheetCell =
  | null
  | string
  | { kind: 'count'; count: number }
  /** What our own rules allow, such as the number of an account: no spreadsheet would run it. */
  | { kind: 'code'; code: string }
  /** Shown with two decimals. */
  | { kind: 'average'; average: number }
  /** A reading of a wall clock; see site-wall-clock.ts. */
  | { kind: 'moment'; wallMs: number }
  | { kind: 'duration'; ms: number }
  | { kind: 'money'; amountMinor: number; currency: string };

/** A table for people: its name, its columns, and how wide they are in characters. */
export interface SheetPlan {
  name: string;
  columns: readonly { header: string; width: number }[];
}
