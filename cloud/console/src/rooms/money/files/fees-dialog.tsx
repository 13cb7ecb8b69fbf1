import { useState } from 'react';
import { read } from '../../../calls/api.ts';
import { useSites } from '../../../shell/site.ts';
import { amountText, parseAmount } from '../../../ui/amount.ts';
import { AmountField } from '../../../ui/amount-field.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { NumberField } from '../../../ui/number-field.tsx';
import { Failed, Loading } from '../../../ui/states.tsx';
import { useToasts } from '../../../ui/toasts.tsx';
import { useEdit } from '../../../ui/use-edit.ts';
import { LANGUAGE } from '../../../words/words.ts';
import { MONEY } from '../money-words.ts';
import { accountApi, FILE, FILE_QUERIES } from './file-calls.ts';
import { type Account, readAccount } from './mapping.ts';

type Contract = Account['feeContract'];

interface Props {
  accountId: string;
  onClose: () => void;
}

/** What a provider keeps of each sale: other fees in its files are differences of the day. */
export function FeesDialog({ accountId, onClose }: Props) {
  const toasts = useToasts();
  const edit = useEdit(
    ['money-account', accountId],
    () => readAccount(accountId),
    (feeContract: Contract, headers) =>
      read(
        accountApi['money-accounts'][':id'].$put(
          { param: { id: accountId }, json: { feeContract } },
          { headers },
        ),
      ),
    {
      invalidates: FILE_QUERIES,
      onDone: () => {
        toasts.done(FILE.feesSaved);
        onClose();
      },
    },
  );
  if (edit.before !== null) return <FeesForm account={edit.before} edit={edit} onClose={onClose} />;
  return (
    <Dialog title={FILE.agreedFees} onClose={onClose}>
      {edit.loadError ? <Failed error={edit.loadError} retry={edit.retry} /> : <Loading />}
    </Dialog>
  );
}

function FeesForm({
  account,
  edit,
  onClose,
}: {
  account: Account;
  edit: { save: (contract: Contract) => void; isBusy: boolean; error: unknown; theirs: Account | null };
  onClose: () => void;
}) {
  const { name, siteId, feeContract } = account;
  const sites = useSites();
  const currency = (sites.find(({ id }) => id === siteId) ?? sites[0])?.currency ?? 'ISK';
  const [percent, setPercent] = useState(feeContract === null ? Number.NaN : feeContract.basisPoints / 100);
  const [fixed, setFixed] = useState(
    feeContract === null ? '' : amountText(feeContract.fixed, currency, LANGUAGE),
  );
  const fixedMinor = fixed.trim() === '' ? 0 : parseAmount(fixed, currency, LANGUAGE);
  const isEmpty = Number.isNaN(percent) && fixed.trim() === '';
  const contract = {
    basisPoints: Number.isNaN(percent) ? 0 : Math.round(percent * 100),
    fixed: fixedMinor ?? 0,
  };
  return (
    <FormDialog
      title={FILE.feesOf({ name })}
      submit={FILE.saveFees}
      error={edit.error}
      isBusy={edit.isBusy}
      isReady={fixedMinor !== null}
      onSubmit={() => edit.save(isEmpty ? null : contract)}
      onClose={onClose}
    >
      <p>{FILE.feesHint}</p>
      {edit.theirs !== null && <p className="notice caution">{FILE.columnsChanged}</p>}
      <NumberField
        label={FILE.feePercent}
        name="feeContract.basisPoints"
        value={percent}
        minValue={0}
        maxValue={100}
        digits={2}
        onChange={setPercent}
      />
      <AmountField
        label={`${FILE.feeFixed} (${currency})`}
        currency={currency}
        value={fixed}
        isRequired={false}
        mistake={fixedMinor === null ? MONEY.notAnAmount : undefined}
        onChange={({ text }) => setFixed(text)}
      />
    </FormDialog>
  );
}
