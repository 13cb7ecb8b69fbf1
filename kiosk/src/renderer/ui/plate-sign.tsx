import { useKiosk } from '../kiosk-context.ts';

/** A plate as it looks on a car; none where the driver knows nothing of it yet, and there would be dots only. */
export function PlateSign({ plate, large = false }: { plate: string | null; large?: boolean }) {
  const { words } = useKiosk();
  const size = large ? 'large' : '';
  if (plate !== null && /^•*$/.test(plate)) return null;
  return plate === null ? (
    <span className={`plate unread ${size}`}>{words.noPlate}</span>
  ) : (
    <span className={`plate ${size}`}>{plate}</span>
  );
}
