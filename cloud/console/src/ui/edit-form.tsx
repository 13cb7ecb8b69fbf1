import type { QueryKey } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { COMMON } from '../words/common.ts';
import { Button } from './button.tsx';
import { Conflict } from './conflict.tsx';
import { useStop } from './dialog.tsx';
import type { Draft } from './draft.ts';
import { TextField } from './field.tsx';
import { conflictsOf, type FieldSpec, Fields } from './fields.tsx';
import { Mistakes } from './mistakes.tsx';
import { plainText } from './plain-text.ts';
import { Empty, Failed, Loading, RefusedNotice } from './states.tsx';
import { useToasts } from './toasts.tsx';
import { useUnsaved } from './unsaved.tsx';
import { useEdit } from './use-edit.ts';

/** A form on a page, for an item that another person may edit at the same time. */
export function EditForm<Thing, D extends Draft>({
  queryKey,
  read,
  send,
  invalidates,
  specs,
  toDraft,
  isReadOnly = false,
  canSearch = false,
  children,
}: {
  queryKey: QueryKey;
  read: () => Promise<{ body: Thing; etag: string | null }>;
  send: (edit: { draft: D; before: D }, headers: Record<string, string>) => Promise<unknown>;
  invalidates: readonly QueryKey[];
  /** Fields under headings. */
  specs: readonly { title: string; fields: readonly FieldSpec<D>[] }[];
  toDraft: (thing: Thing) => D;
  /** The person may look, but not save. */
  isReadOnly?: boolean;
  /** The fields can be searched by their words. */
  canSearch?: boolean;
  /** Other acts, beside the button that saves. */
  children?: ReactNode;
}) {
  const toasts = useToasts();
  // The typed values stay.
  const stop = useStop(() => undefined);
  const [draft, setDraft] = useState<D | null>(null);
  const [sought, setSought] = useState('');
  const edit = useEdit<Thing, { draft: D; before: D }>(queryKey, read, send, {
    invalidates,
    onDone: () => {
      setDraft(null);
      toasts.done(COMMON.saved);
    },
  });
  const leaving = useUnsaved({ isDirty: draft !== null, isBusy: edit.isBusy });
  if (edit.before === null) {
    return edit.loadError ? <Failed error={edit.loadError} retry={edit.retry} /> : <Loading lines={6} />;
  }
  const before = toDraft(edit.before);
  const shown = draft ?? before;
  const found = foundIn(specs, sought);
  const all = specs.flatMap(({ fields }) => fields);
  return (
    <>
      {canSearch && <TextField label={COMMON.search} value={sought} onChange={setSought} />}
      {found.length === 0 && <Empty title={COMMON.noSetting} />}
      <form
        className="form"
        onSubmit={(event) => {
          event.preventDefault();
          if (!edit.isBusy) edit.save({ draft: shown, before });
        }}
      >
        {leaving}
        <Mistakes error={edit.error}>
          <fieldset className="form" disabled={isReadOnly}>
            {found.map(({ title, fields }) => (
              <section key={title} className="card form">
                <h2>{title}</h2>
                <div className="row">
                  <Fields specs={fields} draft={shown} onChange={setDraft} />
                </div>
              </section>
            ))}
          </fieldset>
        </Mistakes>
        {edit.theirs && <Conflict fields={conflictsOf(all, before, toDraft(edit.theirs), shown)} />}
        <RefusedNotice error={edit.error} />
        <footer className="row-acts">
          {!isReadOnly && (
            <Button type="submit" look="primary" isDisabled={draft === null} isPending={edit.isBusy}>
              {COMMON.save}
            </Button>
          )}
          {draft !== null && (
            <Button onPress={edit.isBusy ? stop : () => setDraft(null)}>{COMMON.cancel}</Button>
          )}
          {children}
        </footer>
      </form>
    </>
  );
}

/** The fields with these words in their label, hint or heading. */
function foundIn<Part extends { title: string; fields: readonly { label: string; hint?: string }[] }>(
  parts: readonly Part[],
  sought: string,
): Part[] {
  const has = (text: string) => plainText(text).includes(plainText(sought));
  return parts
    .map((part) => {
      const fields = part.fields.filter(({ label, hint = '' }) => has(`${part.title} ${label} ${hint}`));
      return { ...part, fields };
    })
    .filter(({ fields }) => fields.length > 0);
}
