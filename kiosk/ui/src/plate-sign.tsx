import './plate-sign.css';

/** The mark of a character that the driver has not typed. */
const HIDDEN = /•+$/;

/** The part of a plate that the driver knows. */
export function knownPart(plate: string): string {
  return plate.replace(HIDDEN, '');
}

interface PlateSignProps {
  plate: string | null;
  /** Two letters, on the band at the left. */
  country?: string | null | undefined;
  /** Places of the letters that the camera may have misread, and a text about it. */
  doubtful?: { places: readonly number[]; text: string } | undefined;
  large?: boolean;
  /** Shown where no plate was read. */
  unread?: string;
}

/**
 * A plate as it looks on a car; none while the driver has typed nothing of it, since it would be only dots.
 */
export function PlateSign({ plate, country, doubtful, large = false, unread }: PlateSignProps) {
  const size = large ? 'large' : '';
  if (plate === null) return <span className={`plate unread ${size}`}>{unread}</span>;
  const known = knownPart(plate);
  if (known === '') return null;
  const isDoubtful = doubtful !== undefined && doubtful.places.length > 0;
  return (
    <span className={`plate ${size}`} translate="no">
      {country && (
        <span className="plate-band" aria-hidden="true">
          {country}
        </span>
      )}
      <span className="plate-letters">
        {isDoubtful ? <DoubtfulLetters letters={known} places={doubtful.places} /> : known}
        {/* Screen readers must not read dots. */}
        <span aria-hidden="true">{plate.slice(known.length)}</span>
      </span>
      {isDoubtful && <span className="unseen"> {doubtful.text}</span>}
    </span>
  );
}

/** Letters with the doubtful ones underlined; read aloud as one word. */
function DoubtfulLetters({ letters, places }: { letters: string; places: readonly number[] }) {
  return (
    <>
      <span className="unseen">{letters}</span>
      <span aria-hidden="true">
        {[...letters].map((letter, place) =>
          // biome-ignore lint/suspicious/noArrayIndexKey: a letter has no name but its place.
          places.includes(place) ? <u key={place}>{letter}</u> : letter,
        )}
      </span>
    </>
  );
}
