import { MAX_WARNING_CHARGE } from '@hlid/protocol/records/collection-law';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { useAddress } from '../../shell/room-address.ts';
import { BackLink } from '../../ui/back-link.tsx';
import { Button } from '../../ui/button.tsx';
import { Details } from '../../ui/details.tsx';
import { CheckField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { moneyText } from '../../ui/money.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Empty } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { bankApi, CLAIM, type ClaimBank, readBanks } from './claim-calls.ts';
import '../money/money.css';

/** What was agreed with each bank about collecting claims. Addresses and tokens are in the configuration. */
export function BanksPage() {
  const addressOf = useAddress();
  const query = useQuery({ queryKey: ['claims', 'banks'], queryFn: readBanks });
  return (
    <Page title={CLAIM.banks} isWide={false}>
      <BackLink to={addressOf('money')} search={{ tab: 'claims' }}>
        {CLAIM.back}
      </BackLink>
      <QueryView query={query}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={CLAIM.noBanks}>
              <p>{CLAIM.noBanksHint}</p>
            </Empty>
          ) : (
            data.map((bank) => <Bank key={bank.id} bank={bank} />)
          )
        }
      </QueryView>
    </Page>
  );
}

const kronur = (amountMinor: number) => moneyText({ amountMinor, currency: 'ISK' });

function Bank({ bank }: { bank: ClaimBank }) {
  const { id, isConfigured, agreement } = bank;
  const [isOpen, setOpen] = useState(false);
  return (
    <section className="card form" aria-label={id}>
      <h2>{id}</h2>
      {!isConfigured && <p className="notice caution">{CLAIM.notConfigured}</p>}
      {agreement === null ? (
        <p className="hint">{CLAIM.noAgreement}</p>
      ) : (
        <Details
          rows={[
            [CLAIM.owner, agreement.owner],
            [CLAIM.branch, agreement.branch],
            [CLAIM.templateCode, agreement.templateCode],
            [CLAIM.licence, agreement.licence],
            [CLAIM.interest, agreement.interest ? CLAIM.interestOn : null],
            [
              CLAIM.defaultCharge,
              agreement.defaultCharge &&
                CLAIM.afterDays({
                  amount: kronur(agreement.defaultCharge.amount),
                  days: agreement.defaultCharge.days,
                }),
            ],
            [CLAIM.partPayments, agreement.partPayments ? CLAIM.yes : null],
          ]}
        />
      )}
      {isConfigured && (
        <div className="row-acts">
          <Button onPress={() => setOpen(true)}>{CLAIM.setAgreement}</Button>
        </div>
      )}
      {isOpen && <AgreementDialog bank={bank} onClose={() => setOpen(false)} />}
    </section>
  );
}

type Agreement = NonNullable<ClaimBank['agreement']>;

const NONE: Agreement = {
  owner: '',
  branch: '',
  templateCode: '',
  licence: null,
  interest: true,
  defaultCharge: null,
  partPayments: false,
};

function AgreementDialog({ bank, onClose }: { bank: ClaimBank; onClose: () => void }) {
  const toasts = useToasts();
  const [draft, setDraft] = useState(bank.agreement ?? NONE);
  const change = (some: Partial<Agreement>) => setDraft((now) => ({ ...now, ...some }));
  const save = useSubmit(
    (json: Agreement, headers) =>
      read(bankApi.bank[':id'].$put({ param: { id: bank.id }, json }, { headers })),
    {
      invalidates: [['claims']],
      onDone: () => {
        toasts.done(CLAIM.agreementSaved);
        onClose();
      },
    },
  );
  const { owner, branch, templateCode, licence } = draft;
  return (
    <FormDialog
      title={CLAIM.agreementOf({ bank: bank.id })}
      submit={CLAIM.saveAgreement}
      error={save.error}
      isBusy={save.isPending}
      isReady={owner !== '' && branch !== '' && templateCode !== ''}
      onSubmit={() => save.mutate(draft)}
      onClose={onClose}
    >
      <TextField
        label={CLAIM.owner}
        hint={CLAIM.ownerHint}
        name="owner"
        value={owner}
        isRequired
        onChange={(typed) => change({ owner: typed })}
      />
      <TextField
        label={CLAIM.branch}
        hint={CLAIM.branchHint}
        name="branch"
        value={branch}
        isRequired
        inputMode="numeric"
        onChange={(typed) => change({ branch: typed })}
      />
      <TextField
        label={CLAIM.templateCode}
        hint={CLAIM.templateCodeHint}
        name="templateCode"
        value={templateCode}
        isRequired
        onChange={(typed) => change({ templateCode: typed.toUpperCase() })}
      />
      <TextField
        label={CLAIM.licence}
        hint={CLAIM.licenceHint}
        name="licence"
        value={licence ?? ''}
        onChange={(typed) => change({ licence: typed.trim() === '' ? null : typed })}
      />
      <CheckField
        label={CLAIM.interestOn}
        isSelected={draft.interest}
        onChange={(interest) => change({ interest })}
      />
      <DefaultCharge charge={draft.defaultCharge} onChange={(defaultCharge) => change({ defaultCharge })} />
      <CheckField
        label={CLAIM.partPayments}
        isSelected={draft.partPayments}
        onChange={(partPayments) => change({ partPayments })}
      />
    </FormDialog>
  );
}

function DefaultCharge({
  charge,
  onChange,
}: {
  charge: Agreement['defaultCharge'];
  onChange: (charge: Agreement['defaultCharge']) => void;
}) {
  return (
    <>
      <NumberField
        label={CLAIM.chargeAmount}
        hint={CLAIM.chargeAmountHint({ max: kronur(MAX_WARNING_CHARGE) })}
        name="defaultCharge.amount"
        value={charge?.amount ?? Number.NaN}
        minValue={1}
        maxValue={MAX_WARNING_CHARGE}
        onChange={(amount) => onChange(Number.isNaN(amount) ? null : { days: charge?.days ?? 1, amount })}
      />
      {charge !== null && (
        <NumberField
          label={CLAIM.chargeDays}
          name="defaultCharge.days"
          value={charge.days}
          minValue={0}
          maxValue={99}
          isRequired
          onChange={(days) => onChange({ ...charge, days })}
        />
      )}
    </>
  );
}
