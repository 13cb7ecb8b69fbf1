import type { KioskVisit } from '@hlid/protocol/pages/kiosk-api';
import { lengthText } from '@hlid/protocol/words/length-text';
import { PlateSign } from '@hlid/ui/plate-sign';
import { useKiosk } from '../kiosk-context.ts';
import { shortEnteredText } from '../site-clock.ts';
import { Button } from './button.tsx';
import { EntryPicture } from './entry-picture.tsx';

/** A car that may be the driver's: by picture, plate, and when it came in. */
export function VisitCard({ visit }: { visit: KioskVisit }) {
  const { dispatch } = useKiosk();
  return (
    <Button className="card" onPress={() => dispatch({ type: 'pick', visit })}>
      <VisitFacts visit={visit} />
    </Button>
  );
}

export function VisitFacts({ visit }: { visit: KioskVisit }) {
  const { words, language, site } = useKiosk();
  const now = new Date();
  return (
    <>
      <EntryPicture visit={visit} />
      <span className="card-text">
        <PlateSign plate={visit.plate} unread={words.noPlate} />
        <span className="card-when">
          <span className="came-in">{words.cameIn} </span>
          {shortEnteredText(visit.startedAt, now, site.timeZone, language)}
        </span>
        <span className="card-length">{words.stayed(lengthText(visit.startedAt, now, words.duration))}</span>
      </span>
    </>
  );
}
