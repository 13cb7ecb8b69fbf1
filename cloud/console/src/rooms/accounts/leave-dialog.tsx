import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { AccountPicker, type Picked } from '../../shell/pickers.tsx';
import { ChoiceField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Failed, Loading } from '../../ui/states.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { ACCOUNT_QUERIES, type Account, accountApi } from './account-api.ts';
import { ACCOUNT } from './account-words.ts';

const leaveApi = accountApi[':id'].leave;

/** A person leaves: what ends, and who keeps the permits. */
export function LeaveDialog({ account: { id, name }, onClose }: { account: Account; onClose: () => void }) {
  const toasts = useToasts();
  const [isPassing, setPassing] = useState(false);
  const [successor, setSuccessor] = useState<Picked | null>(null);
  const { data, error, refetch } = useQuery({
    queryKey: ['account', id, 'leave'],
    queryFn: () => read(leaveApi.$get({ param: { id } })),
  });
  const leave = useSubmit(
    (json: { permitsTo?: string }, headers) => read(leaveApi.$post({ param: { id }, json }, { headers })),
    {
      invalidates: ACCOUNT_QUERIES,
      onDone: () => {
        onClose();
        toasts.done(ACCOUNT.left({ name }));
      },
    },
  );
  const usual = data?.outcome === 'stay' ? 'stay' : 'end';
  return (
    <FormDialog
      title={ACCOUNT.leave({ name })}
      submit={ACCOUNT.leave({ name })}
      isFinal
      error={leave.error}
      isBusy={leave.isPending}
      isReady={data !== undefined && (!isPassing || successor !== null)}
      onSubmit={() => leave.mutate(isPassing && successor ? { permitsTo: successor.id } : {})}
      onClose={onClose}
    >
      <p>{ACCOUNT.leaveWhy}</p>
      {!data && (error ? <Failed error={error} retry={() => void refetch()} /> : <Loading />)}
      {data && (
        <>
          <p>{ACCOUNT.leaveTokens({ count: data.tokens })}</p>
          <p>{ACCOUNT.leavePermits({ count: data.permits })}</p>
        </>
      )}
      {data && data.permits > 0 && (
        <ChoiceField
          label={ACCOUNT.leaveOutcome}
          value={isPassing ? 'pass' : usual}
          choices={[
            [usual, ACCOUNT.leaveOutcomes[usual]],
            ['pass', ACCOUNT.leaveOutcomes.pass],
          ]}
          onChange={(outcome) => setPassing(outcome === 'pass')}
        />
      )}
      {isPassing && (
        <AccountPicker
          label={ACCOUNT.leaveTo}
          hint={ACCOUNT.leaveToHint}
          value={successor}
          onChange={setSuccessor}
        />
      )}
    </FormDialog>
  );
}
