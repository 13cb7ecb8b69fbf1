import type { KioskVisit } from '@hlid/protocol/kiosk-api';
import { useKiosk } from '../kiosk-context.ts';
import { enteredText, lengthText } from '../site-clock.ts';
import { Button } from './button.tsx';
import { EntryPicture } from './entry-picture.tsx';
import { PlateSign } from './plate-sign.tsx';

/** A car that may be the driver's: by picture, plate, and when it came in. */
export function VisitCard({ visit, large = false }: { visit: KioskVisit; large?: boolean }) {
  const { words, site, dispatch } = useKiosk();
  const now = new Date();
  return (
    <Button className={`card ${large ? 'large' : ''}`} onPress={() => dispatch({ type: 'pick', visit })}>
      <EntryPicture visit={visit} />
      <span className="card-text">
        {!isHidden(visit.plate) && <PlateSign plate={visit.plate} />}
        <span className="card-when">{enteredText(visit.startedAt, now, site.timeZone, words)}</span>
        <span className="card-length">{words.stayed(lengthText(visit.startedAt, now, words))}</span>
      </span>
    </Button>
  );
}

/** Of a plate of which the driver knows nothing yet there are only dots. */
function isHidden(plate: string | null): boolean {
  return plate !== null && /^•*$/.test(plate);
}
