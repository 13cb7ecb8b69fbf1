import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { useAddress } from '../../shell/room-address.ts';
import { useSiteFilter, useSiteNames } from '../../shell/site.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { ListView } from '../../ui/list-view.tsx';
import { Money, moneyText } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Empty } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useList } from '../../ui/use-list.ts';
import { useSubmit } from '../../ui/use-submit.ts';
import { dayText } from '../../ui/wall-text.ts';
import { MONEY } from '../money/money-words.ts';
import {
  COLLECTION,
  COLLECTION_QUERIES,
  type Collectable,
  collectionApi,
  REMINDER,
  readCollectables,
  readCollectionFiles,
} from './claim-calls.ts';
import '../money/money.css';

/** The invoices that may be handed to a collector now, and the files that were made. */
export function CollectionPage() {
  const addressOf = useAddress();
  const site = useSiteFilter();
  const query = useQuery({
    queryKey: ['invoices', 'collection', 'ready', site],
    queryFn: () => readCollectables(site),
  });
  return (
    <Page title={COLLECTION.title}>
      <BackLink to={addressOf('money')} search={{ tab: 'reminders' }}>
        {COLLECTION.toReminders}
      </BackLink>
      <section className="form" aria-labelledby="ready-for-collector">
        <h2 id="ready-for-collector">{COLLECTION.ready}</h2>
        <p className="hint">{COLLECTION.readyHint}</p>
        <QueryView query={query} lines={6}>
          {({ data, hasMore }) =>
            data.length === 0 ? (
              <Empty title={COLLECTION.none}>
                <p>{COLLECTION.noneHint}</p>
              </Empty>
            ) : (
              <Ready invoices={data} hasMore={hasMore} />
            )
          }
        </QueryView>
      </section>
      <section className="form" aria-labelledby="files-for-collectors">
        <h2 id="files-for-collectors">{COLLECTION.files}</h2>
        <Files site={site} />
      </section>
    </Page>
  );
}

function Ready({ invoices, hasMore }: { invoices: readonly Collectable[]; hasMore: boolean }) {
  const siteName = useSiteNames();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [isAsking, setAsking] = useState(false);
  const selected = invoices.filter(({ invoiceId }) => chosen.has(invoiceId));
  return (
    <>
      {hasMore && <p className="notice">{COLLECTION.more}</p>}
      <div className="row-acts">
        <Button look="primary" isDisabled={selected.length === 0} onPress={() => setAsking(true)}>
          {COLLECTION.handOver({ count: selected.length })}
        </Button>
      </div>
      <DataTable
        label={COLLECTION.ready}
        rows={invoices}
        idOf={({ invoiceId }) => invoiceId}
        selection={{ ids: chosen, onChange: setChosen }}
        columns={[
          { id: 'number', title: MONEY.invoice, cell: ({ number }) => number },
          {
            id: 'debtor',
            title: COLLECTION.debtor,
            isWide: true,
            cell: ({ debtor, debtorId }) => (debtor === null ? debtorId : `${debtor} (${debtorId})`),
          },
          { id: 'due', title: COLLECTION.dueOn, cell: ({ dueOn }) => dayText(dueOn) },
          {
            id: 'principal',
            title: COLLECTION.principal,
            isNumber: true,
            sortBy: ({ principal }) => principal,
            cell: ({ principal, currency }) => <Money amountMinor={principal} currency={currency} />,
          },
          {
            id: 'charges',
            title: COLLECTION.charges,
            isNumber: true,
            cell: ({ charges, currency }) => <Money amountMinor={charges} currency={currency} />,
          },
          { id: 'notices', title: COLLECTION.notices, cell: noticesText },
          {
            id: 'site',
            title: MONEY.site,
            cell: ({ siteId }) => (siteId === null ? MONEY.severalSites : siteName(siteId)),
          },
        ]}
      />
      {isAsking && <HandOverDialog invoices={selected} onClose={() => setAsking(false)} />}
    </>
  );
}

function noticesText({ notices }: Collectable): string {
  return notices
    .map(({ step, deliveredOn }) =>
      COLLECTION.noticeOn({ step: REMINDER.steps[step], day: dayText(deliveredOn) }),
    )
    .join(', ');
}

function HandOverDialog({ invoices, onClose }: { invoices: readonly Collectable[]; onClose: () => void }) {
  const toasts = useToasts();
  const navigate = useNavigate();
  const addressOf = useAddress();
  const make = useSubmit(
    (invoiceIds: string[], headers) =>
      read(collectionApi['collection-files'].$post({ json: { invoiceIds } }, { headers })),
    {
      invalidates: COLLECTION_QUERIES,
      onDone: ({ id }) => {
        toasts.done(COLLECTION.handedOver);
        onClose();
        void navigate({ to: addressOf(`money/collection/${id}`) });
      },
    },
  );
  const count = invoices.length;
  const total = invoices.reduce((sum, { principal, charges }) => sum + principal + charges, 0);
  const currency = invoices[0]?.currency ?? 'ISK';
  return (
    <FormDialog
      title={COLLECTION.handOver({ count })}
      submit={COLLECTION.handOver({ count })}
      isFinal
      error={make.error}
      isBusy={make.isPending}
      onSubmit={() => make.mutate(invoices.map(({ invoiceId }) => invoiceId))}
      onClose={onClose}
    >
      <p>
        <strong>
          {COLLECTION.handOverTotal({ count, amount: moneyText({ amountMinor: total, currency }) })}
        </strong>
      </p>
      <p>{COLLECTION.handOverHint}</p>
    </FormDialog>
  );
}

function Files({ site }: { site: { siteId?: string } }) {
  const addressOf = useAddress();
  const siteName = useSiteNames();
  const list = useList(
    ['invoices', 'collection', 'files', site],
    ({ id }) => id,
    (next: string | undefined) => readCollectionFiles({ ...site, ...(next !== undefined && { next }) }),
  );
  return (
    <ListView
      list={list}
      label={COLLECTION.files}
      idOf={({ id }) => id}
      linkOf={({ id }) => ({ to: addressOf(`money/collection/${id}`) })}
      columns={[
        { id: 'day', title: COLLECTION.day, cell: ({ day }) => dayText(day) },
        {
          id: 'site',
          title: MONEY.site,
          isWide: true,
          cell: ({ siteId }) => (siteId === null ? MONEY.severalSites : siteName(siteId)),
        },
        { id: 'invoices', title: COLLECTION.invoices, isNumber: true, cell: ({ invoices }) => invoices },
        {
          id: 'total',
          title: COLLECTION.total,
          isNumber: true,
          cell: ({ total, currency }) => <Money amountMinor={total} currency={currency} />,
        },
      ]}
      empty={<Empty title={COLLECTION.noFiles} />}
    />
  );
}
