import type { BoardZone } from '@hlid/protocol/site-link/site-board';
import { groupedNumber } from '@hlid/protocol/words/lanes/lane-texts';
import type { ReactNode } from 'react';
import { useLaneWords } from './lane-words.tsx';
import './lanes.css';

/** Cars inside and places free, of a site and of each of its zones. @param actsOf a zone: the buttons beside it */
export function Occupancy({
  zones,
  actsOf,
}: {
  zones: readonly BoardZone[];
  actsOf?: (zone: BoardZone) => ReactNode;
}) {
  const { texts, language } = useLaneWords();
  return (
    <ul className="occupancy">
      {zones.map((zone) => (
        <li key={zone.id ?? ''}>
          <span>
            {zone.id !== null && <strong>{zone.name} </strong>}
            {texts.inside({ count: groupedNumber(zone.inside, language), cars: zone.inside })}
            {zone.free !== null && (
              <span className={zone.free === 0 ? 'caution-text' : undefined}>
                {' '}
                · {zone.free === 0 ? texts.full : texts.free({ places: groupedNumber(zone.free, language) })}
              </span>
            )}
          </span>
          {actsOf?.(zone)}
        </li>
      ))}
    </ul>
  );
}
