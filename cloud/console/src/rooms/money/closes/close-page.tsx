import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { useState } from 'react';
import { read } from '../../../calls/api.ts';
import { useAddress, useId } from '../../../shell/room-address.ts';
import { useSiteNames, useTimeZone } from '../../../shell/site.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { Button } from '../../../ui/button.tsx';
import { Details } from '../../../ui/details.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Money } from '../../../ui/money.tsx';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { RefusedNotice } from '../../../ui/states.tsx';
import { Moment } from '../../../ui/time.tsx';
import { useToasts } from '../../../ui/toasts.tsx';
import { useApprovalNotice } from '../../../ui/use-approval-notice.ts';
import { useReload, useSubmit } from '../../../ui/use-submit.ts';
import { dayText } from '../../../ui/wall-text.ts';
import { MONEY } from '../money-words.ts';
import { CLOSE, CLOSE_QUERIES, closeApi, readClose, type WholeClose } from './close-calls.ts';
import { Columns, RowLinks } from './close-tables.tsx';
import { CloseState } from './closes-tab.tsx';
import { Differences } from './differences.tsx';
import '../money.css';
import '../../../ui/plain-table.css';

/** The close of a day: its sides beside each other, the differences by class, what is expected, and its signature. */
export function ClosePage() {
  const id = useId();
  const addressOf = useAddress();
  const query = useQuery({ queryKey: ['day-closes', 'one', id], queryFn: () => readClose(id) });
  const { data } = query;
  return (
    <Page
      title={data === undefined ? CLOSE.title : CLOSE.titleOf({ day: dayText(data.day) })}
      {...(data && { actions: <CloseActions close={data} /> })}
    >
      <BackLink to={addressOf('money')} search={{ tab: 'closes' }}>
        {MONEY.tabs.closes}
      </BackLink>
      <QueryView query={query}>{(close) => <Close close={close} />}</QueryView>
    </Page>
  );
}

function Close({ close }: { close: WholeClose }) {
  const siteName = useSiteNames();
  const timeZone = useTimeZone(close.siteId);
  const addressOf = useAddress();
  const { siteId, computedOn, signedOn, signedBy, approvalId } = close;
  return (
    <>
      {approvalId !== null && (
        <p className="notice">
          {CLOSE.waits} <Link to={addressOf(`approvals/${approvalId}`)}>{CLOSE.showRequest}</Link>
        </p>
      )}
      <Details
        rows={[
          [MONEY.status, <CloseState key="state" close={close} />],
          [MONEY.site, siteId === null ? CLOSE.ofSeveral : siteName(siteId)],
          [CLOSE.computedOn, <Moment key="computed" at={computedOn} timeZone={timeZone} />],
          [
            CLOSE.signedOn,
            signedOn === null ? null : (
              <span key="signed">
                <Moment at={signedOn} timeZone={timeZone} /> · {signedBy ?? CLOSE.byItself}
              </span>
            ),
          ],
        ]}
      />
      <Columns columns={close.columns} />
      <Differences close={close} />
      <Expected close={close} />
    </>
  );
}

function Expected({ close: { expected, arrived } }: { close: WholeClose }) {
  if (expected.length === 0 && arrived.length === 0) return null;
  return (
    <section aria-label={CLOSE.expected}>
      <h2>{CLOSE.expected}</h2>
      <p className="hint">{CLOSE.expectedHint}</p>
      <div className="table-frame">
        <table className="plain-table" aria-label={CLOSE.expected}>
          <thead>
            <tr>
              <th scope="col">{CLOSE.what}</th>
              <th scope="col" className="number">
                {CLOSE.count}
              </th>
              <th scope="col" className="number">
                {MONEY.amount}
              </th>
              <th scope="col">{CLOSE.dueOn}</th>
            </tr>
          </thead>
          <tbody>
            {expected.map(({ kind, dueOn, currency, count, amount, rows, ofClose }) => (
              <tr key={`${kind} ${dueOn} ${currency} ${ofClose} ${rows[0]?.thing}`}>
                <th scope="row">
                  {CLOSE.expectations[rows[0]?.thing ?? 'payment']}
                  {ofClose !== null && ` (${CLOSE.ofEarlier})`}
                  <RowLinks rows={rows} />
                </th>
                <td className="number">{count}</td>
                <td className="number">
                  <Money amountMinor={Math.abs(amount)} currency={currency} />
                </td>
                <td>{dayText(dueOn)}</td>
              </tr>
            ))}
            {arrived.map(({ ofClose, currency, count, amount }) => (
              <tr key={`${ofClose.id} ${currency}`}>
                <th scope="row">{CLOSE.arrived({ day: dayText(ofClose.day) })}</th>
                <td className="number">{count}</td>
                <td className="number">
                  <Money amountMinor={amount} currency={currency} />
                </td>
                <td>–</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
}

function CloseActions({ close }: { close: WholeClose }) {
  const { siteId, day, actions } = close;
  const toasts = useToasts();
  const [isSigning, setSigning] = useState(false);
  const compute = useSubmit(
    (_: null, headers) => read(closeApi['day-closes'].$post({ json: { siteId, day } }, { headers })),
    { invalidates: CLOSE_QUERIES, onDone: () => toasts.done(CLOSE.compared) },
  );
  return (
    <>
      {actions.includes('compute') && (
        <Button onPress={() => compute.mutate(null)} isPending={compute.isPending}>
          {CLOSE.compare}
        </Button>
      )}
      {actions.includes('sign') && (
        <Button look="primary" onPress={() => setSigning(true)}>
          {CLOSE.sign}
        </Button>
      )}
      <RefusedNotice error={compute.error} />
      {isSigning && <SignDialog close={close} onClose={() => setSigning(false)} />}
    </>
  );
}

function SignDialog({ close, onClose }: { close: WholeClose; onClose: () => void }) {
  const { id, day, differences, expected } = close;
  const toasts = useToasts();
  const reload = useReload();
  const [revision] = useState(close.revision);
  const sign = useSubmit(
    async (_: null, headers) => {
      try {
        return await read(
          closeApi['day-closes'][':id'].sign.$post({ param: { id }, json: { revision } }, { headers }),
        );
      } catch (error) {
        // Its figures may have changed: this page shows them.
        reload([['day-closes']]);
        throw error;
      }
    },
    {
      invalidates: CLOSE_QUERIES,
      onDone: () => {
        toasts.done(CLOSE.isSigned);
        onClose();
      },
      onWaits: useApprovalNotice(onClose),
    },
  );
  const written = differences.filter(({ decision }) => decision === 'written-off').length;
  const waiting = expected.reduce((sum, { count }) => sum + count, 0);
  return (
    <FormDialog
      title={CLOSE.titleOf({ day: dayText(day) })}
      submit={CLOSE.sign}
      isFinal
      error={sign.error}
      isBusy={sign.isPending}
      onSubmit={() => sign.mutate(null)}
      onClose={onClose}
    >
      <p>{CLOSE.signHint}</p>
      <Details
        rows={[
          [CLOSE.differences, String(differences.length)],
          [CLOSE.decisions['written-off'], written === 0 ? null : String(written)],
          [CLOSE.expected, waiting === 0 ? null : String(waiting)],
        ]}
      />
    </FormDialog>
  );
}
