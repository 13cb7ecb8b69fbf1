import { type ReactNode, useRef, useState } from 'react';
import { Conflict } from '../../ui/conflict.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { moneyText } from '../../ui/money.tsx';
import {
  isSettlementComplete,
  SettleFields,
  type Settlement,
  settlementEdit,
  UNSETTLED,
} from '../../ui/settle-fields.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useApprovalNotice } from '../../ui/use-approval-notice.ts';
import { useEdit } from '../../ui/use-edit.ts';
import { useReload } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { undoOfClosing, undoOfReopening } from './undo-edit.ts';
import {
  editVisit,
  moneyOf,
  readVisit,
  VISIT_QUERIES,
  type Visit,
  type VisitEdit,
  type VisitWithHistory,
} from './visit-api.ts';
import { plateText, useVisitRows } from './visit-shown.tsx';
import { ACT, REOPEN } from './visit-words.ts';

interface Props {
  visit: Visit;
  onClose: () => void;
}

/** How the visit is settled. The amount is of the visit as it was when the dialog opened. */
export function SettleDialog({ visit, onClose }: Props) {
  const [value, setValue] = useState<Settlement>(UNSETTLED);
  return (
    <ChangeDialog
      visit={visit}
      title={ACT.settle}
      submit={({ due }) => (due ? ACT.settleAmount({ amount: moneyText(moneyOf(due)) }) : ACT.settle)}
      edit={settlementEdit(value)}
      isReady={isSettlementComplete(value)}
      done={ACT.done.settled({ plate: plateText(visit) })}
      undoOf={undoOfClosing}
      onClose={onClose}
    >
      <SettleFields value={value} onChange={setValue} />
    </ChangeDialog>
  );
}

export function VoidDialog({ visit, onClose }: Props) {
  const [reason, setReason] = useState('');
  return (
    <ChangeDialog
      visit={visit}
      title={ACT.void}
      submit={({ due, needsApproval }) =>
        needsApproval.includes('void')
          ? COMMON.askForApproval
          : ACT.voidAmount({ plate: plateText(visit), due: due && moneyText(moneyOf(due)) })
      }
      noteOf={({ needsApproval }) => (needsApproval.includes('void') ? COMMON.needsApproval : null)}
      edit={{ paymentStatus: 'void', ...reasonOf(reason) }}
      isReady={reason.trim() !== ''}
      isFinal
      done={ACT.done.voided({ plate: plateText(visit) })}
      undoOf={undoOfClosing}
      onClose={onClose}
    >
      <p className="hint">{ACT.voidHint}</p>
      <TextField label={COMMON.reason} value={reason} onChange={setReason} isRequired autoFocus />
    </ChangeDialog>
  );
}

/** A completed visit goes on, or waits for its payment. */
export function ReopenDialog({ visit, onClose }: Props) {
  const [where, setWhere] = useState<keyof typeof REOPEN>(visit.exitLaneId === null ? 'inside' : 'left');
  const [reason, setReason] = useState('');
  const edit: VisitEdit = where === 'inside' ? { status: 'new', endedOn: null } : { status: 'need-payment' };
  return (
    <ChangeDialog
      visit={visit}
      title={ACT.reopen}
      submit={() => ACT.reopen}
      edit={{ ...edit, ...reasonOf(reason) }}
      isReady={reason.trim() !== ''}
      done={ACT.done.reopened({ plate: plateText(visit) })}
      undoOf={(before, _, text) => undoOfReopening(before, text)}
      onClose={onClose}
    >
      <p className="hint">{ACT.reopenHint}</p>
      {undoOfReopening(visit, '') === null && <p className="hint">{ACT.reopenFinal}</p>}
      <ChoiceField
        label={ACT.where}
        value={where}
        choices={[
          ['inside', REOPEN.inside],
          ['left', REOPEN.left],
        ]}
        onChange={setWhere}
      />
      <TextField label={COMMON.reason} value={reason} onChange={setReason} isRequired autoFocus />
    </ChangeDialog>
  );
}

function reasonOf(reason: string): { reason?: string } {
  return reason.trim() === '' ? {} : { reason: reason.trim() };
}

/**
 * A change of a visit that another person may change at the same time, with their change and with its undo.
 */
function ChangeDialog({
  visit: { id, siteId },
  title,
  submit,
  edit: body,
  isReady,
  isFinal = false,
  done,
  undoOf,
  noteOf,
  children,
  onClose,
}: Props & {
  title: string;
  submit: (visit: VisitWithHistory) => string;
  /** The note that a person must read beforehand; null: none. */
  noteOf?: (visit: VisitWithHistory) => string | null;
  edit: VisitEdit;
  isReady: boolean;
  isFinal?: boolean;
  /** The text of the notice afterwards. */
  done: string;
  undoOf: (before: Visit, after: VisitWithHistory, reason: string) => VisitEdit | null;
  children: ReactNode;
}) {
  const toasts = useToasts();
  const reload = useReload();
  const rowsOf = useVisitRows(siteId);
  const changed = useRef<{ before: Visit; after: VisitWithHistory } | null>(null);
  const edit = useEdit(
    ['visit', id, 'edit'],
    () => readVisit(id),
    async ({ before, ...input }: VisitEdit & { before: Visit }, headers) => {
      changed.current = { before, after: await editVisit(id, input, headers) };
    },
    {
      invalidates: VISIT_QUERIES,
      onWaits: useApprovalNotice(onClose),
      onDone: () => {
        onClose();
        const undo = changed.current && undoOf(changed.current.before, changed.current.after, ACT.undone);
        toasts.done(
          done,
          undo
            ? async () => {
                await editVisit(id, undo);
                reload(VISIT_QUERIES);
              }
            : undefined,
        );
      },
    },
  );
  const now = edit.theirs ?? edit.before;
  if (edit.before === null || now === null) {
    return (
      <Dialog title={title} onClose={onClose}>
        {edit.loadError ? <Failed error={edit.loadError} retry={edit.retry} /> : <Loading />}
      </Dialog>
    );
  }
  const note = noteOf?.(now) ?? null;
  const old = new Map(rowsOf(edit.before));
  return (
    <FormDialog
      title={title}
      submit={submit(now)}
      error={edit.error}
      isBusy={edit.isBusy}
      isReady={isReady}
      isFinal={isFinal}
      onSubmit={() => edit.save({ ...body, before: now })}
      onClose={onClose}
    >
      {note !== null && <p className="notice">{note}</p>}
      {children}
      {edit.theirs !== null && (
        <Conflict
          fields={rowsOf(edit.theirs)
            .filter(([name, theirs]) => old.get(name) !== theirs)
            .map(([name, theirs]) => ({ name, before: old.get(name), theirs, yours: '' }))}
        />
      )}
    </FormDialog>
  );
}
