import type { FileKind } from '@hlid/protocol/base/books-files';
import { useState } from 'react';
import { read } from '../../../calls/api.ts';
import { useSiteId, useSites } from '../../../shell/site.ts';
import { ChoiceField, TextField } from '../../../ui/field.tsx';
import { FormDialog } from '../../../ui/form-dialog.tsx';
import { useSubmit } from '../../../ui/use-submit.ts';
import { MONEY } from '../money-words.ts';
import { accountApi, FILE, FILE_QUERIES } from './file-calls.ts';

/**
 * Assigns an account with a provider or at a bank to a site.
 *
 * @param reference as a file names it; null: a person types it
 */
export function AddAccount({
  kind,
  reference,
  onAdded,
  onClose,
}: {
  kind: FileKind;
  reference: string | null;
  onAdded: (reference: string) => void;
  onClose: () => void;
}) {
  const sites = useSites();
  const [typed, setTyped] = useState(reference ?? '');
  const [name, setName] = useState(reference ?? '');
  const [siteId, setSiteId] = useState(useSiteId() ?? '');
  const add = useSubmit(
    (given: { reference: string; name: string; siteId: string }, headers) => {
      const json = { ...given, kind, siteId: given.siteId === '' ? null : given.siteId };
      return read(accountApi['money-accounts'].$post({ json }, { headers }));
    },
    { invalidates: FILE_QUERIES, onDone: (_account, given) => onAdded(given.reference) },
  );
  return (
    <FormDialog
      title={reference === null ? FILE.newAccount : FILE.addTitle({ reference })}
      submit={FILE.add}
      error={add.error}
      isBusy={add.isPending}
      isReady={name.trim() !== '' && typed.trim() !== ''}
      onSubmit={() => add.mutate({ reference: typed, name, siteId })}
      onClose={onClose}
    >
      {reference === null && (
        <TextField
          label={FILE.accountNumber}
          hint={FILE.accountNumberHint}
          name="reference"
          value={typed}
          isRequired
          onChange={setTyped}
        />
      )}
      <TextField label={FILE.name} name="name" value={name} isRequired onChange={setName} />
      <ChoiceField
        label={MONEY.site}
        name="siteId"
        value={siteId}
        choices={[['', FILE.ofSeveral] as const, ...sites.map((site) => [site.id, site.name] as const)]}
        onChange={setSiteId}
      />
    </FormDialog>
  );
}
