import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { sentencesOf } from '../../calls/refusal-words.ts';
import { useAddress, useId } from '../../shell/room-address.ts';
import { useAllSites, useSiteNames, useTimeZone } from '../../shell/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Details } from '../../ui/details.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Moment } from '../../ui/time.tsx';
import { COMMON } from '../../words/common.ts';
import { type Approval, readApproval } from './approval-api.ts';
import { ApprovalDecisions } from './approval-decisions.tsx';
import {
  ApprovalAmount,
  ApprovalState,
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
      {...(query.data && { actions: <ApprovalDecisions approval={query.data} hasShortcuts /> })}
    >
      <BackLink to={addressOf('approvals')}>{APPROVAL.back}</BackLink>
      <QueryView query={query}>{(approval) => <Facts approval={approval} />}</QueryView>
    </Page>
  );
}

function Facts({ approval }: { approval: Approval }) {
  const siteName = useSiteNames();
  const timeZone = useTimeZone(approval.siteId);
  const currency = useAllSites().find((one) => one.id === approval.siteId)?.currency ?? '';
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
          ...requestedRows(approval, currency),
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
function requestedRows({ kind, requested }: Approval, currency: string): [string, string][] {
  if (kind === 'limits') return [[APPROVAL.newLimits, limitsText(requested, currency)]];
  const outcome = requested['outcome'];
  if (outcome === 'nothing' || outcome === 'due' || outcome === 'bill') {
    return [[APPROVAL.outcome, APPROVAL.outcomes[outcome]]];
  }
  return kind === 'refund' && requested['amount'] !== undefined ? [[APPROVAL.what, APPROVAL.part]] : [];
}
