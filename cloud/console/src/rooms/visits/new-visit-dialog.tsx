import { useState } from 'react';
import { useSiteForNew, useSites, useTimeZone } from '../../shell/site.ts';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { MomentField } from '../../ui/moment-field.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { addVisit, VISIT_QUERIES } from './visit-api.ts';
import { ACT, VISIT } from './visit-words.ts';

/** A visit of a car that no camera read. */
export function NewVisitDialog({ onAdded, onClose }: { onAdded: () => void; onClose: () => void }) {
  const toasts = useToasts();
  const sites = useSites();
  const [siteId, setSiteId] = useSiteForNew();
  const timeZone = useTimeZone(siteId);
  const [plate, setPlate] = useState('');
  const [startedOn, setStartedOn] = useState<string | null>(() => new Date().toISOString());
  const [reason, setReason] = useState('');
  const add = useSubmit(addVisit, {
    invalidates: VISIT_QUERIES,
    onDone: (visit) => {
      onAdded();
      onClose();
      toasts.done(VISIT.added({ plate: visit.plate ?? '' }));
    },
  });
  return (
    <FormDialog
      title={VISIT.add}
      submit={VISIT.add}
      error={add.error}
      isBusy={add.isPending}
      isReady={plate.trim() !== '' && startedOn !== null && siteId !== ''}
      onSubmit={() => {
        if (startedOn === null) return;
        add.mutate({ plate, startedOn, siteId, ...(reason.trim() !== '' && { reason }) });
      }}
      onClose={onClose}
    >
      <TextField label={VISIT.plate} value={plate} onChange={setPlate} isRequired autoFocus />
      {sites.length > 1 && (
        <ChoiceField
          label={COMMON.site}
          value={siteId}
          choices={sites.map(({ id, name }) => [id, name] as const)}
          onChange={setSiteId}
        />
      )}
      <MomentField
        label={VISIT.started}
        value={startedOn}
        timeZone={timeZone}
        onChange={setStartedOn}
        isRequired
      />
      <TextField label={COMMON.reason} hint={ACT.reasonHint} value={reason} onChange={setReason} />
    </FormDialog>
  );
}
