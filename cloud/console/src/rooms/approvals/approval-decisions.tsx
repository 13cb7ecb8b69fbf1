import { useState } from 'react';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import {
  APPROVAL_QUERIES,
  type Approval,
  approve,
  refuseApproval,
  withdrawApproval,
} from './approval-api.ts';
import { amountTextOf, approvalText, whoText } from './approval-shown.tsx';
import { APPROVAL } from './approval-words.ts';

/**
 * The decisions about a request that its reader can make.
 *
 * @param hasShortcuts on a page that shows one request
 */
export function ApprovalDecisions({
  approval,
  hasShortcuts = false,
}: {
  approval: Approval;
  hasShortcuts?: boolean;
}) {
  const { id, actions } = approval;
  const toasts = useToasts();
  const [open, setOpen] = useState<'approve' | 'refuse' | null>(null);
  const withdraw = useSubmit((_: null, headers) => withdrawApproval(id, headers), {
    invalidates: APPROVAL_QUERIES,
    onDone: () => toasts.done(APPROVAL.withdrawn),
  });
  const on = (action: 'approve' | 'refuse') =>
    hasShortcuts && actions.includes(action) && open === null ? () => setOpen(action) : null;
  useShortcut('a', APPROVAL.approve, on('approve'));
  useShortcut('x', APPROVAL.refuse, on('refuse'));
  return (
    <>
      {actions.includes('approve') && (
        <Button look="primary" onPress={() => setOpen('approve')}>
          {APPROVAL.approve}
        </Button>
      )}
      {actions.includes('refuse') && <Button onPress={() => setOpen('refuse')}>{APPROVAL.refuse}</Button>}
      {actions.includes('withdraw') && (
        <Button onPress={() => withdraw.mutate(null)} isPending={withdraw.isPending}>
          {APPROVAL.withdraw}
        </Button>
      )}
      {open === 'approve' && <ApproveDialog approval={approval} onClose={() => setOpen(null)} />}
      {open === 'refuse' && <RefuseDialog approval={approval} onClose={() => setOpen(null)} />}
    </>
  );
}

interface DialogProps {
  approval: Approval;
  onClose: () => void;
}

/** The button names what is done, and the amount that is approved. */
function ApproveDialog({ approval, onClose }: DialogProps) {
  const toasts = useToasts();
  const reload = useReload();
  const what = approvalText(approval);
  const amount = amountTextOf(approval);
  const send = useSubmit(
    async (seen: number | null, headers) => {
      try {
        await approve(approval.id, seen, headers);
      } catch (error) {
        // It may be worth another amount now, or have failed: this page shows it.
        reload([['approvals']]);
        throw error;
      }
    },
    {
      invalidates: APPROVAL_QUERIES,
      onDone: () => {
        toasts.done(APPROVAL.approved);
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={APPROVAL.approveTitle({ what })}
      submit={APPROVAL.approveAmount({ what: APPROVAL.kinds[approval.kind], amount })}
      isFinal
      error={send.error}
      isBusy={send.isPending}
      isReady={approval.state === 'waiting'}
      onSubmit={() => send.mutate(approval.price?.amount ?? null)}
      onClose={onClose}
    >
      <p>{APPROVAL.approveHint}</p>
      <Details
        rows={[
          [APPROVAL.amount, amount],
          [APPROVAL.reason, approval.reason],
          [APPROVAL.requestedBy, whoText(approval)],
        ]}
      />
    </FormDialog>
  );
}

function RefuseDialog({ approval, onClose }: DialogProps) {
  const toasts = useToasts();
  const [reason, setReason] = useState('');
  const send = useSubmit((typed: string, headers) => refuseApproval(approval.id, typed, headers), {
    invalidates: [['approvals']],
    onDone: () => {
      toasts.done(APPROVAL.refuseDone);
      onClose();
    },
  });
  return (
    <FormDialog
      title={APPROVAL.refuseTitle({ what: approvalText(approval) })}
      submit={APPROVAL.refuse}
      error={send.error}
      isBusy={send.isPending}
      isReady={reason.trim() !== ''}
      onSubmit={() => send.mutate(reason.trim())}
      onClose={onClose}
    >
      <TextField
        label={COMMON.reason}
        name="reason"
        hint={APPROVAL.refuseHint}
        value={reason}
        onChange={setReason}
        isRequired
        autoFocus
      />
    </FormDialog>
  );
}
