import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { sentencesOf } from '../../calls/refusal-words.ts';
import { useAddress, useId } from '../../shell/room-address.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useSiteNames, useTimeZone } from '../../shell/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import {
  APPROVAL_QUERIES,
  type Approval,
  approve,
  readApproval,
  refuseApproval,
  withdrawApproval,
} from './approval-api.ts';
import {
  ApprovalAmount,
  ApprovalState,
  amountTextOf,
  approvalText,
  subjectText,
  useSubjectAddress,
  whoText,
} from './approval-shown.tsx';
import { APPROVAL } from './approval-words.ts';
import { limitsText } from './limits-card.tsx';

/** A request for approval: what would be done, who asked, why; and the decision. */
export function ApprovalPage() {
  const id = useId();
  const addressOf = useAddress();
  const query = useQuery({ queryKey: ['approvals', 'one', id], queryFn: () => readApproval(id) });
  return (
    <Page
      title={query.data === undefined ? APPROVAL.title : approvalText(query.data)}
      isWide={false}
      {...(query.data && { actions: <Decisions approval={query.data} /> })}
    >
      <BackLink to={addressOf('approvals')}>{APPROVAL.back}</BackLink>
      <QueryView query={query}>{(approval) => <Facts approval={approval} />}</QueryView>
    </Page>
  );
}

function Facts({ approval }: { approval: Approval }) {
  const siteName = useSiteNames();
  const timeZone = useTimeZone(approval.siteId);
  const address = useSubjectAddress(approval);
  const { siteId, state, reason, requestedOn, expiresOn, decidedBy, decidedOn, answer, problems } = approval;
  const moment = (at: string) => <Moment at={at} timeZone={timeZone} isExact />;
  return (
    <>
      {state === 'waiting' && approval.isOwn && <p className="notice">{APPROVAL.ownHint}</p>}
      {problems.length > 0 && (
        <p className="notice negative">
          <strong>{APPROVAL.problems}:</strong> {sentencesOf({ codes: problems, messages: [] }).join(' ')}
        </p>
      )}
      <Details
        rows={[
          [APPROVAL.state, <ApprovalState key="state" state={state} />],
          [
            APPROVAL.about,
            address === null ? (
              subjectText(approval)
            ) : (
              <Link key="about" to={address}>
                {subjectText(approval)}
              </Link>
            ),
          ],
          [APPROVAL.amount, <ApprovalAmount key="amount" {...approval} />],
          ...requestedRows(approval),
          [APPROVAL.reason, reason],
          [COMMON.site, siteId === null ? COMMON.allSites : siteName(siteId)],
          [APPROVAL.requestedBy, whoText(approval)],
          [APPROVAL.requestedOn, moment(requestedOn)],
          [APPROVAL.expiresOn, state === 'waiting' ? moment(expiresOn) : null],
          [APPROVAL.decidedBy, decidedBy],
          [APPROVAL.decidedOn, decidedOn === null ? null : moment(decidedOn)],
          [APPROVAL.answer, answer],
        ]}
      />
    </>
  );
}

/** The rows of the stored call that the other facts do not contain. */
function requestedRows({ kind, requested }: Approval): [string, string][] {
  if (kind === 'limits') return [[APPROVAL.newLimits, limitsText(requested)]];
  const outcome = requested['outcome'];
  if (outcome === 'nothing' || outcome === 'due' || outcome === 'bill') {
    return [[APPROVAL.outcome, APPROVAL.outcomes[outcome]]];
  }
  return kind === 'refund' && requested['amount'] !== undefined ? [[APPROVAL.what, APPROVAL.part]] : [];
}

function Decisions({ approval }: { approval: Approval }) {
  const { id, actions } = approval;
  const toasts = useToasts();
  const [open, setOpen] = useState<'approve' | 'refuse' | null>(null);
  const withdraw = useSubmit((_: null, headers) => withdrawApproval(id, headers), {
    invalidates: APPROVAL_QUERIES,
    onDone: () => toasts.done(APPROVAL.withdrawn),
  });
  const on = (action: 'approve' | 'refuse') =>
    actions.includes(action) && open === null ? () => setOpen(action) : null;
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
