import type { BoardZone } from '@hlid/protocol/site-link/site-board';
import { Occupancy } from '@hlid/ui/lanes/occupancy';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { CorrectDialog } from '../zones/correct-dialog.tsx';
import { WORDS } from './now-words.ts';

/** Cars inside and places free; the count of a zone can be corrected. */
export function OccupancyLine({ zones }: { zones: readonly BoardZone[] }) {
  const [corrected, setCorrected] = useState<(BoardZone & { id: string }) | null>(null);
  return (
    <>
      <Occupancy
        zones={zones}
        actsOf={({ id, ...zone }) =>
          id !== null && (
            <IconButton
              label={WORDS.correct({ zone: zone.name })}
              onPress={() => setCorrected({ ...zone, id })}
            >
              <Pencil size={14} />
            </IconButton>
          )
        }
      />
      {corrected && <CorrectDialog zone={corrected} onClose={() => setCorrected(null)} />}
    </>
  );
}
