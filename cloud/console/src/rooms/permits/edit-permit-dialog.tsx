import { useState } from 'react';
import { useTimeZone } from '../../shell/site.ts';
import { changesOf, type Tagged, useEdit } from '../../shell/use-edit.ts';
import { ChangedNotice } from '../../ui/changed-notice.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useReload } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { changePermit, OLD_PERMITS, type Permit, type PermitEdit, readPermit } from './permit-api.ts';
import { draftOf, isComplete, PermitFields } from './permit-form.tsx';
import { usePermitRows } from './permit-shown.tsx';
import { PERMIT } from './permit-words.ts';

export function EditPermitDialog({ before, onClose }: { before: Tagged<Permit>; onClose: () => void }) {
  const toasts = useToasts();
  const reload = useReload();
  const { id, siteId } = before.body;
  const rowsOf = usePermitRows(useTimeZone(siteId));
  const first = draftOf(before.body);
  const [draft, setDraft] = useState(first);
  const changes = changesOf(first, draft);
  const undo = async () => {
    const old = Object.keys(changes).map((name) => [name, first[name as keyof typeof first]]);
    await changePermit(id, Object.fromEntries(old));
    reload(OLD_PERMITS);
  };
  const edit = useEdit(before, {
    load: () => readPermit(id),
    save: (json: PermitEdit, headers) => changePermit(id, json, headers),
    old: OLD_PERMITS,
    onDone: ({ plate }) => {
      onClose();
      toasts.done(PERMIT.saved(plate), undo);
    },
  });
  return (
    <FormDialog
      title={PERMIT.edit}
      submit={COMMON.save}
      error={edit.error}
      isBusy={edit.isBusy}
      isReady={isComplete(draft) && Object.keys(changes).length > 0}
      onSubmit={() => edit.submit(changes)}
      onClose={onClose}
    >
      <PermitFields draft={draft} onChange={setDraft} />
      {edit.theirs && <ChangedNotice before={rowsOf(before.body)} now={rowsOf(edit.theirs)} />}
    </FormDialog>
  );
}
