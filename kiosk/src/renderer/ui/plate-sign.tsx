import { useKiosk } from '../kiosk-context.ts';

/** What stands for a character that the driver has not typed. */
const HIDDEN = /•+$/;

/** As much of a plate as the driver knows. */
export function knownPart(plate: string): string {
  return plate.replace(HIDDEN, '');
}

/** A plate as it looks on a car; none where the driver knows nothing of it yet, and there would be dots only. */
export function PlateSign({ plate, large = false }: { plate: string | null; large?: boolean }) {
  const { words } = useKiosk();
  const size = large ? 'large' : '';
  if (plate === null) return <span className={`plate unread ${size}`}>{words.noPlate}</span>;
  const known = knownPart(plate);
  if (known === '') return null;
  return (
    <span className={`plate ${size}`}>
      {known}
      {/* Nobody wants to hear of dots. */}
      <span aria-hidden="true">{plate.slice(known.length)}</span>
    </span>
  );
}
