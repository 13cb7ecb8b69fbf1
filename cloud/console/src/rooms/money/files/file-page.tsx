import type { FileKind } from '@hlid/protocol/base/books-files';
import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import { answered, read } from '../../../calls/api.ts';
import { Refusal } from '../../../calls/refusal.ts';
import { useAddress, useId } from '../../../shell/room-address.ts';
import { useTimeZone } from '../../../shell/site.ts';
import { BackLink } from '../../../ui/back-link.tsx';
import { Button } from '../../../ui/button.tsx';
import { Details } from '../../../ui/details.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Page } from '../../../ui/page.tsx';
import { QueryView } from '../../../ui/query-view.tsx';
import { Empty } from '../../../ui/states.tsx';
import { Moment } from '../../../ui/time.tsx';
import { useToasts } from '../../../ui/toasts.tsx';
import { useList } from '../../../ui/use-list.ts';
import { useSubmit } from '../../../ui/use-submit.ts';
import { bankApi, FILE, FILE_QUERIES, settlementApi } from './file-calls.ts';
import { Batches, ENTRY_COLUMNS, Remarks, ROW_COLUMNS, Statements } from './file-tables.tsx';
import '../money.css';

/** A settlement file: its batches, and its rows with the payments that they are. */
export function SettlementFilePage() {
  const id = useId();
  const query = useQuery({
    queryKey: ['money-files', 'settlement', 'one', id],
    queryFn: () => orNull(read(settlementApi['settlement-files'][':id'].$get({ param: { id } }))),
  });
  const list = useList(
    ['money-files', 'rows', id],
    ({ n }) => String(n),
    (next: string | undefined) =>
      read(
        settlementApi['settlement-files'][':id'].rows.$get({
          param: { id },
          query: next === undefined ? {} : { next },
        }),
      ),
  );
  return (
    <FilePage kind="settlement" query={query}>
      {(file) => (
        <>
          <Batches batches={file.batches} />
          <ListView
            list={list}
            label={FILE.rows}
            idOf={({ n }) => String(n)}
            columns={ROW_COLUMNS}
            empty={<Empty title={FILE.noRows} />}
          />
        </>
      )}
    </FilePage>
  );
}

/** A file of a bank: its statements, and its entries. */
export function BankFilePage() {
  const id = useId();
  const query = useQuery({
    queryKey: ['money-files', 'bank', 'one', id],
    queryFn: () => orNull(read(bankApi['bank-statements'][':id'].$get({ param: { id } }))),
  });
  const list = useList(
    ['money-files', 'entries', id],
    ({ n }) => String(n),
    (next: string | undefined) =>
      read(
        bankApi['bank-statements'][':id'].entries.$get({
          param: { id },
          query: next === undefined ? {} : { next },
        }),
      ),
  );
  return (
    <FilePage kind="bank" query={query}>
      {(file) => (
        <>
          <Statements statements={file.statements} />
          <ListView
            list={list}
            label={FILE.entries}
            idOf={({ n }) => String(n)}
            columns={ENTRY_COLUMNS}
            empty={<Empty title={FILE.noRows} />}
          />
        </>
      )}
    </FilePage>
  );
}

interface AnyFile {
  id: string;
  name: string;
  format: string;
  importedOn: string;
  isUsed: boolean;
  warnings: Parameters<typeof Remarks>[0]['remarks'];
}

/** Null: there is none of that id, or it is of a site that one does not see. */
async function orNull<T>(coming: Promise<T>): Promise<T | null> {
  try {
    return await coming;
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return null;
    throw error;
  }
}

function FilePage<File extends AnyFile>({
  kind,
  query,
  children,
}: {
  kind: FileKind;
  query: { data: File | null | undefined; error: unknown; refetch: () => unknown };
  children: (file: File) => ReactNode;
}) {
  const addressOf = useAddress();
  const timeZone = useTimeZone();
  const [isDeleting, setDeleting] = useState(false);
  return (
    <Page title={query.data?.name ?? FILE.file}>
      <BackLink to={addressOf('money')} search={{ tab: 'files' }}>
        {FILE.back}
      </BackLink>
      <QueryView query={query}>
        {(file) =>
          file === null ? (
            <Empty title={FILE.gone}>
              <p>{FILE.goneHint}</p>
            </Empty>
          ) : (
            <>
              <Details
                rows={[
                  [FILE.kind, FILE.kinds[kind]],
                  [FILE.format, file.format],
                  [FILE.importedOn, <Moment key="at" at={file.importedOn} timeZone={timeZone} isExact />],
                ]}
              />
              <Remarks title={FILE.note} remarks={file.warnings} look="caution" />
              {children(file)}
              <p>
                {file.isUsed ? FILE.inUse : <Button onPress={() => setDeleting(true)}>{FILE.delete}</Button>}
              </p>
              {isDeleting && <DeleteFile kind={kind} id={file.id} onClose={() => setDeleting(false)} />}
            </>
          )
        }
      </QueryView>
    </Page>
  );
}

function DeleteFile({ kind, id, onClose }: { kind: FileKind; id: string; onClose: () => void }) {
  const toasts = useToasts();
  const navigate = useNavigate();
  const addressOf = useAddress();
  const remove = useSubmit(
    async (_input: null, headers) => {
      const call = { param: { id } };
      await (kind === 'settlement'
        ? answered(settlementApi['settlement-files'][':id'].$delete(call, { headers }))
        : answered(bankApi['bank-statements'][':id'].$delete(call, { headers })));
    },
    {
      invalidates: FILE_QUERIES,
      onDone: () => {
        toasts.done(FILE.deleted);
        void navigate({ to: addressOf('money'), search: { tab: 'files' } });
      },
    },
  );
  return (
    <FormDialog
      title={FILE.delete}
      submit={FILE.delete}
      isFinal
      error={remove.error}
      isBusy={remove.isPending}
      onSubmit={() => remove.mutate(null)}
      onClose={onClose}
    >
      <p>{FILE.deleteHint}</p>
    </FormDialog>
  );
}
