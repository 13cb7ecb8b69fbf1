import { useTimeZone } from '../../shell/site.ts';
import { EditDialog, type Edited } from '../../ui/edit-dialog.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useEdit } from '../../ui/use-edit.ts';
import { useReload } from '../../ui/use-submit.ts';
import { changePermit, PERMIT_QUERIES, type Permit, readPermit } from './permit-api.ts';
import { draftOf, isComplete, type PermitDraft, PermitFields } from './permit-form.tsx';
import { usePermitRows } from './permit-shown.tsx';
import { PERMIT } from './permit-words.ts';

export function EditPermitDialog({
  permit: { id, siteId, plate },
  onClose,
}: {
  permit: Permit;
  onClose: () => void;
}) {
  const toasts = useToasts();
  const reload = useReload();
  const rowsOf = usePermitRows(useTimeZone(siteId));
  const edit = useEdit(
    ['permit', id, 'edit'],
    () => readPermit(id),
    ({ changes }: Edited<PermitDraft>, headers) => changePermit(id, changes, headers),
    {
      invalidates: PERMIT_QUERIES,
      onDone: (_, { undo }) => {
        onClose();
        toasts.done(PERMIT.saved({ plate }), async () => {
          await changePermit(id, undo);
          reload(PERMIT_QUERIES);
        });
      },
    },
  );
  return (
    <EditDialog
      title={PERMIT.edit}
      edit={edit}
      draftOf={draftOf}
      rowsOf={rowsOf}
      isComplete={isComplete}
      onClose={onClose}
    >
      {(draft, set) => <PermitFields draft={draft} onChange={set} />}
    </EditDialog>
  );
}
