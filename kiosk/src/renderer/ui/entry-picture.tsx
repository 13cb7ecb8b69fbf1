import type { KioskVisit } from '@hlid/protocol/pages/kiosk-api';
import { knownPart } from '@hlid/ui/plate-sign';
import { useState } from 'react';
import { useKiosk } from '../kiosk-context.ts';
import { pictureOf } from '../kiosk-edge.ts';
import { Icon } from './icon.tsx';

/** The picture of the car at the entrance, or a text that there is none. */
export function EntryPicture({ visit }: { visit: KioskVisit }) {
  const { words } = useKiosk();
  const [missing, setMissing] = useState(!visit.hasPicture);
  if (missing) {
    return (
      <span className="picture missing">
        <Icon name="picture" />
        {words.noPicture}
      </span>
    );
  }
  return (
    <img
      className="picture"
      src={pictureOf(visit.id)}
      alt={words.pictureOf({ plate: knownPart(visit.plate ?? '') || words.aCar })}
      draggable={false}
      onError={() => setMissing(true)}
    />
  );
}
