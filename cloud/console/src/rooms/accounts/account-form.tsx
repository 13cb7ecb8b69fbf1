import { CustomerPicker, type Picked } from '../../shell/pickers.tsx';
import type { Permission } from '../../shell/session.ts';
import { useSites } from '../../shell/site.ts';
import { CheckField, ChoiceField, TextField } from '../../ui/field.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import type { Account, AccountEdit } from './account-api.ts';
import { ACCOUNT } from './account-words.ts';
import { DUTY_NAMES, dutyOf, permissionsOf } from './duties.ts';

type Role = 'operator' | 'customer' | 'partner' | 'whitelist';
const ROLES: readonly Role[] = ['operator', 'customer', 'partner', 'whitelist'];
const PERMISSIONS: readonly Permission[] = ['lanes', 'visits', 'money', 'tariffs', 'devices', 'people'];
const OWN_CHOICE = 'own';
const USUAL_MAX_PERMITS = 10;
const USUAL_MINUTES = 1440;

/** An account while it is typed. */
export interface AccountDraft {
  name: string;
  role: Role;
  comment: string;
  customer: Picked | null;
  /** The permissions of an operator. Null: everything, everywhere. */
  permissions: readonly Permission[] | null;
  siteIds: readonly string[] | null;
  /** The options of every role other than operator. */
  options: Pick<
    Account['options'],
    'maxPermits' | 'expireTime' | 'permitWithoutEnd' | 'permitSites' | 'free-parking-time' | 'managesStaff'
  >;
}

export const EMPTY_ACCOUNT: AccountDraft = {
  name: '',
  role: 'customer',
  comment: '',
  customer: null,
  permissions: null,
  siteIds: null,
  options: {},
};

export function draftOf({ name, role, comment, customer, ...rights }: Account): AccountDraft {
  return {
    name,
    role: ROLES.find((one) => one === role) ?? 'customer',
    comment: comment ?? '',
    customer: customer === null ? null : { id: customer.id, name: customerName(customer) },
    permissions: rights.permissions ?? null,
    siteIds: rights.siteIds ?? null,
    options: rights.options,
  };
}

export function customerName(customer: NonNullable<Account['customer']>): string {
  return ('name' in customer && customer.name) || customer.id;
}

/** The edit that is sent. An option that is null is removed. */
export function editOf({ customer, comment, ...draft }: AccountDraft): AccountEdit {
  const { name, role, permissions, siteIds, options } = draft;
  const common = { name: name.trim(), role, comment: comment.trim() || null };
  if (role === 'operator') {
    return {
      ...common,
      permissions: permissions && [...permissions],
      siteIds: siteIds && [...siteIds],
      customerId: 'remove',
    };
  }
  const { maxPermits, expireTime, permitWithoutEnd, permitSites, managesStaff } = options;
  return {
    ...common,
    customerId: customer?.id ?? 'remove',
    options: {
      maxPermits: maxPermits ?? null,
      expireTime: permitWithoutEnd ? null : (expireTime ?? null),
      permitWithoutEnd: permitWithoutEnd ?? null,
      permitSites: permitSites ?? null,
      'free-parking-time': options['free-parking-time'] ?? null,
      managesStaff: managesStaff ?? null,
    },
  };
}

export function AccountFields({
  draft,
  set,
}: {
  draft: AccountDraft;
  set: (changes: Partial<AccountDraft>) => void;
}) {
  return (
    <>
      <div className="row">
        <TextField
          label={ACCOUNT.name}
          name="name"
          value={draft.name}
          onChange={(name) => set({ name })}
          isRequired
          autoFocus
        />
        <ChoiceField
          label={ACCOUNT.role}
          value={draft.role}
          choices={ROLES.map((role) => [role, ACCOUNT.roles[role]])}
          onChange={(role) => set({ role })}
        />
      </div>
      {draft.role === 'operator' ? <Rights draft={draft} set={set} /> : <Limits draft={draft} set={set} />}
      <TextField
        label={ACCOUNT.comment}
        hint={ACCOUNT.commentHint}
        value={draft.comment}
        onChange={(comment) => set({ comment })}
      />
    </>
  );
}

interface PartProps {
  draft: AccountDraft;
  set: (changes: Partial<AccountDraft>) => void;
}

function Rights({ draft: { permissions, siteIds }, set }: PartProps) {
  return (
    <>
      <ChoiceField
        label={ACCOUNT.duty}
        hint={ACCOUNT.dutyHint}
        value={dutyOf(permissions) ?? OWN_CHOICE}
        choices={[
          ...DUTY_NAMES.map((duty) => [duty, ACCOUNT.duties[duty]] as const),
          [OWN_CHOICE, ACCOUNT.duties.own],
        ]}
        onChange={(chosen) => {
          const duty = DUTY_NAMES.find((one) => one === chosen);
          set({ permissions: duty === undefined ? (permissions ?? PERMISSIONS) : permissionsOf(duty) });
        }}
      />
      <Choices
        title={ACCOUNT.permissions}
        every={ACCOUNT.everything}
        choices={PERMISSIONS.map((one) => [one, ACCOUNT.permission[one]])}
        chosen={permissions}
        onChange={(chosen) =>
          set({ permissions: chosen && PERMISSIONS.filter((one) => chosen.includes(one)) })
        }
      />
      <SiteChoices sites={siteIds} onChange={(chosen) => set({ siteIds: chosen })} />
    </>
  );
}

function Limits({ draft: { role, customer, options }, set }: PartProps) {
  const setOption = (changes: AccountDraft['options']) => set({ options: { ...options, ...changes } });
  const { permitWithoutEnd = false, managesStaff = false } = options;
  return (
    <>
      <CustomerPicker
        label={ACCOUNT.customer}
        hint={ACCOUNT.customerHint}
        value={customer}
        onChange={(picked) => set({ customer: picked })}
      />
      {role !== 'whitelist' && (
        <CheckField
          label={ACCOUNT.managesStaff}
          isSelected={managesStaff}
          onChange={(on) => setOption({ managesStaff: on })}
        />
      )}
      <fieldset className="choices">
        <legend>{ACCOUNT.limits}</legend>
        <div className="row">
          <NumberField
            label={ACCOUNT.maxPermits}
            name="maxPermits"
            hint={ACCOUNT.usual({ value: USUAL_MAX_PERMITS })}
            minValue={0}
            value={options.maxPermits ?? Number.NaN}
            onChange={(value) => setOption(numberOption('maxPermits', value))}
          />
          <NumberField
            label={ACCOUNT.expireTime}
            name="expireTime"
            hint={ACCOUNT.usual({ value: USUAL_MINUTES })}
            minValue={1}
            isDisabled={permitWithoutEnd}
            value={options.expireTime ?? Number.NaN}
            onChange={(value) => setOption(numberOption('expireTime', value))}
          />
        </div>
        <NumberField
          label={ACCOUNT.parkingTime}
          hint={ACCOUNT.usual({ value: 0 })}
          minValue={0}
          value={options['free-parking-time'] ?? Number.NaN}
          onChange={(value) => setOption(numberOption('free-parking-time', value))}
        />
        <CheckField
          label={ACCOUNT.withoutEnd}
          isSelected={permitWithoutEnd}
          onChange={(on) => setOption({ permitWithoutEnd: on })}
        />
      </fieldset>
      <SiteChoices
        sites={options.permitSites ?? null}
        onChange={(chosen) => setOption({ permitSites: chosen === null ? undefined : [...chosen] })}
      />
    </>
  );
}

function numberOption(name: 'maxPermits' | 'expireTime' | 'free-parking-time', value: number) {
  return { [name]: Number.isNaN(value) ? undefined : value };
}

function SiteChoices({
  sites,
  onChange,
}: {
  sites: readonly string[] | null;
  onChange: (sites: readonly string[] | null) => void;
}) {
  const all = useSites();
  return (
    <Choices
      title={ACCOUNT.sites}
      every={ACCOUNT.everySite}
      choices={all.map(({ id, name }) => [id, name])}
      chosen={sites}
      onChange={onChange}
    />
  );
}

/** All of them, or some. */
function Choices({
  title,
  every,
  choices,
  chosen,
  onChange,
}: {
  title: string;
  every: string;
  choices: readonly (readonly [id: string, name: string])[];
  chosen: readonly string[] | null;
  onChange: (chosen: readonly string[] | null) => void;
}) {
  return (
    <fieldset className="choices">
      <legend>{title}</legend>
      <CheckField
        label={every}
        isSelected={chosen === null}
        onChange={(all) => onChange(all ? null : choices.map(([id]) => id))}
      />
      {chosen !== null && (
        <div className="choice-grid">
          {choices.map(([id, name]) => (
            <CheckField
              key={id}
              label={name}
              isSelected={chosen.includes(id)}
              onChange={(on) => onChange(on ? [...chosen, id] : chosen.filter((one) => one !== id))}
            />
          ))}
        </div>
      )}
    </fieldset>
  );
}
