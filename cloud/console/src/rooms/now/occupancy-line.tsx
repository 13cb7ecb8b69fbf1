import type { zoneRoutes } from '@hlid/cloud/sites/zones/zone-routes';
import { MAX_NOTE } from '@hlid/protocol/base/limits';
import type { BoardZone } from '@hlid/protocol/site-link/site-board';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { apiOf, read } from '../../calls/api.ts';
import { IconButton } from '../../ui/button.tsx';
import { NumberField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { COMMON } from '../../words/common.ts';
import { WORDS } from './now-words.ts';

const api = apiOf<typeof zoneRoutes>();

/** Cars inside and places free, of the site and of each of its zones; a zone's count can be corrected. */
export function OccupancyLine({ zones }: { zones: readonly BoardZone[] }) {
  const [corrected, setCorrected] = useState<(BoardZone & { id: string }) | null>(null);
  return (
    <ul className="occupancy">
      {zones.map((zone) => (
        <li key={zone.id ?? ''}>
          {zone.id !== null && <strong>{zone.name}</strong>} {WORDS.inside(zone.inside)}
          {zone.free !== null && (
            <span className={zone.free === 0 ? 'caution-text' : undefined}> · {WORDS.free(zone.free)}</span>
          )}
          {zone.id !== null && (
            <IconButton
              label={WORDS.correct(zone.name)}
              onPress={() => setCorrected({ ...zone, id: zone.id ?? '' })}
            >
              <Pencil size={14} />
            </IconButton>
          )}
        </li>
      ))}
      {corrected && <CorrectDialog zone={corrected} onClose={() => setCorrected(null)} />}
    </ul>
  );
}

function CorrectDialog({
  zone: { id, name, inside: before },
  onClose,
}: {
  zone: BoardZone & { id: string };
  onClose: () => void;
}) {
  const toasts = useToasts();
  const [inside, setInside] = useState<number | null>(before);
  const [reason, setReason] = useState('');
  const correct = useSubmit(
    (json: { inside: number; reason: string }, headers) =>
      read(api.zones[':id'].occupancy.$put({ param: { id }, json }, { headers })),
    {
      old: [['zones']],
      onDone: () => {
        toasts.done(WORDS.corrected);
        onClose();
      },
    },
  );
  return (
    <FormDialog
      title={WORDS.correct(name)}
      submit={WORDS.correctTo(name, inside)}
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
