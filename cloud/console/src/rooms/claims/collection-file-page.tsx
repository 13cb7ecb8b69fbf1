import { useQuery } from '@tanstack/react-query';
import { useAddress, useId } from '../../shell/room-address.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Money, moneyText } from '../../ui/money.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { dayText } from '../../ui/wall-text.ts';
import { LANGUAGE } from '../../words/words.ts';
import { MONEY } from '../money/money-words.ts';
import { COLLECTION, type CollectionFile, readCollectionFile } from './claim-calls.ts';
import '../money/money.css';

/** A file for a collector: its invoices, and what the collector needs to know since. */
export function CollectionFilePage() {
  const id = useId();
  const addressOf = useAddress();
  const query = useQuery({
    queryKey: ['invoices', 'collection', 'file', id],
    queryFn: () => readCollectionFile(id),
  });
  const { data } = query;
  return (
    <Page title={data === undefined ? COLLECTION.title : COLLECTION.fileOf({ day: dayText(data.day) })}>
      <BackLink to={addressOf('money/collection')}>{COLLECTION.back}</BackLink>
      <QueryView query={query} lines={8}>
        {(file) => <Content file={file} />}
      </QueryView>
    </Page>
  );
}

function Content({ file }: { file: CollectionFile }) {
  const addressOf = useAddress();
  const { id, items, day } = file;
  const count = items.filter(({ change }) => change !== null).length;
  return (
    <>
      <div className="row-acts">
        <Download id={id} day={day} rows="invoices" format="xlsx" label={COLLECTION.fileXlsx} />
        <Download id={id} day={day} rows="invoices" format="csv" label={COLLECTION.fileCsv} />
      </div>
      {count === 0 ? (
        <p className="hint">{COLLECTION.unchanged}</p>
      ) : (
        <section className="card form" aria-label={COLLECTION.change}>
          <p className="notice caution">{COLLECTION.tell({ count })}</p>
          <div className="row-acts">
            <Download id={id} day={day} rows="changes" format="xlsx" label={COLLECTION.changesXlsx} />
            <Download id={id} day={day} rows="changes" format="csv" label={COLLECTION.changesCsv} />
          </div>
        </section>
      )}
      <DataTable
        label={COLLECTION.invoices}
        rows={items}
        idOf={({ invoiceId }) => invoiceId}
        linkOf={({ invoiceId }) => ({ to: addressOf(`money/invoices/${invoiceId}`) })}
        columns={[
          { id: 'number', title: MONEY.invoice, cell: ({ number }) => number },
          {
            id: 'debtor',
            title: COLLECTION.debtor,
            isWide: true,
            cell: ({ debtor, debtorId }) =>
              [debtor, debtorId === null ? null : `(${debtorId})`].filter(Boolean).join(' ') || '–',
          },
          {
            id: 'handed',
            title: COLLECTION.handed,
            isNumber: true,
            sortBy: ({ principal, charges }) => principal + charges,
            cell: ({ principal, charges, currency }) => (
              <Money amountMinor={principal + charges} currency={currency} />
            ),
          },
          { id: 'change', title: COLLECTION.change, isWide: true, cell: changeText },
        ]}
      />
    </>
  );
}

function changeText({ change, currency }: CollectionFile['items'][number]): string {
  if (change === null) return COLLECTION.same;
  const { paid, credited, open, contestedOn, answeredOn } = change;
  const amount = (amountMinor: number) => ({ amount: moneyText({ amountMinor, currency }) });
  return [
    paid > 0 && COLLECTION.paid(amount(paid)),
    paid < 0 && COLLECTION.takenBack(amount(0 - paid)),
    credited > 0 && COLLECTION.credited(amount(credited)),
    credited < 0 && COLLECTION.creditTakenBack(amount(0 - credited)),
    contestedOn !== null && COLLECTION.contested({ day: dayText(contestedOn) }),
    answeredOn !== null && COLLECTION.answered({ day: dayText(answeredOn) }),
    COLLECTION.stillOpen(amount(open)),
  ]
    .filter(Boolean)
    .join('; ');
}

function Download({
  id,
  day,
  rows,
  format,
  label,
}: {
  id: string;
  day: string;
  rows: 'invoices' | 'changes';
  format: 'xlsx' | 'csv';
  label: string;
}) {
  const separator = LANGUAGE === 'en' && format === 'csv' ? { separator: ',' } : {};
  return (
    <DownloadButton
      label={label}
      href={`/collection-files/${id}/download?${new URLSearchParams({ rows, format, ...separator })}`}
      fileName={`collection-${day}.${format}`}
    />
  );
}
