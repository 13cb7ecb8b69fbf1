import { useTimeZones } from '../../shell/site.ts';
import { EditDialog, type Edited } from '../../ui/edit-dialog.tsx';
import { TextField } from '../../ui/field.tsx';
import { MomentField } from '../../ui/moment-field.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useEdit } from '../../ui/use-edit.ts';
import { useReload } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { editVisit, readVisit, VISIT_QUERIES, type Visit, type VisitWithHistory } from './visit-api.ts';
import { plateText, useVisitRows } from './visit-shown.tsx';
import { ACT, VISIT } from './visit-words.ts';

interface VisitDraft {
  plate: string;
  startedOn: string;
  reason: string;
}

const draftOf = ({ plate, startedOn }: Visit): VisitDraft => ({ plate: plate ?? '', startedOn, reason: '' });

/** The body of the edit: an empty plate cannot be given, and an empty reason is left out. */
function bodyOf({ plate, startedOn, reason }: Partial<VisitDraft>) {
  return {
    ...(plate && { plate }),
    ...(startedOn && { startedOn }),
    ...(reason && { reason }),
  };
}

/**
 * Edits plate and time of entry. A concurrent change by another person is shown beside what is typed here.
 */
export function EditVisitDialog({ visit, onClose }: { visit: Visit; onClose: () => void }) {
  const { id, siteId } = visit;
  const toasts = useToasts();
  const reload = useReload();
  const timeZone = useTimeZones()(siteId);
  const rowsOf = useVisitRows(siteId);
  const edit = useEdit(
    ['visit', id, 'edit'],
    () => readVisit(id),
    ({ changes }: Edited<VisitDraft>, headers) => editVisit(id, bodyOf(changes), headers),
    {
      invalidates: VISIT_QUERIES,
      onDone: (_, { changes, undo }) => {
        onClose();
        const before = bodyOf({ ...undo, reason: ACT.undone });
        const done = ACT.done.edited({ plate: changes.plate ?? plateText(visit) });
        // A plate that was given for the first time cannot be taken away again.
        const isFinal = changes.plate !== undefined && !undo.plate;
        toasts.done(
          done,
          isFinal
            ? undefined
            : async () => {
                await editVisit(id, before);
                reload(VISIT_QUERIES);
              },
        );
      },
    },
  );
  return (
    <EditDialog<VisitWithHistory, VisitDraft>
      title={ACT.edit}
      edit={edit}
      draftOf={draftOf}
      rowsOf={rowsOf}
      isComplete={({ startedOn }) => startedOn !== ''}
      onClose={onClose}
    >
      {({ plate, startedOn, reason }, set) => (
        <>
          <TextField
            label={VISIT.plate}
            value={plate}
            onChange={(typed) => set({ plate: typed })}
            autoFocus
          />
          <MomentField
            label={VISIT.started}
            value={startedOn}
            timeZone={timeZone}
            onChange={(moment) => set({ startedOn: moment ?? '' })}
          />
          <TextField
            label={COMMON.reason}
            hint={ACT.reasonHint}
            value={reason}
            onChange={(typed) => set({ reason: typed })}
          />
        </>
      )}
    </EditDialog>
  );
}
