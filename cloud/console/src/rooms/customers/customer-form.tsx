import { isOperator, useSession } from '../../shell/session.ts';
import type { TextRow } from '../../ui/edit-dialog.tsx';
import { CheckField, ChoiceField, TextField } from '../../ui/field.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { COMMON } from '../../words/common.ts';
import type { Customer, CustomerEdit } from './customer-api.ts';
import { CUSTOMER } from './customer-words.ts';

/** A customer while it is typed; its options beside the other fields, so that each is changed apart. */
export type CustomerDraft = Pick<Customer, 'ssn' | 'name' | 'email' | 'phone' | 'language'> &
  Customer['options'];

export const EMPTY_CUSTOMER: CustomerDraft = {
  ssn: null,
  name: null,
  email: null,
  phone: null,
  language: 'is',
  billingMethod: null,
  billingSsn: null,
  discount: 0,
  sendInvoicesToEmail: false,
  sendInvoicesToPublishingSystem: false,
  street: null,
  postcode: null,
  city: null,
  country: null,
  electronicAddress: null,
};

const ADDRESS = ['street', 'postcode', 'city', 'country', 'electronicAddress'] as const;

export function draftOf({ ssn, name, email, phone, language, options }: Customer): CustomerDraft {
  return { ssn, name, email, phone, language, ...options };
}

/** The edit that is sent. */
export function editOf(draft: Partial<CustomerDraft>): CustomerEdit {
  const { billingMethod, billingSsn, discount, sendInvoicesToEmail, ...rest } = draft;
  const { sendInvoicesToPublishingSystem, street, postcode, city, country, electronicAddress, ...fields } =
    rest;
  const options = {
    ...(billingMethod !== undefined && { billingMethod }),
    ...(billingSsn !== undefined && { billingSsn }),
    ...(discount !== undefined && { discount }),
    ...(sendInvoicesToEmail !== undefined && { sendInvoicesToEmail }),
    ...(sendInvoicesToPublishingSystem !== undefined && { sendInvoicesToPublishingSystem }),
    ...(street !== undefined && { street }),
    ...(postcode !== undefined && { postcode }),
    ...(city !== undefined && { city }),
    ...(country !== undefined && { country }),
    ...(electronicAddress !== undefined && { electronicAddress }),
  };
  return { ...fields, ...(Object.keys(options).length > 0 && { options }) };
}

/** A customer in words. */
export function customerRows(draft: CustomerDraft): TextRow[] {
  return [...contactRows(draft), ...billingRows(draft)];
}

export function contactRows({ ssn, name, email, phone, language, ...address }: CustomerDraft): TextRow[] {
  return [
    [CUSTOMER.name, name],
    [CUSTOMER.ssn, ssn],
    [CUSTOMER.email, email],
    [CUSTOMER.phone, phone],
    [CUSTOMER.language, CUSTOMER.languages[language]],
    ...ADDRESS.map((name): TextRow => [CUSTOMER.address[name], address[name]]),
  ];
}

export function billingRows(draft: CustomerDraft): TextRow[] {
  const yesNo = (on: boolean) => (on ? COMMON.yes : COMMON.no);
  return [
    [CUSTOMER.billingMethod, CUSTOMER.billingMethods[draft.billingMethod ?? 'none']],
    [CUSTOMER.billingSsn, draft.billingSsn],
    [CUSTOMER.discount, String(draft.discount)],
    [CUSTOMER.byMail, yesNo(draft.sendInvoicesToEmail)],
    [CUSTOMER.byPublishing, yesNo(draft.sendInvoicesToPublishingSystem)],
  ];
}

/** Customers themselves change how they are reached; what they pay is up to operators. */
export function CustomerFields({
  draft,
  set,
}: {
  draft: CustomerDraft;
  set: (changes: Partial<CustomerDraft>) => void;
}) {
  const isOffice = isOperator(useSession());
  const text = (
    name: 'name' | 'ssn' | 'email' | 'phone' | 'billingSsn' | (typeof ADDRESS)[number],
    label: string,
  ) => ({
    label,
    name,
    value: draft[name] ?? '',
    onChange: (typed: string) => set({ [name]: typed === '' ? null : typed }),
  });
  return (
    <>
      {isOffice && (
        <div className="row">
          <TextField {...text('name', CUSTOMER.name)} autoFocus />
          <TextField {...text('ssn', CUSTOMER.ssn)} />
        </div>
      )}
      <div className="row">
        <TextField {...text('email', CUSTOMER.email)} type="email" autoFocus={!isOffice} />
        <TextField {...text('phone', CUSTOMER.phone)} type="tel" />
      </div>
      <ChoiceField
        label={CUSTOMER.language}
        value={draft.language}
        choices={[
          ['is', CUSTOMER.languages.is],
          ['en', CUSTOMER.languages.en],
        ]}
        onChange={(language) => set({ language })}
      />
      <TextField {...text('street', CUSTOMER.address.street)} />
      <div className="row">
        <TextField {...text('postcode', CUSTOMER.address.postcode)} />
        <TextField {...text('city', CUSTOMER.address.city)} />
        <TextField {...text('country', CUSTOMER.address.country)} hint={CUSTOMER.countryHint} />
      </div>
      <TextField
        {...text('electronicAddress', CUSTOMER.address.electronicAddress)}
        hint={CUSTOMER.electronicAddressHint}
      />
      {isOffice && (
        <>
          <ChoiceField
            label={CUSTOMER.billingMethod}
            value={draft.billingMethod ?? 'none'}
            choices={(['none', 'daily', 'monthly', 'whitelist'] as const).map((one) => [
              one,
              CUSTOMER.billingMethods[one],
            ])}
            onChange={(method) => set({ billingMethod: method === 'none' ? null : method })}
          />
          <div className="row">
            <TextField {...text('billingSsn', CUSTOMER.billingSsn)} hint={CUSTOMER.billingSsnHint} />
            <NumberField
              label={CUSTOMER.discount}
              name="discount"
              minValue={0}
              maxValue={100}
              digits={2}
              value={draft.discount}
              onChange={(discount) => set({ discount: Number.isNaN(discount) ? 0 : discount })}
            />
          </div>
          <CheckField
            label={CUSTOMER.byMail}
            isSelected={draft.sendInvoicesToEmail}
            onChange={(sendInvoicesToEmail) => set({ sendInvoicesToEmail })}
          />
          <CheckField
            label={CUSTOMER.byPublishing}
            isSelected={draft.sendInvoicesToPublishingSystem}
            onChange={(sendInvoicesToPublishingSystem) => set({ sendInvoicesToPublishingSystem })}
          />
        </>
      )}
    </>
  );
}
