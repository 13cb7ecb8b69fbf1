import type { ReactNode } from 'react';
import { COMMON } from '../words/common.ts';
import { Button } from './button.tsx';
import { ColumnChooser, useColumns } from './columns.tsx';
import {
  DataTable,
  type RowLink,
  type RowSelection,
  type ServerOrder,
  type TableColumn,
} from './data-table.tsx';
import { Failed, Loading } from './states.tsx';
import type { List } from './use-list.ts';

/** A list with its states: loading, failed, empty, rows that wait, more rows. */
export function ListView<T>({
  list,
  empty,
  columns,
  keptAs = null,
  ...table
}: {
  list: List<T>;
  label: string;
  columns: readonly TableColumn<T>[];
  idOf: (row: T) => string;
  linkOf?: ((row: T) => RowLink) | undefined;
  onOpen?: ((row: T) => void) | undefined;
  order?: ServerOrder;
  selection?: RowSelection;
  rowClass?: (row: T) => string;
  /** The name under which this browser keeps which columns are shown; absent: always all. */
  keptAs?: string | null;
  /** The content of an empty list: the reason, and the next step. */
  empty: ReactNode;
}) {
  const { shown, ...choosing } = useColumns(keptAs, columns);
  if (list.error) return <Failed error={list.error} retry={list.retry} />;
  if (!list.isReady) return <Loading lines={8} />;
  if (list.rows.length === 0) return empty;
  return (
    <>
      {list.waiting > 0 && (
        <Button look="quiet" onPress={list.showWaiting}>
          {COMMON.newRows({ count: list.waiting })}
        </Button>
      )}
      <DataTable {...table} columns={shown} rows={list.rows} isWhole={list.isWhole} />
      <footer className="list-foot">
        <span>
          {list.isTotalExact ? COMMON.rows({ count: list.total }) : COMMON.atLeast({ count: list.total })}
        </span>
        <span className="row-acts">
          {keptAs !== null && <ColumnChooser columns={columns} {...choosing} />}
          {list.hasMore && (
            <Button onPress={list.loadMore} isPending={list.isLoadingMore}>
              {COMMON.more}
            </Button>
          )}
        </span>
      </footer>
    </>
  );
}
