import { FILE_KINDS, type FileKind } from '@hlid/protocol/base/books-files';
import { useQuery } from '@tanstack/react-query';
import { type DragEvent, useRef, useState } from 'react';
import { useAddress } from '../../../shell/room-address.ts';
import { useSiteFilter, useSites, useTimeZone } from '../../../shell/site.ts';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField } from '../../../ui/field.tsx';
import { ListView } from '../../../ui/list-view.tsx';
import { Empty } from '../../../ui/states.tsx';
import { Moment } from '../../../ui/time.tsx';
import { useList } from '../../../ui/use-list.ts';
import { MONEY } from '../money-words.ts';
import { AddAccount } from './add-account.tsx';
import { CheckedFile } from './checked-file.tsx';
import { FeesDialog } from './fees-dialog.tsx';
import { FILE, readAccounts, readFiles } from './file-calls.ts';

/** Files of providers and banks: a place to drop one, and those that were imported. */
export function FilesTab() {
  const [kind, setKind] = useState<FileKind>('settlement');
  const [account, setAccount] = useState('');
  const [chosen, setChosen] = useState<{ file: File; n: number } | null>(null);
  const [isAdding, setAdding] = useState(false);
  const [areFeesOpen, setFeesOpen] = useState(false);
  const count = useRef(0);
  const accounts = useQuery({ queryKey: ['money-accounts'], queryFn: readAccounts });
  const choose = (file: File | undefined) => {
    if (file === undefined) return;
    count.current++;
    setChosen({ file, n: count.current });
  };
  const own = accounts.data?.data.filter((one) => one.kind === kind) ?? [];
  return (
    <>
      <section className="file-choice" aria-label={FILE.choose}>
        <div className="row-acts">
          <ChoiceField
            label={FILE.kind}
            name="kind"
            value={kind}
            choices={FILE_KINDS.map((one) => [one, FILE.kinds[one]] as const)}
            onChange={(next) => {
              setKind(next);
              setAccount('');
            }}
          />
          <ChoiceField
            label={FILE.account}
            name="account"
            value={account}
            choices={[['', FILE.byFile] as const, ...own.map(({ id, name }) => [id, name] as const)]}
            onChange={setAccount}
          />
          <Button onPress={() => setAdding(true)}>{FILE.newAccount}</Button>
          {kind === 'settlement' && account !== '' && (
            <Button onPress={() => setFeesOpen(true)}>{FILE.agreedFees}</Button>
          )}
        </div>
        <DropPlace onFile={choose} />
      </section>
      {chosen !== null && (
        <CheckedFile
          key={chosen.n}
          kind={kind}
          file={chosen.file}
          account={account === '' ? null : account}
          onClose={() => setChosen(null)}
        />
      )}
      {isAdding && (
        <AddAccount
          kind={kind}
          reference={null}
          onAdded={() => setAdding(false)}
          onClose={() => setAdding(false)}
        />
      )}
      {areFeesOpen && account !== '' && <FeesDialog accountId={account} onClose={() => setFeesOpen(false)} />}
      <ImportedFiles kind={kind} />
    </>
  );
}

/** A place to drop a file; its button does the same for the keyboard. */
function DropPlace({ onFile }: { onFile: (file: File | undefined) => void }) {
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    onFile(event.dataTransfer.files[0]);
  };
  return (
    <label
      className={isOver ? 'drop-place over' : 'drop-place'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <span className="label">{FILE.drop}</span>
      <input
        type="file"
        accept=".csv,.xml,.json,.txt"
        onClick={({ currentTarget }) => {
          // The same file can be chosen again once it is corrected.
          currentTarget.value = '';
        }}
        onChange={({ target }) => onFile(target.files?.[0])}
      />
      <span className="hint">{FILE.hint}</span>
    </label>
  );
}

function ImportedFiles({ kind }: { kind: FileKind }) {
  const site = useSiteFilter();
  const sites = useSites();
  const timeZone = useTimeZone();
  const addressOf = useAddress();
  const list = useList(
    ['money-files', kind, site],
    ({ id }) => id,
    (next: string | undefined) => readFiles(kind, { ...site, ...(next !== undefined && { next }) }),
  );
  return (
    <ListView
      list={list}
      label={FILE.imports}
      idOf={({ id }) => id}
      linkOf={({ id }) => ({ to: addressOf(`money/files/${kind}/${id}`) })}
      columns={[
        { id: 'name', title: FILE.file, isWide: true, cell: ({ name }) => name },
        { id: 'format', title: FILE.format, cell: ({ format }) => format },
        { id: 'rows', title: FILE.rows, isNumber: true, cell: ({ rows }) => rows },
        {
          id: 'site',
          title: MONEY.site,
          cell: ({ siteId }) => sites.find(({ id }) => id === siteId)?.name ?? FILE.ofSeveral,
        },
        {
          id: 'imported',
          title: FILE.importedOn,
          cell: ({ importedOn }) => <Moment at={importedOn} timeZone={timeZone} />,
        },
        {
          id: 'state',
          title: MONEY.status,
          cell: ({ isUsed, warnings }) =>
            isUsed ? FILE.inUse : warnings.length > 0 ? `${FILE.warnings}: ${warnings.length}` : '',
        },
      ]}
      empty={
        <Empty title={FILE.empty}>
          <p>{FILE.emptyHint}</p>
        </Empty>
      }
    />
  );
}
