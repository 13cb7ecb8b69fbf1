import type { accountRoutes } from '@hlid/cloud/people/accounts/account-routes';
import type { customerRoutes } from '@hlid/cloud/people/customer-routes/customer-routes';
import { Select } from '@hlid/ui/select';
import { apiOf, read } from '../calls/api.ts';
import { COMMON } from '../words/common.ts';
import { wordsOf } from '../words/words.ts';

const WORDS = wordsOf('pickers');

/** The chosen record, with its name. */
export interface Picked {
  id: string;
  name: string;
}

interface Props {
  label: string;
  hint?: string;
  value: Picked | null;
  onChange: (picked: Picked | null) => void;
}

const accountApi = apiOf<typeof accountRoutes>();
const customerApi = apiOf<typeof customerRoutes>();

async function findAccounts(text: string) {
  const query = { status: 'active' as const, order: 'name' as const, ...(text && { name: text }) };
  const { data } = await read(accountApi.accounts.$get({ query }));
  return data.map(({ id, name }) => ({ value: id, text: name }));
}

async function findCustomers(text: string) {
  const { data } = await read(customerApi.customers.$get({ query: text ? { name: text } : {} }));
  return data.map(({ id, name, ssn }) => ({ value: id, text: name ?? ssn ?? id }));
}

export function AccountPicker(props: Props) {
  return <Picker {...props} load={findAccounts} />;
}

export function CustomerPicker(props: Props) {
  return <Picker {...props} load={findCustomers} />;
}

function Picker({
  label,
  hint,
  value,
  onChange,
  load,
}: Props & { load: (text: string) => Promise<{ value: string; text: string }[]> }) {
  const words = { label: WORDS.search, loading: COMMON.loading, none: WORDS.nothing, failed: WORDS.failed };
  return (
    <Select
      label={label}
      {...(hint !== undefined && { hint })}
      placeholder={WORDS.choose}
      options={value === null ? [] : [{ value: value.id, text: value.name }]}
      values={value === null ? [] : [value.id]}
      search={{ load, words }}
      onChange={([id], options) => {
        const chosen = options.find((one) => one.value === id);
        onChange(chosen ? { id: chosen.value, name: chosen.text } : null);
      }}
    />
  );
}
