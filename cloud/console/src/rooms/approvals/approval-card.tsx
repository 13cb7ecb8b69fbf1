import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useAddress } from '../../shell/room-address.ts';
import { can, useSession } from '../../shell/session.ts';
import { type ApprovalSubject, listApprovals } from './approval-api.ts';
import { ApprovalAmount, ApprovalState, whoText } from './approval-shown.tsx';
import { APPROVAL } from './approval-words.ts';

/** The requests about a record, newest first: whoever asked sees what becomes of it. Nothing is shown without one. */
export function ApprovalCard({ about }: { about: ApprovalSubject }) {
  const addressOf = useAddress();
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
      <ul className="plain-list">
        {data.data.map((approval) => (
          <li key={approval.id}>
            <ApprovalState {...approval} />{' '}
            <Link to={addressOf(`approvals/${approval.id}`)}>
              {APPROVAL.kinds[approval.kind]}, <ApprovalAmount {...approval} />
            </Link>{' '}
            <span className="quiet-text">
              {APPROVAL.requestedBy} {whoText(approval)}
            </span>
          </li>
        ))}
      </ul>
    </section>
  );
}
