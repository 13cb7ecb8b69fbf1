import { freePlaces } from '@hlid/protocol/records/free-places';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { may, useSession } from '../../shell/session.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { NumberField, TextField } from '../../ui/field.tsx';
import { FormDialog } from '../../ui/form-dialog.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Moment } from '../../ui/time.tsx';
import { useToasts } from '../../ui/toasts.tsx';
import { useSubmit } from '../../ui/use-submit.ts';
import { zoneApi } from './zone-fields.ts';
import { WORDS } from './zone-words.ts';

/** How full a zone is, and what people corrected. */
export function ZoneOccupancy({ id, siteId }: { id: string; siteId: string }) {
  const session = useSession();
  const timeZone = useTimeZone(siteId);
  const [isCorrecting, setCorrecting] = useState(false);
  const param = { id };
  const query = useQuery({
    queryKey: ['zones', 'occupancy', id],
    queryFn: () => read(zoneApi.zones[':id'].occupancy.$get({ param })),
  });
  const inside = query.data?.inside ?? null;
  const mayCorrect = may(session, 'lanes') && inside !== null;
  useShortcut('c', WORDS.correct, mayCorrect ? () => setCorrecting(true) : null);
  return (
    <section className="card form">
      <h2>{WORDS.occupancy}</h2>
      <QueryView query={query}>
        {({ capacity, counted, corrections }) => (
          <>
            {inside === null ? (
              <p>{WORDS.unknown}</p>
            ) : (
              <Details
                rows={[
                  [WORDS.inside, String(inside)],
                  [WORDS.free, freePlaces(capacity, inside)],
                  [WORDS.counted, counted === inside ? null : counted],
                ]}
              />
            )}
            {mayCorrect && (
              <span className="row-acts">
                <Button onPress={() => setCorrecting(true)}>{WORDS.correct}</Button>
              </span>
            )}
            {corrections.length > 0 && (
              <DataTable
                label={WORDS.corrections}
                rows={corrections}
                idOf={({ on }) => on}
                columns={[
                  {
                    id: 'on',
                    title: WORDS.when,
                    cell: ({ on }) => <Moment at={on} timeZone={timeZone} />,
                  },
                  { id: 'from', title: WORDS.from, isNumber: true, cell: (one) => one.insideBefore },
                  { id: 'to', title: WORDS.to, isNumber: true, cell: (one) => one.inside },
                  { id: 'reason', title: WORDS.reason, isWide: true, cell: ({ reason }) => reason },
                ]}
              />
            )}
          </>
        )}
      </QueryView>
      {isCorrecting && <CorrectDialog id={id} before={inside ?? 0} onClose={() => setCorrecting(false)} />}
    </section>
  );
}

function CorrectDialog({ id, before, onClose }: { id: string; before: number; onClose: () => void }) {
  const toasts = useToasts();
  const [inside, setInside] = useState<number | null>(before);
  const [reason, setReason] = useState('');
  const send = (json: { inside: number; reason: string }, headers: Record<string, string>) =>
    read(zoneApi.zones[':id'].occupancy.$put({ param: { id }, json }, { headers }));
  const correct = useSubmit(send, {
    old: [['zones']],
    onDone: () => {
      toasts.done(WORDS.corrected);
      onClose();
    },
  });
  return (
    <FormDialog
      title={WORDS.occupancy}
      submit={WORDS.correctTo(inside)}
      error={correct.error}
      isBusy={correct.isPending}
      isReady={inside !== null && reason.trim() !== ''}
      onSubmit={() => {
        if (inside !== null) correct.mutate({ inside, reason });
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
        label={WORDS.reason}
        hint={WORDS.reasonHint}
        value={reason}
        isRequired
        onChange={setReason}
      />
    </FormDialog>
  );
}
