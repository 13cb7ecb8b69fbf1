import { BOOK_ROLES } from '@hlid/protocol/base/book-roles';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { ChoiceField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { Empty, Failed, Loading, RefusedNotice } from '../../../ui/states.tsx';
import { useToasts } from '../../../ui/toasts.tsx';
import { useEdit } from '../../../ui/use-edit.ts';
import { COMMON } from '../../../words/common.ts';
import {
  BOOK,
  type BookkeepingPlanEdit,
  bookedText,
  type PlanLine,
  ROLE_NAMES,
  readPlan,
  type ShownPlan,
  sendPlan,
} from './book-calls.ts';

type Asked = Pick<PlanLine, 'role' | 'detail'>;

/** The accounts of the bookkeeping, for the site that is shown or for every site. */
export function BookAccounts({
  siteId,
  added,
  onAdded,
}: {
  siteId: string | null;
  /** What a person sets an account for, in another part of the page. */
  added: Asked | null;
  onAdded: () => void;
}) {
  const toasts = useToasts();
  const [open, setOpen] = useState<PlanLine | 'datev' | 'new' | null>(null);
  const close = () => {
    setOpen(null);
    onAdded();
  };
  const edit = useEdit(
    ['bookkeeping-plan', siteId ?? ''],
    () => readPlan(siteId),
    (plan: BookkeepingPlanEdit, headers) => sendPlan(siteId, plan, headers),
    {
      invalidates: [['invoices', 'bookkeeping']],
      onDone: () => {
        toasts.done(COMMON.saved);
        close();
      },
    },
  );
  if (edit.before === null) {
    return edit.loadError ? <Failed error={edit.loadError} retry={edit.retry} /> : <Loading />;
  }
  const plan = edit.theirs ?? edit.before;
  const { lines, datev, inherited } = plan;
  const save = (next: Partial<BookkeepingPlanEdit>) => edit.save({ lines, datev, ...next });
  const isSame = (one: Asked, other: Asked) => one.role === other.role && one.detail === other.detail;
  const begun: LineDraft | null =
    open === 'datev' ? null : open === 'new' ? EMPTY : (open ?? (added && { ...EMPTY, ...added }));
  return (
    <section className="card form" aria-label={BOOK.accounts}>
      <h2>{BOOK.accounts}</h2>
      <p className="hint">{siteId === null ? BOOK.ofEverySite : BOOK.ofSite}</p>
      <Lines
        lines={lines}
        onOpen={setOpen}
        onRemove={(line) => save({ lines: lines.filter((one) => one !== line) })}
      />
      {inherited !== null && inherited.lines.length > 0 && (
        <details>
          <summary>{BOOK.inherited}</summary>
          <ul>
            {inherited.lines.map((line) => (
              <li key={`${line.role} ${line.detail}`}>{`${line.account}: ${bookedText(line)}`}</li>
            ))}
          </ul>
        </details>
      )}
      {begun === null && open === null && <RefusedNotice error={edit.error} />}
      <footer className="row-acts">
        <Button onPress={() => setOpen('new')}>{BOOK.add}</Button>
        <Button onPress={() => setOpen('datev')}>{BOOK.datevSettings}</Button>
      </footer>
      {begun !== null && (
        <LineDialog
          begun={begun}
          error={edit.error}
          isBusy={edit.isBusy}
          onSave={(line) =>
            save({ lines: [...lines.filter((one) => !isSame(one, begun) && !isSame(one, line)), line] })
          }
          onClose={close}
        />
      )}
      {open === 'datev' && (
        <DatevDialog
          datev={datev}
          error={edit.error}
          isBusy={edit.isBusy}
          onSave={(next) => save({ datev: next })}
          onClose={close}
        />
      )}
    </section>
  );
}

interface LineDraft extends Asked {
  account: string;
  vatCode: string | null;
}

const EMPTY: LineDraft = { role: 'income', detail: null, account: '', vatCode: null };

function Lines({
  lines,
  onOpen,
  onRemove,
}: {
  lines: readonly PlanLine[];
  onOpen: (line: PlanLine) => void;
  onRemove: (line: PlanLine) => void;
}) {
  if (lines.length === 0) return <Empty title={BOOK.noAccounts} />;
  const rank = ({ role }: PlanLine) => BOOK_ROLES.indexOf(role);
  return (
    <div className="table-frame">
      <table className="plain-table">
        <thead>
          <tr>
            <th scope="col">{BOOK.what}</th>
            <th scope="col">{BOOK.account}</th>
            <th scope="col">{BOOK.vatCode}</th>
            <th scope="col">{BOOK.acts}</th>
          </tr>
        </thead>
        <tbody>
          {lines
            .toSorted((one, other) => rank(one) - rank(other))
            .map((line) => (
              <tr key={`${line.role} ${line.detail}`}>
                <th scope="row">{bookedText(line)}</th>
                <td>{line.account}</td>
                <td>{line.vatCode}</td>
                <td>
                  <div className="row-acts">
                    <Button
                      onPress={() => onOpen(line)}
                      aria-label={BOOK.changeOf({ what: bookedText(line) })}
                    >
                      {BOOK.change}
                    </Button>
                    <Button
                      onPress={() => onRemove(line)}
                      aria-label={BOOK.removeOf({ what: bookedText(line) })}
                    >
                      {BOOK.remove}
                    </Button>
                  </div>
                </td>
              </tr>
            ))}
        </tbody>
      </table>
    </div>
  );
}

interface DialogState {
  error: unknown;
  isBusy: boolean;
  onClose: () => void;
}

function LineDialog({
  begun,
  onSave,
  ...state
}: DialogState & { begun: LineDraft; onSave: (line: PlanLine) => void }) {
  const [line, setLine] = useState(begun);
  const { role, detail, account, vatCode } = line;
  return (
    <FormDialog
      {...state}
      title={BOOK.setAccount}
      submit={BOOK.save}
      isReady={account.trim() !== ''}
      onSubmit={() => onSave({ ...line, account: account.trim() })}
    >
      <ChoiceField
        label={BOOK.what}
        value={role}
        choices={BOOK_ROLES.map((one) => [one, ROLE_NAMES[one]] as const)}
        onChange={(one) => setLine({ ...line, role: one })}
      />
      <p className="hint">{BOOK.roleHints[role]}</p>
      <TextField
        label={BOOK.detail}
        hint={BOOK.detailHint}
        value={detail ?? ''}
        onChange={(text) => setLine({ ...line, detail: text.trim() === '' ? null : text.trim() })}
      />
      <TextField
        label={BOOK.account}
        hint={BOOK.accountHint}
        isRequired
        value={account}
        onChange={(text) => setLine({ ...line, account: text })}
      />
      {INCOME.has(role) && (
        <TextField
          label={BOOK.vatCode}
          hint={BOOK.vatCodeHint}
          value={vatCode ?? ''}
          onChange={(text) => setLine({ ...line, vatCode: text.trim() === '' ? null : text.trim() })}
        />
      )}
    </FormDialog>
  );
}

const INCOME: ReadonlySet<string> = new Set(['income', 'fee-income', 'prepaid-income']);

function DatevDialog({
  datev,
  onSave,
  ...state
}: DialogState & { datev: ShownPlan['datev']; onSave: (datev: ShownPlan['datev']) => void }) {
  const [draft, setDraft] = useState({
    consultant: String(datev?.consultant ?? ''),
    client: String(datev?.client ?? ''),
    accountDigits: String(datev?.accountDigits ?? 4),
    fiscalYearMonth: String(datev?.fiscalYearMonth ?? 1),
  });
  const numbers = {
    consultant: Number(draft.consultant),
    client: Number(draft.client),
    accountDigits: Number(draft.accountDigits),
    fiscalYearMonth: Number(draft.fiscalYearMonth),
  };
  const fields = ['consultant', 'client', 'accountDigits', 'fiscalYearMonth'] as const;
  return (
    <FormDialog
      {...state}
      title={BOOK.datevSettings}
      submit={BOOK.save}
      isReady={Object.values(numbers).every((number) => Number.isInteger(number) && number > 0)}
      onSubmit={() => onSave(numbers)}
    >
      {fields.map((field) => (
        <TextField
          key={field}
          label={BOOK.datevFields[field]}
          inputMode="numeric"
          name={`datev.${field}`}
          isRequired
          value={draft[field]}
          onChange={(text) => setDraft({ ...draft, [field]: text.trim() })}
        />
      ))}
    </FormDialog>
  );
}
