import { DATE_FORMATS, DELIMITERS, FILE_ENCODINGS, type FileKind } from '@hlid/protocol/base/books-files';
import { useEffect, useState } from 'react';
import { read } from '../../../calls/api.ts';
import { Dialog } from '../../../ui/dialog.tsx';
import { ChoiceField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { Failed, Loading, RefusedNotice } from '../../../ui/states.tsx';
import { useToasts } from '../../../ui/toasts.tsx';
import { useEdit } from '../../../ui/use-edit.ts';
import { useSubmit } from '../../../ui/use-submit.ts';
import { accountApi, FILE, FILE_QUERIES } from './file-calls.ts';
import {
  type Account,
  draftOfMapping,
  MAPPING_FIELDS,
  type MappingDraft,
  mappingOfDraft,
  readAccount,
  type Sample,
  type SentMapping,
  sendSample,
} from './mapping.ts';

interface Props {
  kind: FileKind;
  accountId: string;
  file: File;
  onDone: () => void;
  onClose: () => void;
}

/** Says which column of a CSV is what, by a file of the account. */
export function ColumnsDialog(props: Props) {
  const { kind, file, accountId, onDone, onClose } = props;
  const toasts = useToasts();
  const sample = useSubmit(sendSample, { invalidates: [] });
  const { mutate } = sample;
  useEffect(() => mutate({ kind, file }), [mutate, kind, file]);
  const edit = useEdit(
    ['money-account', accountId],
    () => readAccount(accountId),
    (mapping: SentMapping, headers) =>
      read(
        accountApi['money-accounts'][':id'].$put(
          { param: { id: accountId }, json: { mapping } },
          { headers },
        ),
      ),
    {
      invalidates: FILE_QUERIES,
      onDone: () => {
        toasts.done(FILE.columnsSaved);
        onDone();
      },
    },
  );
  if (edit.before !== null && sample.data !== undefined) {
    return <ColumnsForm {...props} account={edit.before} sample={sample.data} edit={edit} />;
  }
  return (
    <Dialog title={FILE.columnsOf({ name: file.name })} onClose={onClose}>
      {edit.loadError ? (
        <Failed error={edit.loadError} retry={edit.retry} />
      ) : sample.error ? (
        <RefusedNotice error={sample.error} />
      ) : (
        <Loading />
      )}
    </Dialog>
  );
}

function ColumnsForm({
  kind,
  account,
  sample,
  edit,
  onClose,
}: Props & {
  account: Account;
  sample: Sample;
  edit: {
    save: (mapping: SentMapping) => void;
    isBusy: boolean;
    error: unknown;
    theirs: Account | null;
  };
}) {
  const [draft, setDraft] = useState(() => draftOfMapping(sample, account.mapping));
  const set = (changes: Partial<MappingDraft>) => setDraft({ ...draft, ...changes });
  return (
    <FormDialog
      title={FILE.columnsOf({ name: account.name })}
      submit={FILE.saveColumns}
      error={edit.error}
      isBusy={edit.isBusy}
      isReady={draft.columns.date !== undefined && draft.columns.date !== ''}
      onSubmit={() => edit.save(mappingOfDraft(kind, draft, account.timeZone))}
      onClose={onClose}
    >
      <p>{FILE.columnsHint}</p>
      {edit.theirs !== null && <p className="notice caution">{FILE.columnsChanged}</p>}
      {MAPPING_FIELDS[kind].map((field) => (
        <ChoiceField
          key={field}
          label={FILE.fields[field]}
          name={`mapping.columns.${field}`}
          value={draft.columns[field] ?? ''}
          hint={samplesOf(sample, draft.columns[field])}
          choices={[['', FILE.noColumn] as const, ...sample.found.map(({ name }) => [name, name] as const)]}
          onChange={(column) => set({ columns: { ...draft.columns, [field]: column } })}
        />
      ))}
      {kind === 'settlement' && <KindsOfRows sample={sample} draft={draft} set={set} />}
      <FormatFields draft={draft} set={set} />
    </FormDialog>
  );
}

interface DraftProps {
  draft: MappingDraft;
  set: (changes: Partial<MappingDraft>) => void;
}

const NOT_KNOWN = 'unknown';

/** The texts of the column of the kind, and what each means. */
function KindsOfRows({ sample, draft, set }: DraftProps & { sample: Sample }) {
  const column = sample.found.find(({ name }) => name === draft.columns.kind);
  const { unknown, ...known } = { unknown: FILE.unknownKind, ...FILE.rowKinds, payout: FILE.payoutRow };
  const choices = [[NOT_KNOWN, unknown] as const, ...Object.entries(known)];
  return (
    <>
      {column?.samples.map((text) => (
        <ChoiceField
          key={text}
          label={FILE.kindOf({ text })}
          value={draft.kinds[text] ?? NOT_KNOWN}
          choices={choices}
          onChange={(kind) => set({ kinds: withKind(draft.kinds, text, kind) })}
        />
      ))}
      <ChoiceField
        label={FILE.signs}
        name="mapping.signs"
        value={draft.signs}
        choices={[
          ['signed', FILE.signsOf.signed],
          ['by-kind', FILE.signsOf['by-kind']],
        ]}
        onChange={(signs) => set({ signs })}
      />
      <ChoiceField
        label={FILE.feeSigns}
        name="mapping.fees"
        value={draft.fees}
        choices={[
          ['costs', FILE.feeSignsOf.costs],
          ['signed', FILE.feeSignsOf.signed],
        ]}
        onChange={(fees) => set({ fees })}
      />
    </>
  );
}

type Kind = MappingDraft['kinds'][string];

function isKind(kind: string): kind is Kind {
  return kind === 'payout' || kind in FILE.rowKinds;
}

function withKind(kinds: MappingDraft['kinds'], text: string, kind: string): MappingDraft['kinds'] {
  const others = Object.entries(kinds).filter(([one]) => one !== text);
  return Object.fromEntries(isKind(kind) ? [...others, [text, kind]] : others);
}

/** How 1234.5 is written. */
const NUMBERS = [
  ['1.234,50', { decimal: ',', thousands: '.' }],
  ['1,234.50', { decimal: '.', thousands: ',' }],
  ['1 234,50', { decimal: ',', thousands: ' ' }],
  ['1 234.50', { decimal: '.', thousands: ' ' }],
  ["1'234.50", { decimal: '.', thousands: "'" }],
  ['1234.50', { decimal: '.', thousands: null }],
  ['1234,50', { decimal: ',', thousands: null }],
] as const;

/** How the file is written. */
function FormatFields({ draft, set }: DraftProps) {
  const numbers = NUMBERS.find(
    ([, { decimal, thousands }]) => decimal === draft.decimal && thousands === draft.thousands,
  );
  return (
    <>
      <ChoiceField
        label={FILE.delimiter}
        value={draft.delimiter}
        choices={DELIMITERS.map((mark) => [mark, mark === '\t' ? FILE.tab : mark] as const)}
        onChange={(delimiter) => set({ delimiter })}
      />
      <ChoiceField
        label={FILE.encoding}
        value={draft.encoding}
        choices={FILE_ENCODINGS.map((one) => [one, one.toUpperCase()] as const)}
        onChange={(encoding) => set({ encoding })}
      />
      <ChoiceField
        label={FILE.numbers}
        value={numbers?.[0] ?? NUMBERS[0][0]}
        choices={NUMBERS.map(([text]) => [text, text] as const)}
        onChange={(text) => set(NUMBERS.find(([one]) => one === text)?.[1] ?? NUMBERS[0][1])}
      />
      <ChoiceField
        label={FILE.dates}
        value={draft.dateFormat}
        choices={DATE_FORMATS.map((one) => [one, one] as const)}
        onChange={(dateFormat) => set({ dateFormat })}
      />
      <NumberField
        label={FILE.skipLines}
        name="mapping.skipLines"
        value={draft.skipLines}
        minValue={0}
        maxValue={50}
        onChange={(skipLines) => set({ skipLines: Number.isNaN(skipLines) ? 0 : skipLines })}
      />
      <TextField
        label={FILE.currency}
        hint={FILE.currencyHint}
        name="mapping.currency"
        value={draft.currency}
        maxLength={3}
        onChange={(currency) => set({ currency })}
      />
    </>
  );
}

const SHOWN_SAMPLES = 3;

function samplesOf({ found }: Sample, column: string | undefined): string {
  const samples = found.find(({ name }) => name === column)?.samples ?? [];
  return samples.slice(0, SHOWN_SAMPLES).join(' · ');
}
