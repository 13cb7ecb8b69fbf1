import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAddress } from '../../shell/room-address.ts';
import { can, useSession } from '../../shell/session.ts';
import { useTimeZone } from '../../shell/site.ts';
import { Details } from '../../ui/details.tsx';
import { Moment } from '../../ui/time.tsx';
import { type Approval, type ApprovalSubject, listApprovals } from './approval-api.ts';
import { ApprovalDecisions } from './approval-decisions.tsx';
import { ApprovalAmount, ApprovalState, whoText } from './approval-shown.tsx';
import { APPROVAL } from './approval-words.ts';
import './approvals.css';

/**
 * The requests about a record, newest first: who asked and why, and the decision for those who may decide. Nothing is
 * shown without a request.
 */
export function ApprovalCard({ about }: { about: ApprovalSubject }) {
  const session = useSession();
  const { data } = useQuery({
    queryKey: ['approvals', 'about', about],
    queryFn: () => listApprovals(about),
    enabled: can(session, 'see-approvals'),
  });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <section className="card" aria-label={APPROVAL.card}>
      <h2>{APPROVAL.card}</h2>
      {data.data.map((approval) => (
        <ShownApproval key={approval.id} approval={approval} />
      ))}
    </section>
  );
}

function ShownApproval({ approval }: { approval: Approval }) {
  const addressOf = useAddress();
  const timeZone = useTimeZone(approval.siteId);
  const { id, kind, state, reason, isOwn, requestedOn, decidedBy, decidedOn, answer, actions } = approval;
  const moment = (at: string) => <Moment at={at} timeZone={timeZone} isExact />;
  return (
    <article className="approval">
      <p className="row-acts">
        <ApprovalState state={state} />
        <Link to={addressOf(`approvals/${id}`)}>
          {APPROVAL.kinds[kind]}, <ApprovalAmount {...approval} />
        </Link>
      </p>
      <Details
        rows={[
          [APPROVAL.reason, reason],
          [
            APPROVAL.requestedBy,
            <span key="by">
              {whoText(approval)}, {moment(requestedOn)}
            </span>,
          ],
          [
            APPROVAL.decidedBy,
            decidedOn && (
              <span key="decided">
                {decidedBy ?? APPROVAL.somebody}, {moment(decidedOn)}
              </span>
            ),
          ],
          [APPROVAL.answer, answer],
        ]}
      />
      {state === 'waiting' && isOwn && <p className="quiet-text">{APPROVAL.ownHint}</p>}
      {actions.length > 0 && (
        <div className="row-acts">
          <ApprovalDecisions approval={approval} />
        </div>
      )}
    </article>
  );
}
