import { Badge, type Tone } from '@hlid/ui/badge';
import { useAddress } from '../../shell/room-address.ts';
import { useSiteFilter, useSites, useTimeZone } from '../../shell/site.ts';
import { useFilters } from '../../shell/use-filters.ts';
import { ListView } from '../../ui/list-view.tsx';
import { Money } from '../../ui/money.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useList } from '../../ui/use-list.ts';
import { moneyOf, PAYMENT_ORDERS, readPayments, type WaitingPayment } from './money-calls.ts';
import { MONEY } from './money-words.ts';
import { isInDoubt } from './payment-doubt.ts';
import { PAYMENT } from './payment-words.ts';

const TONES: Record<NonNullable<WaitingPayment['problem']>, Tone> = {
  'settled-twice': 'negative',
  terminal: 'caution',
  provider: 'caution',
  chargeback: 'negative',
};

/** Card payments that need a person. */
export function PaymentsTab() {
  const site = useSiteFilter();
  const sites = useSites();
  const timeZone = useTimeZone();
  const addressOf = useAddress();
  const { filters, setFilters } = useFilters();
  const order = PAYMENT_ORDERS.find((one) => one === filters['order']) ?? 'newest';
  const list = useList(
    ['payments', site, order],
    ({ id }) => id,
    (next: string | undefined) => readPayments({ ...site, order, ...(next !== undefined && { next }) }),
  );
  return (
    <ListView
      list={list}
      label={PAYMENT.needPerson}
      idOf={({ id }) => id}
      order={{ value: order, onChange: (next) => setFilters({ order: next === 'newest' ? null : next }) }}
      linkOf={({ id }) => ({ to: addressOf(`money/payments/${id}`) })}
      columns={[
        {
          id: 'problem',
          title: PAYMENT.problem,
          isWide: true,
          cell: (payment) => <Problem {...payment} />,
        },
        {
          id: 'amount',
          title: MONEY.amount,
          isNumber: true,
          orders: { ascending: 'amount', descending: '-amount' },
          cell: ({ price }) => <Money {...moneyOf(price)} />,
        },
        {
          id: 'tip',
          title: PAYMENT.tip,
          isNumber: true,
          cell: ({ tip, price: { currency } }) =>
            tip === 0 ? '' : <Money amountMinor={tip} currency={currency} />,
        },
        { id: 'where', title: PAYMENT.where, cell: placeOf },
        {
          id: 'site',
          title: MONEY.site,
          cell: ({ siteId }) => sites.find(({ id }) => id === siteId)?.name ?? siteId,
        },
        {
          id: 'created',
          title: MONEY.created,
          orders: { ascending: 'oldest', descending: 'newest' },
          cell: ({ createdOn }) => <Moment at={createdOn} timeZone={timeZone} />,
        },
      ]}
      empty={
        <Empty title={PAYMENT.empty}>
          <p>{PAYMENT.emptyHint}</p>
        </Empty>
      }
    />
  );
}

function Problem({ problem, ...payment }: WaitingPayment) {
  if (problem === null) return null;
  return <Badge tone={TONES[problem]}>{problemText({ problem, ...payment }, problem)}</Badge>;
}

function problemText(payment: WaitingPayment, problem: NonNullable<WaitingPayment['problem']>): string {
  if (problem === 'terminal' && payment.siteLostOn !== null) return PAYMENT.lostAtSite;
  return isInDoubt(payment) ? PAYMENT.refundInDoubt : PAYMENT.problems[problem];
}

export function placeOf({ terminalId }: Pick<WaitingPayment, 'terminalId'>): string {
  return terminalId === null ? PAYMENT.online : PAYMENT.terminal({ id: terminalId });
}
