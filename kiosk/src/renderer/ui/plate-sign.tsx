import { useKiosk } from '../kiosk-context.ts';

/** A plate as it looks on a car. */
export function PlateSign({ plate, large = false }: { plate: string | null; large?: boolean }) {
  const { words } = useKiosk();
  const size = large ? 'large' : '';
  return plate === null ? (
    <span className={`plate unread ${size}`}>{words.noPlate}</span>
  ) : (
    <span className={`plate ${size}`}>{plate}</span>
  );
}
