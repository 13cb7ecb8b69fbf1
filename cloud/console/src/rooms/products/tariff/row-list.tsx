import { ArrowDown, ArrowUp, Trash2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { IconButton } from '../../../ui/button.tsx';
import { EDITOR } from './tariff-words.ts';

interface RowListProps<Row> {
  rows: readonly Row[];
  /** The name of a row for its buttons, by its place from 0. */
  nameOf: (place: number) => string;
  onChange: (rows: Row[]) => void;
  children: (row: Row, place: number, change: (row: Row) => void) => ReactNode;
}

/** Parts of a tariff of which the first that fits counts: each can be changed, moved and taken away. */
export function RowList<Row>({ rows, nameOf, onChange, children }: RowListProps<Row>) {
  const swap = (place: number, other: number) => {
    const next = [...rows];
    const [one, two] = [rows[place], rows[other]];
    if (one === undefined || two === undefined) return;
    next[place] = two;
    next[other] = one;
    onChange(next);
  };
  if (rows.length === 0) return null;
  return (
    <ol className="row-list">
      {rows.map((row, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a part of a tariff is known by its place alone
        <li key={place} aria-label={nameOf(place)}>
          <div className="row-body">
            {children(row, place, (changed) => onChange(rows.with(place, changed)))}
          </div>
          <div className="row-acts">
            <IconButton
              label={EDITOR.up({ name: nameOf(place) })}
              isDisabled={place === 0}
              onPress={() => swap(place, place - 1)}
            >
              <ArrowUp aria-hidden="true" />
            </IconButton>
            <IconButton
              label={EDITOR.down({ name: nameOf(place) })}
              isDisabled={place === rows.length - 1}
              onPress={() => swap(place, place + 1)}
            >
              <ArrowDown aria-hidden="true" />
            </IconButton>
            <IconButton
              label={EDITOR.remove({ name: nameOf(place) })}
              onPress={() => onChange(rows.toSpliced(place, 1))}
            >
              <Trash2 aria-hidden="true" />
            </IconButton>
          </div>
        </li>
      ))}
    </ol>
  );
}
