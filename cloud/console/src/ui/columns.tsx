import { Columns3 } from 'lucide-react';
import { useState } from 'react';
import { Menu, MenuItem, MenuTrigger, Popover } from 'react-aria-components';
import { COMMON } from '../words/common.ts';
import { Button } from './button.tsx';
import type { TableColumn } from './data-table.tsx';

interface Choosing {
  hidden: ReadonlySet<string>;
  hide: (ids: ReadonlySet<string>) => void;
}

/**
 * The columns of a table that are shown. The first one names the row and is always shown.
 * @param keptAs the table's name in this browser's storage; null: all columns are shown
 */
export function useColumns<T>(
  keptAs: string | null,
  columns: readonly TableColumn<T>[],
): Choosing & { shown: readonly TableColumn<T>[] } {
  const [chosen, setChosen] = useState(() => readHidden(keptAs));
  const byDefault = columns.filter(({ isHidden }) => isHidden).map(({ id }) => id);
  const hidden = keptAs === null ? new Set<string>() : (chosen ?? new Set(byDefault));
  return {
    shown: columns.filter(({ id }, place) => place === 0 || !hidden.has(id)),
    hidden,
    hide: (ids) => {
      localStorage.setItem(`hlid.columns.${keptAs}`, [...ids].join(' '));
      setChosen(ids);
    },
  };
}

/** The columns of a table that are shown now, by their ids. */
export function shownColumns<T>(keptAs: string, columns: readonly TableColumn<T>[]): string[] {
  const hidden = readHidden(keptAs);
  return columns
    .filter(({ id, isHidden }, place) => place === 0 || !(hidden ? hidden.has(id) : isHidden))
    .map(({ id }) => id);
}

function readHidden(keptAs: string | null): ReadonlySet<string> | null {
  const stored = localStorage.getItem(`hlid.columns.${keptAs}`);
  return stored === null ? null : new Set(stored.split(' '));
}

export function ColumnChooser<T>({
  columns,
  hidden,
  hide,
}: Choosing & { columns: readonly TableColumn<T>[] }) {
  const [, ...choices] = columns;
  const shown = choices.map(({ id }) => id).filter((id) => !hidden.has(id));
  return (
    <MenuTrigger>
      <Button look="quiet">
        <Columns3 size={14} aria-hidden="true" /> {COMMON.columns}
      </Button>
      <Popover className="popover">
        <Menu
          className="menu"
          aria-label={COMMON.columns}
          selectionMode="multiple"
          selectedKeys={shown}
          onSelectionChange={(keys) => {
            const isShown = (id: string) => keys === 'all' || keys.has(id);
            hide(new Set(choices.map(({ id }) => id).filter((id) => !isShown(id))));
          }}
        >
          {choices.map(({ id, title }) => (
            <MenuItem key={id} id={id} textValue={title}>
              <span className="check-mark" aria-hidden="true" />
              {title}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
