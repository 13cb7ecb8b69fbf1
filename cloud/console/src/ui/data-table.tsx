import { Link, useRouter } from '@tanstack/react-router';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import type { Filters } from '../shell/use-filters.ts';
import { COMMON } from '../words/common.ts';
import { type Sorting, sortRows } from './sort-rows.ts';

export interface TableColumn<T> {
  id: string;
  title: string;
  cell: (row: T) => ReactNode;
  /** Amounts and counts stand at the right. */
  isNumber?: boolean;
  /** A share of the width that is left; absent: as wide as its content. */
  isWide?: boolean;
  /** Whether the column is hidden until the person chooses it (`ColumnChooser`). */
  isHidden?: boolean;
  /** The orders of the cloud in which its list is sorted by this column. */
  orders?: { ascending?: string; descending?: string };
  /** The value to sort by, if it differs from what the cell shows. */
  sortBy?: (row: T) => string | number | null;
}

/** The page that a row opens. */
export interface RowLink {
  to: string;
  search?: Filters;
}

/** How the cloud sorts a list that comes in pages. */
export interface ServerOrder {
  value: string;
  onChange: (order: string) => void;
}

/** The rows that are chosen, for actions on many. */
export interface RowSelection {
  ids: ReadonlySet<string>;
  onChange: (ids: ReadonlySet<string>) => void;
}

interface TableProps<T> {
  label: string;
  columns: readonly TableColumn<T>[];
  rows: readonly T[];
  idOf: (row: T) => string;
  /** The page of a row. It is a link, so that it can be opened in another tab. */
  linkOf?: ((row: T) => RowLink) | undefined;
  /** Called for rows that open a dialog, and no page. */
  onOpen?: ((row: T) => void) | undefined;
  selection?: RowSelection;
  rowClass?: (row: T) => string;
  /** False: there are more rows than these, and only the cloud can sort them. */
  isWhole?: boolean;
  order?: ServerOrder | undefined;
}

/** The elements of a row that handle a click themselves. */
const CONTROLS = 'a, button, input, select, textarea, label';

/**
 * Rows as a grid that is walked by arrow keys, opened by Enter and chosen by Space (ARIA APG, grid with focusable rows).
 * On narrow screens each row is a card with the titles of the columns beside the values; the roles stay those of a table.
 */
export function DataTable<T>({
  label,
  columns,
  rows: given,
  idOf,
  linkOf,
  onOpen,
  selection,
  rowClass,
  isWhole = true,
  order,
}: TableProps<T>) {
  const [current, setCurrent] = useState<string | null>(null);
  const [sorting, setSorting] = useState<Sorting | null>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const { rows, sortable } = sortRows(given, columns, isWhole ? sorting : null);
  const opens = linkOf !== undefined || onOpen !== undefined;
  const ids = rows.map(idOf);
  // One row is in the tab order: the last one that had the focus, otherwise the first.
  const inTabOrder = current !== null && ids.includes(current) ? current : ids[0];

  const choose = (id: string) => {
    if (!selection) return;
    const chosen = new Set(selection.ids);
    if (!chosen.delete(id)) chosen.add(id);
    selection.onChange(chosen);
  };
  const { open, openTab, onClick, onMiddleClick } = useOpening(linkOf, onOpen);
  const goTo = (place: number) => {
    const row = body.current?.rows[Math.max(0, Math.min(rows.length - 1, place))];
    row?.focus();
    row?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent, row: T, place: number) => {
    if (event.target !== event.currentTarget || event.altKey) return;
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey) && linkOf) openTab(row);
    else if (event.key === 'a' && (event.ctrlKey || event.metaKey) && selection)
      selection.onChange(new Set(ids));
    else if (event.ctrlKey || event.metaKey) return;
    else if (event.key === 'ArrowDown') goTo(place + 1);
    else if (event.key === 'ArrowUp') goTo(place - 1);
    else if (event.key === 'Home') goTo(0);
    else if (event.key === 'End') goTo(rows.length - 1);
    else if (event.key === 'Enter' && opens) open(row);
    else if (event.key === ' ' && selection) choose(idOf(row));
    else return;
    event.preventDefault();
  };
  const orderOf = ({ id, orders }: TableColumn<T>): ColumnOrder | 'when-whole' | null => {
    if (order && orders) {
      const { shown, turn } = serverOrder(orders, order);
      const turnAll = () => {
        setSorting(null);
        turn();
      };
      return { shown: sorting === null ? shown : 'none', turn: turnAll };
    }
    if (!sortable.has(id)) return null;
    if (!isWhole) return 'when-whole';
    const shown = sorting?.column === id ? sorting.direction : 'none';
    const direction = shown === 'ascending' ? 'descending' : 'ascending';
    return { shown, turn: () => setSorting(shown === 'descending' ? null : { column: id, direction }) };
  };

  return (
    <div className="table-frame">
      <table
        className="table"
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: rows take the focus, which a table's do not.
        role="grid"
        aria-label={label}
        aria-multiselectable={selection ? true : undefined}
      >
        <thead>
          <tr>
            {selection && (
              <th className="choose" scope="col">
                <ChooseAll ids={ids} selection={selection} />
              </th>
            )}
            {columns.map((column) => (
              <ColumnHead key={column.id} column={column} order={orderOf(column)} />
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {rows.map((row, place) => {
            const id = ids[place] ?? '';
            return (
              <tr
                key={id}
                className={rowClass?.(row) ?? ''}
                tabIndex={id === inTabOrder ? 0 : -1}
                aria-selected={selection ? selection.ids.has(id) : undefined}
                data-opens={opens ? true : undefined}
                onFocus={() => setCurrent(id)}
                onKeyDown={(event) => onKeyDown(event, row, place)}
                onClick={(event) => onClick(event, row)}
                onAuxClick={(event) => onMiddleClick(event, row)}
              >
                {selection && (
                  <td className="choose">
                    <ChooseRow isChosen={selection.ids.has(id)} onChoose={() => choose(id)} place={place} />
                  </td>
                )}
                {columns.map(({ id: column, title, cell, isNumber, isWide }, at) =>
                  at === 0 ? (
                    <th key={column} scope="row" className={classOf(isNumber, isWide)} data-title={title}>
                      <RowName link={linkOf?.(row)}>{cell(row)}</RowName>
                    </th>
                  ) : (
                    <td key={column} className={classOf(isNumber, isWide)} data-title={title}>
                      {cell(row)}
                    </td>
                  ),
                )}
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/**
 * The ways to open a row: in its place, or in a new tab with the keys and the button that browsers have for
 * it.
 */
function useOpening<T>(linkOf: TableProps<T>['linkOf'], onOpen: TableProps<T>['onOpen']) {
  const router = useRouter();
  const open = (row: T) => {
    if (linkOf) void router.navigate(linkOf(row));
    else onOpen?.(row);
  };
  const openTab = (row: T) => {
    if (linkOf) window.open(router.buildLocation(linkOf(row)).href, '_blank', 'noopener');
  };
  const onClick = (event: MouseEvent, row: T) => {
    if (event.target instanceof Element && event.target.closest(CONTROLS)) return;
    // The person marks text to copy it.
    if (getSelection()?.isCollapsed === false) return;
    if (linkOf && (event.ctrlKey || event.metaKey || event.shiftKey)) openTab(row);
    else open(row);
  };
  const onMiddleClick = (event: MouseEvent, row: T) => {
    if (event.button !== 1 || (event.target instanceof Element && event.target.closest(CONTROLS))) return;
    openTab(row);
  };
  return { open, openTab, onClick, onMiddleClick };
}

/** The row's own keys lead where its link does: the link takes no part in the tab order. */
function RowName({ link, children }: { link: RowLink | undefined; children: ReactNode }) {
  if (link === undefined) return children;
  return (
    <Link {...link} tabIndex={-1} className="row-link" preload={false}>
      {children}
    </Link>
  );
}

interface ColumnOrder {
  shown: 'ascending' | 'descending' | 'none';
  turn: () => void;
}

/** An order of the cloud, which has one for each direction or for one of them. */
function serverOrder(
  { ascending, descending }: NonNullable<TableColumn<never>['orders']>,
  { value, onChange }: ServerOrder,
): ColumnOrder {
  const shown = value === ascending ? 'ascending' : value === descending ? 'descending' : 'none';
  const next = shown === 'descending' ? (ascending ?? '') : (descending ?? ascending ?? '');
  return { shown, turn: () => onChange(next) };
}

function ColumnHead<T>({
  column: { title, isNumber, isWide },
  order,
}: {
  column: TableColumn<T>;
  /** `when-whole`: only the cloud has the other rows, and no order of this column. */
  order: ColumnOrder | 'when-whole' | null;
}) {
  const look = classOf(isNumber, isWide);
  if (order === null || order === 'when-whole') {
    const why = order === null ? undefined : COMMON.sortsWhole;
    return (
      <th scope="col" className={look} title={why} aria-description={why}>
        {title}
      </th>
    );
  }
  return (
    <th scope="col" className={look} aria-sort={order.shown}>
      <button type="button" className="sort" onClick={order.turn}>
        {title}
        {order.shown === 'ascending' && <ArrowUp size={12} aria-hidden="true" />}
        {order.shown === 'descending' && <ArrowDown size={12} aria-hidden="true" />}
      </button>
    </th>
  );
}

function classOf(isNumber = false, isWide = false): string {
  return [isNumber && 'number', isWide && 'wide'].filter(Boolean).join(' ');
}

function ChooseAll({ ids, selection }: { ids: readonly string[]; selection: RowSelection }) {
  const box = useRef<HTMLInputElement>(null);
  const count = ids.filter((id) => selection.ids.has(id)).length;
  const areAll = ids.length > 0 && count === ids.length;
  useEffect(() => {
    if (box.current) box.current.indeterminate = count > 0 && !areAll;
  }, [count, areAll]);
  return (
    <label className="choose-all">
      <input
        ref={box}
        type="checkbox"
        aria-label={COMMON.selectAll}
        checked={areAll}
        onChange={() => selection.onChange(new Set(areAll ? [] : ids))}
      />
      <span aria-hidden="true">{COMMON.selectAll}</span>
    </label>
  );
}

function ChooseRow({
  isChosen,
  onChoose,
  place,
}: {
  isChosen: boolean;
  onChoose: () => void;
  place: number;
}) {
  return (
    <input
      type="checkbox"
      tabIndex={-1}
      aria-label={COMMON.selectRow({ place: place + 1 })}
      checked={isChosen}
      onChange={onChoose}
    />
  );
}
