import type { ShownBillingPlan } from '@hlid/cloud/paying/billing/billing-plan';
import { formatRate } from '@hlid/protocol/base/money';
import { useQuery } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useSiteNames, useTimeZone } from '../../../shell/site.ts';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Money, moneyText } from '../../../ui/money.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { Moment } from '../../../ui/time.tsx';
import { useSubmit } from '../../../ui/use-submit.ts';
import { vatCategoryText } from '../../../ui/vat-fields.tsx';
import { LANGUAGE, roomWords } from '../../../words/words.ts';
import { INVOICE } from '../invoice-words.ts';
import { MONEY } from '../money-words.ts';
import { billPlan, readPlan } from './billing-calls.ts';
import '../../../ui/plain-table.css';

const WORDS = roomWords('money').billingPlan;

/** Shows what a run would bill; once a person has confirmed these figures, it bills them, or nothing. */
export function BillingDialog({
  onDone,
  onClose,
}: {
  onDone: (run: { invoices: number }) => void;
  onClose: () => void;
}) {
  const plan = useQuery({ queryKey: ['billing', 'plan'], queryFn: readPlan, staleTime: 0, gcTime: 0 });
  const { refetch } = plan;
  const start = useSubmit((shown: ShownBillingPlan, headers) => billPlan(shown, headers), {
    invalidates: [['billing', 'runs'], ['invoices']],
    onDone,
  });
  // What has changed meanwhile is shown.
  useEffect(() => {
    if (start.error !== null) void refetch();
  }, [start.error, refetch]);
  const shown = plan.isFetching ? undefined : plan.data;
  const isAny = shown !== undefined && shown.invoices.length > 0;
  return (
    <FormDialog
      title={INVOICE.run}
      submit={isAny ? confirmText(shown) : WORDS.nothing}
      error={start.error}
      isBusy={start.isPending}
      isReady={isAny}
      isFinal
      onSubmit={() => shown && start.mutate(shown)}
      onClose={onClose}
    >
      <p>{INVOICE.runHint}</p>
      <QueryView query={{ ...plan, data: shown }} lines={6}>
        {(found) => <Plan plan={found} />}
      </QueryView>
    </FormDialog>
  );
}

/** The figures that are confirmed. */
function confirmText({ totals }: ShownBillingPlan): string {
  const count = totals.reduce((sum, { invoices }) => sum + invoices, 0);
  const amounts = totals.map(({ amount, currency }) => moneyText({ amountMinor: amount, currency }));
  return WORDS.confirm({ count, amount: amounts.join(' + ') });
}

function Plan({ plan }: { plan: ShownBillingPlan }) {
  return (
    <>
      {plan.invoices.length === 0 ? <p className="notice">{WORDS.nothingNow}</p> : <Billed plan={plan} />}
      {plan.leftOut.length > 0 && <LeftOut plan={plan} />}
    </>
  );
}

function Billed({ plan: { totals, invoices, hasMore } }: { plan: ShownBillingPlan }) {
  const nameOf = useSiteNames();
  return (
    <>
      <table className="plain-table">
        <caption>{WORDS.totals}</caption>
        <thead>
          <tr>
            <th scope="col">{INVOICE.invoices}</th>
            <th scope="col" className="number">
              {WORDS.lines}
            </th>
            <th scope="col" className="number">
              {WORDS.net}
            </th>
            <th scope="col" className="number">
              {WORDS.vat}
            </th>
            <th scope="col" className="number">
              {MONEY.amount}
            </th>
          </tr>
        </thead>
        <tbody>
          {totals.map(({ currency, invoices: count, lines, net, vat, amount }) => (
            <tr key={currency}>
              <th scope="row">{count}</th>
              <td className="number">{lines}</td>
              <td className="number">
                <Money amountMinor={net} currency={currency} />
              </td>
              <td className="number">
                <Money amountMinor={vat} currency={currency} />
              </td>
              <td className="number">
                <Money amountMinor={amount} currency={currency} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      <details>
        <summary>{WORDS.each}</summary>
        {hasMore && <p className="notice">{WORDS.more}</p>}
        <ul className="plain-list">
          {invoices.map(({ customer, period, siteId, currency, lines, vat, amount }) => (
            <li key={`${customer.id} ${period} ${siteId} ${currency} ${amount}`}>
              <strong>{customer.name ?? customer.id}</strong>
              {`, ${period}, ${siteId === null ? MONEY.severalSites : nameOf(siteId)}: `}
              <Money amountMinor={amount} currency={currency} />
              {` (${WORDS.lineCount({ count: lines })}; ${vat.map((part) => vatText(part, currency)).join(', ')})`}
            </li>
          ))}
        </ul>
      </details>
    </>
  );
}

type VatPart = ShownBillingPlan['invoices'][number]['vat'][number];

function vatText({ category, rate, vat }: VatPart, currency: string): string {
  return `${vatCategoryText(category, formatRate(rate, LANGUAGE))}: ${moneyText({ amountMinor: vat, currency })}`;
}

function LeftOut({ plan: { leftOut } }: { plan: ShownBillingPlan }) {
  const timeZone = useTimeZone();
  return (
    <section aria-label={WORDS.leftOut}>
      <h3>{WORDS.leftOut}</h3>
      <ul className="plain-list">
        {leftOut.map(({ customer, currency, reason, detail, charges, amount, billedFrom }) => (
          <li key={`${customer.id} ${currency} ${reason}`}>
            <strong>{customer.name ?? customer.id}</strong>
            {`: ${WORDS.chargeCount({ count: charges })}, `}
            <Money amountMinor={amount} currency={currency} />
            <div>
              {WORDS.reasons[reason]}
              {billedFrom !== null && (
                <>
                  {` ${WORDS.from} `}
                  <Moment at={billedFrom} timeZone={timeZone} isExact />
                </>
              )}
              {detail !== null && ` ${detail}`}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
