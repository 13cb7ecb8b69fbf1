import { freePlaces } from '@hlid/protocol/records/free-places';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { read } from '../../calls/api.ts';
import { useShortcut } from '../../shell/shortcuts.tsx';
import { useTimeZone } from '../../shell/site.ts';
import { Button } from '../../ui/button.tsx';
import { DataTable } from '../../ui/data-table.tsx';
import { Details } from '../../ui/details.tsx';
import { QueryView } from '../../ui/query-view.tsx';
import { Moment } from '../../ui/time.tsx';
import { CorrectDialog } from './correct-dialog.tsx';
import { zoneApi } from './zone-fields.ts';
import { WORDS } from './zone-words.ts';

/** How full a zone is, and what people corrected. */
export function ZoneOccupancy({ id, name, siteId }: { id: string; name: string; siteId: string }) {
  const timeZone = useTimeZone(siteId);
  const [isCorrecting, setCorrecting] = useState(false);
  const param = { id };
  const query = useQuery({
    queryKey: ['zones', 'occupancy', id],
    queryFn: () => read(zoneApi.zones[':id'].occupancy.$get({ param })),
  });
  const inside = query.data?.inside ?? null;
  const mayCorrect = query.data?.actions.includes('correct') ?? false;
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
      {isCorrecting && inside !== null && (
        <CorrectDialog zone={{ id, name, inside }} onClose={() => setCorrecting(false)} />
      )}
    </section>
  );
}
