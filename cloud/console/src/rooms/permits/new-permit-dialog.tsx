import { useState } from 'react';
import type { Picked } from '../../shell/pickers.tsx';
import { isOperator, useSession } from '../../shell/session.ts';
import { useSiteId } from '../../shell/site.ts';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useReload, useSubmit } from '../../ui/use-submit.ts';
import { addPermit, changePermit, type NewPermit, PERMIT_QUERIES } from './permit-api.ts';
import { isComplete, type PermitDraft, PermitFields } from './permit-form.tsx';
import { PERMIT } from './permit-words.ts';

export function NewPermitDialog({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const toasts = useToasts();
  const reload = useReload();
  const session = useSession();
  const [owner, setOwner] = useState<Picked | null>(null);
  const first = session.siteIds?.[0] ?? session.account.options.permitSites?.[0] ?? null;
  const shown = useSiteId();
  const [draft, setDraft] = useState<PermitDraft>({
    plate: '',
    reason: '',
    objectType: 'allow',
    siteId: shown ?? first,
    activeFrom: null,
    expireOn: null,
    rules: [],
    collection: null,
  });
  const add = useSubmit((json: NewPermit, headers) => addPermit(json, headers), {
    invalidates: PERMIT_QUERIES,
    onDone: ({ id, plate }) => {
      onAdded();
      onClose();
      toasts.done(PERMIT.added({ plate }), async () => {
        await changePermit(id, { status: 'deleted' });
        reload(PERMIT_QUERIES);
      });
    },
  });
  const submit = () => {
    const { expireOn, ...rest } = draft;
    // Without an end, an account other than an operator's gets the longest permit that it may have.
    const end = expireOn !== null || isOperator(session) ? { expireOn } : {};
    add.mutate({
      ...rest,
      ...end,
      ...(expireOn !== null && { type: 'time' as const }),
      ...(owner && { authorId: owner.id }),
    });
  };
  return (
    <FormDialog
      title={PERMIT.add}
      submit={PERMIT.addSubmit({ plate: draft.plate.trim().toUpperCase() })}
      error={add.error}
      isBusy={add.isPending}
      isReady={isComplete(draft)}
      onSubmit={submit}
      onClose={onClose}
    >
      <PermitFields
        draft={draft}
        onChange={(changes) => setDraft({ ...draft, ...changes })}
        owner={{ value: owner, onChange: setOwner }}
      />
    </FormDialog>
  );
}
