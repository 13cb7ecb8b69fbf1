import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useGo } from '../../shell/room-address.ts';
import { useTimeZones } from '../../shell/site.ts';
import { ChoiceField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { Loading } from '../../ui/states.tsx';
import { wallText } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { type JoinableVisit, joinVisits, readJoinable, VISIT_QUERIES, type Visit } from './visit-api.ts';
import { plateText } from './visit-shown.tsx';
import { ACT, VISIT } from './visit-words.ts';

/** One visit of two that were one stay: this one, and one of those with which the cloud joins it. */
export function JoinDialog({ visit, onClose }: { visit: Visit; onClose: () => void }) {
  const { id, siteId, plate } = visit;
  const go = useGo();
  const toasts = useToasts();
  const timeZone = useTimeZones()(siteId);
  const { data } = useQuery({ queryKey: ['visits', 'joinable', id], queryFn: () => readJoinable(id) });
  const others = data?.data ?? [];
  const [chosen, setChosen] = useState('');
  const [right, setRight] = useState(plate ?? '');
  const [reason, setReason] = useState('');
  const other = others.find((one) => one.id === chosen) ?? others[0];
  // If one of them was not read, the joined visit has the plate of the other.
  const plates = [plate, other?.plate ?? null].filter((one) => one !== null);
  const arePlatesOther = plates.length > 1 && plates[0] !== plates[1];
  const join = useSubmit(
    (json: { visitId: string; reason: string; plate?: string }, headers) => joinVisits(id, json, headers),
    {
      invalidates: VISIT_QUERIES,
      onDone: (kept) => {
        onClose();
        toasts.done(ACT.done.joined);
        if (kept.id !== id) go(`visits/${kept.id}`);
      },
    },
  );
  const textOf = (one: JoinableVisit) => {
    const until = one.endedOn === null ? VISIT.inside : wallText(one.endedOn, timeZone);
    return `${plateText(one)}: ${wallText(one.startedOn, timeZone)} – ${until}`;
  };
  return (
    <FormDialog
      title={ACT.join}
      submit={ACT.joinSubmit}
      error={join.error}
      isBusy={join.isPending}
      isReady={other !== undefined && reason.trim() !== ''}
      isFinal
      onSubmit={() => {
        if (other === undefined) return;
        join.mutate({ visitId: other.id, reason, ...(arePlatesOther && { plate: right }) });
      }}
      onClose={onClose}
    >
      <p className="hint">{ACT.joinHint}</p>
      {data === undefined && <Loading lines={1} />}
      {data !== undefined && other === undefined && <p>{ACT.joinNone}</p>}
      {other !== undefined && (
        <ChoiceField
          label={ACT.joinWith}
          value={other.id}
          choices={others.map((one) => [one.id, textOf(one)] as const)}
          onChange={setChosen}
        />
      )}
      {arePlatesOther && (
        <ChoiceField
          label={ACT.joinPlate}
          value={right}
          choices={plates.map((one) => [one, one] as const)}
          onChange={setRight}
        />
      )}
      <TextField label={COMMON.reason} value={reason} onChange={setReason} isRequired />
    </FormDialog>
  );
}
