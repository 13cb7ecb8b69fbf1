import type { auditRoutes } from '@hlid/cloud/people/audit/audit-routes';
import { useQuery } from '@tanstack/react-query';
import { apiOf, read } from '../../calls/api.ts';
import { can, useSession } from '../../shell/session.ts';
import { useTimeZone } from '../../shell/site.ts';
import { Moment } from '../../ui/time.tsx';
import { actionText } from '../audit/audit-words.ts';
import { INVOICE } from './invoice-words.ts';
import type { InvoiceWithLines } from './money-calls.ts';

const auditApi = apiOf<typeof auditRoutes>();

/** When it was made, issued and refunded; with the reasons in the audit log, for those who may read it. */
export function InvoiceHistory({ invoice }: { invoice: InvoiceWithLines }) {
  const session = useSession();
  const timeZone = useTimeZone(invoice.siteId);
  const { id, createdOn, issuedOn, refundedOn } = invoice;
  const query = { subject: 'invoice', subjectId: id };
  const { data: audit } = useQuery({
    queryKey: ['invoices', 'one', id, 'audit'],
    queryFn: () => read(auditApi.audit.$get({ query })),
    enabled: can(session, 'see-audit'),
  });
  const { events } = INVOICE;
  const entries = [
    { at: createdOn, text: events.created },
    ...(issuedOn === null ? [] : [{ at: issuedOn, text: events.issued }]),
    ...(refundedOn === null ? [] : [{ at: refundedOn, text: events.refunded }]),
    ...(audit?.data ?? []).map(({ on, action, reason }) => {
      const what = actionText({ subject: 'invoice', subjectName: null, action });
      return { at: on, text: reason === null ? what : `${what} – ${reason}` };
    }),
  ].sort((a, b) => (a.at < b.at ? -1 : 1));
  return (
    <section className="card">
      <h2>{INVOICE.history}</h2>
      <ol className="history">
        {entries.map(({ at, text }) => (
          <li key={`${at} ${text}`}>
            <Moment at={at} timeZone={timeZone} isExact /> <span>{text}</span>
          </li>
        ))}
      </ol>
    </section>
  );
}
