import type { billingRoutes } from '@hlid/cloud/paying/billing/billing-routes';
import { Badge } from '@hlid/ui/badge';
import { useState } from 'react';
import { apiOf, read } from '../../calls/api.ts';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { moneyText } from '../../ui/money.tsx';
import { Empty } from '../../ui/states.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useList } from '../../ui/use-list.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { INVOICE } from './invoice-words.ts';
import { moneyOf } from './money-calls.ts';
import { MONEY } from './money-words.ts';

const api = apiOf<typeof billingRoutes>();

/** Runs that billed customers, and a button to start one. */
export function BillingTab() {
  const timeZone = useTimeZone();
  const toasts = useToasts();
  const [isAsking, setAsking] = useState(false);
  const list = useList(
    ['billing'],
    ({ id }) => id,
    (next: string | undefined) => read(api.billing.runs.$get({ query: next === undefined ? {} : { next } })),
  );
  const start = useSubmit(
    (_input: null, headers) => read(api.billing.runs.$post({ json: {} }, { headers })),
    {
      invalidates: [['billing'], ['invoices']],
      onDone: ({ invoices }) => {
        setAsking(false);
        toasts.done(INVOICE.runDone({ count: invoices }));
      },
    },
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
        <FormDialog
          title={INVOICE.run}
          submit={INVOICE.runNow}
          error={start.error}
          isBusy={start.isPending}
          onSubmit={() => start.mutate(null)}
          onClose={() => setAsking(false)}
        >
          <p>{INVOICE.runHint}</p>
        </FormDialog>
      )}
    </>
  );
}
