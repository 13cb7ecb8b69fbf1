import { NUMBER_MARKS } from '@hlid/protocol/base/language';
import { isValidElement, type ReactNode } from 'react';
import { LANGUAGE } from '../words/words.ts';

export interface Sorting {
  column: string;
  direction: 'ascending' | 'descending';
}

interface SortColumn<T> {
  id: string;
  cell: (row: T) => ReactNode;
  isNumber?: boolean;
  sortBy?: (row: T) => SortKey | null;
}

type SortKey = string | number;

const TEXTS = new Intl.Collator(LANGUAGE, { numeric: true, sensitivity: 'base' });
/** The props of cell components by which a column is sorted: a moment, a plate, an amount. */
const SHOWN = ['at', 'plate', 'amountMinor'] as const;

/**
 * Rows in the order of a column, and the columns that have one: those with texts, numbers, moments, plates or
 * amounts in their cells. Rows without a value come last, in both directions.
 */
export function sortRows<T>(
  rows: readonly T[],
  columns: readonly SortColumn<T>[],
  sorting: Sorting | null,
): { rows: readonly T[]; sortable: ReadonlySet<string> } {
  const keys = new Map(columns.map((column) => [column.id, rows.map((row) => keyOf(column, row))]));
  const sortable = new Set([...keys].filter(([, all]) => isSortable(all)).map(([id]) => id));
  const chosen = sorting !== null && sortable.has(sorting.column) ? keys.get(sorting.column) : undefined;
  if (chosen === undefined || sorting === null) return { rows, sortable };
  const sign = sorting.direction === 'ascending' ? 1 : -1;
  const places = rows.map((_, place) => place);
  places.sort((one, other) => compare(chosen[one] ?? null, chosen[other] ?? null, sign) || one - other);
  return { rows: places.flatMap((place) => rows.slice(place, place + 1)), sortable };
}

/** Whether there is at least one value, and no cell with an unknown order. */
function isSortable(keys: readonly (SortKey | null | undefined)[]): boolean {
  return keys.some((key) => key !== null) && !keys.includes(undefined);
}

function compare(one: SortKey | null, other: SortKey | null, sign: number): number {
  if (one === null || other === null) return Number(one === null) - Number(other === null);
  if (typeof one === 'number' && typeof other === 'number') return (one - other) * sign;
  return TEXTS.compare(String(one), String(other)) * sign;
}

/** Null: the cell is empty. Undefined: it shows something that has no order. */
function keyOf<T>({ cell, isNumber = false, sortBy }: SortColumn<T>, row: T): SortKey | null | undefined {
  if (sortBy) return sortBy(row);
  const key = keyOfNode(cell(row));
  return isNumber && typeof key === 'string' ? numberIn(key) : key;
}

function keyOfNode(node: ReactNode): SortKey | null | undefined {
  if (node === null || node === undefined || typeof node === 'boolean' || node === '') return null;
  if (typeof node === 'string' || typeof node === 'number') return node;
  if (Array.isArray(node)) return keyOfNode(node.find((part) => typeof part === 'object' && part !== null));
  if (!isValidElement<Readonly<Record<string, unknown>>>(node)) return undefined;
  const { props } = node;
  const shown = SHOWN.find((name) => name in props);
  const value = shown === undefined ? props['children'] : props[shown];
  if (value === null) return null;
  return typeof value === 'string' || typeof value === 'number' ? value : undefined;
}

/** Numbers as people read them: `1.450 kr.`, `87 %`. */
function numberIn(text: string): number | null {
  const { group, decimal } = NUMBER_MARKS[LANGUAGE];
  const digits = text
    .replaceAll(group, '')
    .replace(decimal, '.')
    .match(/-?\d+(\.\d+)?/);
  return digits === null ? null : Number(digits[0]);
}
