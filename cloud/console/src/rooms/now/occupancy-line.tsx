import type { BoardZone } from '@hlid/protocol/site-link/site-board';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { CorrectDialog } from '../zones/correct-dialog.tsx';
import { WORDS } from './now-words.ts';

/** Cars inside and places free, of the site and of each of its zones; a zone's count can be corrected. */
export function OccupancyLine({ zones }: { zones: readonly BoardZone[] }) {
  const [corrected, setCorrected] = useState<(BoardZone & { id: string }) | null>(null);
  return (
    <ul className="occupancy">
      {zones.map((zone) => (
        <li key={zone.id ?? ''}>
          {zone.id !== null && <strong>{zone.name}</strong>} {WORDS.inside({ cars: zone.inside })}
          {zone.free !== null && (
            <span className={zone.free === 0 ? 'caution-text' : undefined}>
              {' '}
              · {WORDS.free({ places: zone.free })}
            </span>
          )}
          {zone.id !== null && (
            <IconButton
              label={WORDS.correct({ zone: zone.name })}
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
