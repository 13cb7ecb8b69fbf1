import type { FileKind } from '@hlid/protocol/base/books-files';
import { Link } from '@tanstack/react-router';
import { useEffect, useState } from 'react';
import { useAddress } from '../../../shell/room-address.ts';
import { Button } from '../../../ui/button.tsx';
import { DataTable } from '../../../ui/data-table.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { RefusedNotice } from '../../../ui/states.tsx';
import { useToasts } from '../../../ui/toasts.tsx';
import { useSubmit } from '../../../ui/use-submit.ts';
import { COMMON } from '../../../words/common.ts';
import { AddAccount } from './add-account.tsx';
import { ColumnsDialog } from './columns-dialog.tsx';
import { FILE, FILE_QUERIES, type FileReport, sendFile } from './file-calls.ts';
import { Batches, ENTRY_COLUMNS, Remarks, ROW_COLUMNS, Statements } from './file-tables.tsx';

/** What a file holds, before anything is stored, and then its import. */
export function CheckedFile({
  kind,
  file,
  account,
  onClose,
}: {
  kind: FileKind;
  file: File;
  account: string | null;
  onClose: () => void;
}) {
  const toasts = useToasts();
  const [n, setN] = useState(0);
  const [adding, setAdding] = useState<string | null>(null);
  const [isSettingColumns, setSettingColumns] = useState(false);
  const check = useSubmit(sendFile, { invalidates: [] });
  const run = useSubmit(sendFile, {
    invalidates: FILE_QUERIES,
    onDone: () => {
      onClose();
      toasts.done(FILE.imported);
    },
  });
  const { mutate } = check;
  useEffect(() => mutate({ kind, file, account, isDry: true, n }), [mutate, kind, file, account, n]);
  const checked = check.data;
  const isImportable =
    checked !== undefined && !checked.report.isRepeated && checked.report.refused.length === 0;
  return (
    <>
      <Dialog
        title={FILE.checkTitle({ name: file.name })}
        onClose={onClose}
        isBusy={run.isPending}
        size="large"
      >
        <div role="status">{check.isPending && <p>{FILE.checking}</p>}</div>
        <RefusedNotice error={check.error ?? run.error} />
        {checked && <Report checked={checked} onAdd={setAdding} />}
        <footer>
          <Button onPress={onClose} isDisabled={run.isPending}>
            {COMMON.cancel}
          </Button>
          {account !== null && check.error !== null && (
            <Button onPress={() => setSettingColumns(true)}>{FILE.setColumns}</Button>
          )}
          {isImportable && (
            <Button
              look="primary"
              isPending={run.isPending}
              onPress={() => run.mutate({ kind, file, account, isDry: false, n })}
            >
              {FILE.import({ rows: checked.report.rows })}
            </Button>
          )}
        </footer>
      </Dialog>
      {account !== null && isSettingColumns && (
        <ColumnsDialog
          kind={kind}
          accountId={account}
          file={file}
          onDone={() => {
            setSettingColumns(false);
            setN(n + 1);
          }}
          onClose={() => setSettingColumns(false)}
        />
      )}
      {adding !== null && (
        <AddAccount
          kind={kind}
          reference={adding}
          onAdded={() => {
            setAdding(null);
            setN(n + 1);
          }}
          onClose={() => setAdding(null)}
        />
      )}
    </>
  );
}

function Report({ checked, onAdd }: { checked: FileReport; onAdd: (reference: string) => void }) {
  const addressOf = useAddress();
  const { kind, report } = checked;
  const { id, isRepeated, refused, warnings, unknownAccounts } = report;
  return (
    <section className="import-report" aria-live="polite">
      {isRepeated && (
        <p className="notice caution">
          {FILE.repeated}{' '}
          {id !== null && <Link to={addressOf(`money/files/${kind}/${id}`)}>{FILE.openIt}</Link>}
        </p>
      )}
      <Remarks title={FILE.cannot} remarks={refused} look="negative" />
      <div className="row-acts">
        {unknownAccounts.map((reference) => (
          <Button key={reference} onPress={() => onAdd(reference)}>
            {FILE.addAccount({ reference })}
          </Button>
        ))}
      </div>
      <Remarks title={FILE.note} remarks={warnings} look="caution" />
      {checked.kind === 'settlement' ? (
        <>
          <Batches batches={checked.report.batches} />
          <h3>{FILE.firstRows}</h3>
          <DataTable
            label={FILE.firstRows}
            rows={checked.report.firstRows}
            columns={ROW_COLUMNS}
            idOf={(row) => String(row.n)}
            isWhole={false}
          />
        </>
      ) : (
        <>
          <Statements statements={checked.report.statements} />
          <h3>{FILE.firstRows}</h3>
          <DataTable
            label={FILE.firstRows}
            rows={checked.report.firstRows}
            columns={ENTRY_COLUMNS}
            idOf={(entry) => String(entry.n)}
            isWhole={false}
          />
        </>
      )}
    </section>
  );
}
