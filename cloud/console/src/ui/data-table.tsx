import type { ReactNode } from 'react';
import {
  Cell,
  Checkbox,
  Column,
  Row,
  type Selection,
  Table,
  TableBody,
  TableHeader,
} from 'react-aria-components';

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

/**
 * Rows as a table that is walked by arrow keys, opened by Enter and chosen by Space. On narrow screens each row is a card
 * with the titles of the columns beside the values; the roles stay those of a table.
 */
export function DataTable<T>({
  label,
  columns,
  rows,
  idOf,
  onOpen,
  selection,
  rowClass,
}: {
  label: string;
  columns: readonly TableColumn<T>[];
  rows: readonly T[];
  idOf: (row: T) => string;
  onOpen?: ((row: T) => void) | undefined;
  selection?: RowSelection;
  rowClass?: (row: T) => string;
}) {
  const chosen = (keys: Selection) => new Set(keys === 'all' ? rows.map(idOf) : [...keys].map(String));
  return (
    <div className="table-frame">
      <Table
        aria-label={label}
        className="table"
        selectionMode={selection ? 'multiple' : 'none'}
        {...(selection && {
          selectedKeys: selection.ids,
          onSelectionChange: (keys: Selection) => selection.onChange(chosen(keys)),
        })}
        {...(onOpen && {
          onRowAction: (key) => {
            const row = rows.find((one) => idOf(one) === key);
            if (row !== undefined) onOpen(row);
          },
        })}
      >
        <TableHeader>
          {selection && (
            <Column className="choose">
              <ChooseBox />
            </Column>
          )}
          {columns.map(({ id, title, isNumber, isWide }, place) => (
            <Column key={id} id={id} isRowHeader={place === 0} className={classOf(isNumber, isWide)}>
              {title}
            </Column>
          ))}
        </TableHeader>
        <TableBody>
          {rows.map((row) => (
            <Row
              key={idOf(row)}
              id={idOf(row)}
              className={rowClass?.(row) ?? ''}
              {...(onOpen && { 'data-opens': true })}
            >
              {selection && (
                <Cell className="choose">
                  <ChooseBox />
                </Cell>
              )}
              {columns.map(({ id, title, cell, isNumber, isWide }) => (
                <Cell key={id} className={classOf(isNumber, isWide)} data-title={title}>
                  {cell(row)}
                </Cell>
              ))}
            </Row>
          ))}
        </TableBody>
      </Table>
    </div>
  );
}

function classOf(isNumber = false, isWide = false): string {
  return [isNumber && 'number', isWide && 'wide'].filter(Boolean).join(' ');
}

function ChooseBox() {
  return (
    <Checkbox slot="selection" className="check">
      <span className="box" aria-hidden="true" />
    </Checkbox>
  );
}
