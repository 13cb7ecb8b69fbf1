import { type ReactNode, useState } from 'react';
import { COMMON } from '../words/common.ts';
import { Conflict } from './conflict.tsx';
import { Dialog } from './dialog.tsx';
import { FormDialog } from './form-dialog.tsx';
import { Failed, Loading } from './states.tsx';
import type { useEdit } from './use-edit.ts';

/** A name and what stands there, in words. */
export type TextRow = readonly [name: string, value: string | null];

/** The changes of a person, and the values before: sending those is the undo. */
export interface Edited<Draft> {
  changes: Partial<Draft>;
  undo: Partial<Draft>;
}

interface Props<Thing, Draft> {
  title: string;
  edit: ReturnType<typeof useEdit<Thing, Edited<Draft>>>;
  /** The thing as its form has it. */
  draftOf: (thing: Thing) => Draft;
  /** The item in words, to show another person's change of it. */
  rowsOf: (thing: Thing) => readonly TextRow[];
  isComplete?: (draft: Draft) => boolean;
  children: (draft: Draft, set: (changes: Partial<Draft>) => void) => ReactNode;
  onClose: () => void;
}

/** A form for an item that another person may edit at the same time. Only what was changed here is sent. */
export function EditDialog<Thing extends object, Draft extends object>(props: Props<Thing, Draft>) {
  const { title, edit, onClose } = props;
  if (edit.before !== null) return <EditForm {...props} before={edit.before} />;
  return (
    <Dialog title={title} onClose={onClose}>
      {edit.loadError ? <Failed error={edit.loadError} retry={edit.retry} /> : <Loading />}
    </Dialog>
  );
}

function EditForm<Thing extends object, Draft extends object>({
  title,
  edit,
  before,
  draftOf,
  rowsOf,
  isComplete = () => true,
  children,
  onClose,
}: Props<Thing, Draft> & { before: Thing }) {
  const first = draftOf(before);
  const [draft, setDraft] = useState(first);
  const edited = editedOf(first, draft);
  const fields = () => {
    if (edit.theirs === null) return [];
    const [old, yours] = [new Map(rowsOf(before)), new Map(rowsOf({ ...before, ...draft }))];
    return rowsOf(edit.theirs)
      .filter(([name, theirs]) => old.get(name) !== theirs)
      .map(([name, theirs]) => ({ name, before: old.get(name), theirs, yours: yours.get(name) }));
  };
  return (
    <FormDialog
      title={title}
      submit={COMMON.save}
      error={edit.error}
      isBusy={edit.isBusy}
      isReady={isComplete(draft) && Object.keys(edited.changes).length > 0}
      onSubmit={() => edit.save(edited)}
      onClose={onClose}
    >
      {children(draft, (changes) => setDraft({ ...draft, ...changes }))}
      {edit.theirs !== null && <Conflict fields={fields()} />}
    </FormDialog>
  );
}

/** The fields of a form that differ from how it began. */
function editedOf<Draft extends object>(first: Draft, draft: Draft): Edited<Draft> {
  const edited: Edited<Draft> = { changes: {}, undo: {} };
  for (const name of Object.keys(draft) as (keyof Draft)[]) {
    if (JSON.stringify(first[name]) === JSON.stringify(draft[name])) continue;
    edited.changes[name] = draft[name];
    edited.undo[name] = first[name];
  }
  return edited;
}
