import { Badge } from '@hlid/ui/badge';
import { useState } from 'react';
import { read } from '../../../calls/api.ts';
import { useTimeZone } from '../../../shell/site.ts';
import { Button } from '../../../ui/button.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { moneyText } from '../../../ui/money.tsx';
import { Empty } from '../../../ui/states.tsx';
import { Moment } from '../../../ui/time.tsx';
import { useToasts } from '../../../ui/toasts.tsx';
import { useList } from '../../../ui/use-list.ts';
import { INVOICE } from '../invoice-words.ts';
import { moneyOf } from '../money-calls.ts';
import { MONEY } from '../money-words.ts';
import { billingApi } from './billing-calls.ts';
import { BillingDialog } from './billing-dialog.tsx';

/** Runs that billed customers, and a button to start one. */
export function BillingTab() {
  const timeZone = useTimeZone();
  const toasts = useToasts();
  const [isAsking, setAsking] = useState(false);
  const list = useList(
    ['billing', 'runs'],
    ({ id }) => id,
    (next: string | undefined) =>
      read(billingApi.billing.runs.$get({ query: next === undefined ? {} : { next } })),
  );
  return (
    <>
      <div className="row-acts">
        <Button onPress={() => setAsking(true)}>{INVOICE.run}</Button>
      </div>
      <ListView
        list={list}
        label={INVOICE.runs}
        idOf={({ id }) => id}
        columns={[
          {
            id: 'started',
            title: INVOICE.started,
            cell: ({ startedOn }) => <Moment at={startedOn} timeZone={timeZone} isExact />,
          },
          { id: 'invoices', title: INVOICE.invoices, isNumber: true, cell: ({ invoices }) => invoices },
          {
            id: 'amounts',
            title: MONEY.amount,
            isNumber: true,
            cell: ({ amounts }) => amounts.map((amount) => moneyText(moneyOf(amount))).join(' + '),
          },
          {
            id: 'by',
            title: INVOICE.by,
            cell: ({ by }) => (by.startsWith('cloud:') ? INVOICE.byCloud : INVOICE.byPerson),
          },
          {
            id: 'result',
            title: INVOICE.result,
            isWide: true,
            cell: ({ doneOn, error }) =>
              error !== null ? (
                <>
                  <Badge tone="negative">{INVOICE.someFailed}</Badge> {error}
                </>
              ) : (
                <Badge tone={doneOn === null ? 'accent' : 'neutral'}>
                  {doneOn === null ? INVOICE.running : INVOICE.finished}
                </Badge>
              ),
          },
        ]}
        empty={
          <Empty title={INVOICE.noRuns}>
            <p>{INVOICE.runHint}</p>
          </Empty>
        }
      />
      {isAsking && (
        <BillingDialog
          onDone={({ invoices }) => {
            setAsking(false);
            toasts.done(INVOICE.runDone({ count: invoices }));
          }}
          onClose={() => setAsking(false)}
        />
      )}
    </>
  );
}
