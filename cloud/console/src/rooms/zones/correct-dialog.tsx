import { MAX_NOTE } from '@hlid/protocol/base/limits';
import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { NumberField } from '../../ui/number-field.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { zoneApi } from './zone-fields.ts';
import { WORDS } from './zone-words.ts';

/** Sets how many cars are inside a zone, as a person counted them. */
export function CorrectDialog({
  zone: { id, name, inside: before },
  onClose,
}: {
  zone: { id: string; name: string; inside: number };
  onClose: () => void;
}) {
  const toasts = useToasts();
  const [inside, setInside] = useState<number | null>(before);
  const [reason, setReason] = useState('');
  const send = (json: { inside: number; reason: string }, headers: Record<string, string>) =>
    read(zoneApi.zones[':id'].occupancy.$put({ param: { id }, json }, { headers }));
  const correct = useSubmit(send, {
    invalidates: [['zones']],
    onDone: () => {
      toasts.done(WORDS.corrected);
      onClose();
    },
  });
  return (
    <FormDialog
      title={WORDS.correctZone({ zone: name })}
      submit={WORDS.correctTo({ zone: name, cars: inside })}
      error={correct.error}
      isBusy={correct.isPending}
      isReady={inside !== null && reason.trim() !== ''}
      onSubmit={() => {
        if (inside !== null) correct.mutate({ inside, reason: reason.trim() });
      }}
      onClose={onClose}
    >
      <NumberField
        label={WORDS.found}
        value={inside ?? Number.NaN}
        minValue={0}
        autoFocus
        onChange={(found) => setInside(Number.isNaN(found) ? null : found)}
      />
      <TextField
        label={COMMON.reason}
        hint={WORDS.reasonHint}
        value={reason}
        isRequired
        maxLength={MAX_NOTE}
        onChange={setReason}
      />
    </FormDialog>
  );
}
