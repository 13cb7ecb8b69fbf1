import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useRef, useState } from 'react';
import { COMMON } from '../words/common.ts';

export interface TableColumn<T> {
  id: string;
  title: string;
  cell: (row: T) => ReactNode;
  /** Amounts and counts stand at the right. */
  isNumber?: boolean;
  /** A share of the width that is left; absent: as wide as its content. */
  isWide?: boolean;
  /** Not shown until somebody chooses it (`ColumnChooser`). */
  isHidden?: boolean;
}

/** Which rows are chosen, for actions on many. */
export interface RowSelection {
  ids: ReadonlySet<string>;
  onChange: (ids: ReadonlySet<string>) => void;
}

interface TableProps<T> {
  label: string;
  columns: readonly TableColumn<T>[];
  rows: readonly T[];
  idOf: (row: T) => string;
  onOpen?: ((row: T) => void) | undefined;
  selection?: RowSelection;
  rowClass?: (row: T) => string;
}

/** Within a row these act by themselves. */
const CONTROLS = 'a, button, input, select, textarea, label';

/**
 * Rows as a grid that is walked by arrow keys, opened by Enter and chosen by Space (ARIA APG, grid with focusable rows).
 * On narrow screens each row is a card with the titles of the columns beside the values; the roles stay those of a table.
 */
export function DataTable<T>({ label, columns, rows, idOf, onOpen, selection, rowClass }: TableProps<T>) {
  const [current, setCurrent] = useState<string | null>(null);
  const body = useRef<HTMLTableSectionElement>(null);
  const ids = rows.map(idOf);
  // One row takes part in the tab order: the last one that had the focus, else the first.
  const inTabOrder = current !== null && ids.includes(current) ? current : ids[0];

  const choose = (id: string) => {
    if (!selection) return;
    const chosen = new Set(selection.ids);
    if (!chosen.delete(id)) chosen.add(id);
    selection.onChange(chosen);
  };
  const goTo = (place: number) => {
    const row = body.current?.rows[Math.max(0, Math.min(rows.length - 1, place))];
    row?.focus();
    row?.scrollIntoView({ block: 'nearest' });
  };
  const onKeyDown = (event: KeyboardEvent, row: T, place: number) => {
    if (event.target !== event.currentTarget || event.altKey) return;
    if (event.key === 'a' && (event.ctrlKey || event.metaKey) && selection) selection.onChange(new Set(ids));
    else if (event.ctrlKey || event.metaKey) return;
    else if (event.key === 'ArrowDown') goTo(place + 1);
    else if (event.key === 'ArrowUp') goTo(place - 1);
    else if (event.key === 'Home') goTo(0);
    else if (event.key === 'End') goTo(rows.length - 1);
    else if (event.key === 'Enter' && onOpen) onOpen(row);
    else if (event.key === ' ' && selection) choose(idOf(row));
    else return;
    event.preventDefault();
  };
  const onClick = (event: MouseEvent, row: T) => {
    if (event.target instanceof Element && event.target.closest(CONTROLS)) return;
    // Somebody marks text to copy it.
    if (getSelection()?.isCollapsed === false) return;
    onOpen?.(row);
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
            {columns.map(({ id, title, isNumber, isWide }) => (
              <th key={id} scope="col" className={classOf(isNumber, isWide)}>
                {title}
              </th>
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
                data-opens={onOpen ? true : undefined}
                onFocus={() => setCurrent(id)}
                onKeyDown={(event) => onKeyDown(event, row, place)}
                onClick={(event) => onClick(event, row)}
              >
                {selection && (
                  <td className="choose">
                    <ChooseRow isChosen={selection.ids.has(id)} onChoose={() => choose(id)} place={place} />
                  </td>
                )}
                {columns.map(({ id: column, title, cell, isNumber, isWide }, at) =>
                  at === 0 ? (
                    <th key={column} scope="row" className={classOf(isNumber, isWide)} data-title={title}>
                      {cell(row)}
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
    <input
      ref={box}
      type="checkbox"
      aria-label={COMMON.selectAll}
      checked={areAll}
      onChange={() => selection.onChange(new Set(areAll ? [] : ids))}
    />
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
      aria-label={COMMON.selectRow(place + 1)}
      checked={isChosen}
      onChange={onChoose}
    />
  );
}
