import type { auditRoutes } from '@hlid/cloud/people/audit/audit-routes';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { apiOf, read } from '../../calls/api.ts';
import { useAddress, useId } from '../../shell/room-address.ts';
import { can, useSession } from '../../shell/session.ts';
import { useSiteNames, useTimeZone } from '../../shell/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Details } from '../../ui/details.tsx';
import { Money, moneyText } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Moment } from '../../ui/time.tsx';
import { dayText } from '../../ui/wall-text.ts';
import { actionText } from '../audit/audit-words.ts';
import { MONEY } from '../money/money-words.ts';
import { CLAIM, claimQuery, isPaidInPart, type WholeClaim } from './claim-calls.ts';
import { ClaimActions } from './claim-dialogs.tsx';
import { ClaimState } from './claims-tab.tsx';
import { TakenBack } from './taken-back.tsx';
import '../money/money.css';
import '../../ui/plain-table.css';

const auditApi = apiOf<typeof auditRoutes>();

/** A claim: what the bank has, what it is still to do, what was paid and taken back, and who did what. */
export function ClaimPage() {
  const id = useId();
  const addressOf = useAddress();
  const query = useQuery(claimQuery(id));
  const { data } = query;
  return (
    <Page
      title={CLAIM.titleOf({ number: data?.invoiceNumber ?? null })}
      {...(data && { actions: <ClaimActions claim={data} /> })}
    >
      <BackLink to={addressOf('money')} search={{ tab: 'claims' }}>
        {CLAIM.back}
      </BackLink>
      <QueryView query={query}>
        {(claim) => (
          <>
            <TakenBack claim={claim} />
            <Doubts claim={claim} />
            <Facts claim={claim} />
            <Movements claim={claim} />
            <History claim={claim} />
          </>
        )}
      </QueryView>
    </Page>
  );
}

/** What the bank is still to do, or did not do, and what a person does then. */
function Doubts({ claim: { order, reason, detail, isContested } }: { claim: WholeClaim }) {
  if (order === null && reason === null && !isContested) return null;
  return (
    <section className="card form" aria-label={CLAIM.bankSays}>
      {order !== null && (
        <p className={order.step === 'unknown' ? 'notice caution' : 'notice'}>
          <strong>{CLAIM.orders[order.kind]}.</strong> {CLAIM.steps[order.step]}
        </p>
      )}
      {isContested && <p className="notice">{CLAIM.isContested}</p>}
      {reason !== null && (
        <p className="notice caution">
          <strong>{CLAIM.reasons[reason]}</strong> {CLAIM.whatToDo[reason]}
        </p>
      )}
      {detail !== null && <Details rows={[[CLAIM.bankSays, detail]]} />}
    </section>
  );
}

function Facts({ claim }: { claim: WholeClaim }) {
  const addressOf = useAddress();
  const siteName = useSiteNames();
  const timeZone = useTimeZone(claim.siteId);
  const { terms, currency, customer, collection, due, followedOn } = claim;
  const money = (amount: number) => moneyText({ amountMinor: amount, currency });
  const { discount, defaultCharge } = terms;
  return (
    <Details
      rows={[
        [MONEY.status, <ClaimState key="state" claim={claim} />],
        [
          MONEY.invoice,
          <Link key="invoice" to={addressOf(`money/invoices/${claim.invoiceId}`)}>
            {CLAIM.toInvoice({ number: claim.invoiceNumber })}
          </Link>,
        ],
        [MONEY.customer, customer?.name],
        [CLAIM.payer, [claim.payerName, claim.payer].filter(Boolean).join(' · ')],
        [MONEY.site, claim.siteId === null ? MONEY.severalSites : siteName(claim.siteId)],
        [CLAIM.amount, <Money key="amount" amountMinor={terms.amount} currency={currency} />],
        [CLAIM.paid, claim.paid === 0 ? null : money(claim.paid)],
        [CLAIM.left, isPaidInPart(claim) ? money(terms.amount - claim.paid) : null],
        [CLAIM.due, due === null ? null : `${money(due)} – ${CLAIM.dueHint}`],
        [CLAIM.dueOn, dayText(claim.dueOn)],
        [CLAIM.finalDueOn, dayText(terms.finalDueOn)],
        [CLAIM.interest, terms.interest ? CLAIM.interestOn : null],
        [
          CLAIM.defaultCharge,
          defaultCharge && CLAIM.afterDays({ amount: money(defaultCharge.amount), days: defaultCharge.days }),
        ],
        [
          CLAIM.discount,
          discount && CLAIM.untilDays({ amount: money(discount.amount), days: discount.days }),
        ],
        [CLAIM.partPayments, terms.partPayments ? CLAIM.yes : null],
        [CLAIM.collection, collection && CLAIM.collections[collection]],
        [CLAIM.bank, claim.bankId],
        [CLAIM.account, claim.account],
        [CLAIM.claimant, claim.claimant],
        [
          CLAIM.followedOn,
          followedOn && <Moment key="followed" at={followedOn} timeZone={timeZone} isExact />,
        ],
      ]}
    />
  );
}

function Movements({ claim: { movements, currency } }: { claim: WholeClaim }) {
  const cell = (amount: number) => (
    <td className="number">
      <Money amountMinor={amount} currency={currency} />
    </td>
  );
  return (
    <section aria-label={CLAIM.movements}>
      <h2>{CLAIM.movements}</h2>
      {movements.length === 0 ? (
        <p className="hint">{CLAIM.noMovements}</p>
      ) : (
        <div className="table-frame">
          <table className="plain-table" aria-label={CLAIM.movements}>
            <thead>
              <tr>
                <th scope="col">{CLAIM.what}</th>
                <th scope="col">{CLAIM.bookedOn}</th>
                {[
                  CLAIM.principal,
                  CLAIM.discountGiven,
                  CLAIM.interestPaid,
                  CLAIM.costs,
                  CLAIM.whole,
                  CLAIM.deposited,
                ].map((title) => (
                  <th key={title} scope="col" className="number">
                    {title}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {movements.map((one, n) => (
                // biome-ignore lint/suspicious/noArrayIndexKey: Rows are only added, at the end.
                <tr key={n}>
                  <th scope="row">{CLAIM.kinds[one.kind]}</th>
                  <td>{dayText(one.bookedOn)}</td>
                  {cell(one.principal)}
                  {cell(one.discount)}
                  {cell(one.interest)}
                  {cell(one.costs)}
                  {cell(one.paid)}
                  {cell(one.deposited)}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

/** What people and the cloud did with it, for those who may read the audit log. */
function History({ claim: { id, siteId } }: { claim: WholeClaim }) {
  const session = useSession();
  const timeZone = useTimeZone(siteId);
  const { data } = useQuery({
    queryKey: ['claims', 'one', id, 'audit'],
    queryFn: () => read(auditApi.audit.$get({ query: { subject: 'claim', subjectId: id } })),
    enabled: can(session, 'see-audit'),
  });
  if (data === undefined || data.data.length === 0) return null;
  return (
    <section className="card">
      <h2>{CLAIM.history}</h2>
      <ol className="history">
        {data.data.toReversed().map(({ id: line, on, action, reason }) => {
          const what = actionText({ subject: 'claim', subjectName: null, action });
          return (
            <li key={line}>
              <Moment at={on} timeZone={timeZone} isExact />{' '}
              <span>{reason === null ? what : `${what} – ${reason}`}</span>
            </li>
          );
        })}
      </ol>
    </section>
  );
}
