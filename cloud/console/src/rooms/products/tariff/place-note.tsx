import { createContext, useContext } from 'react';
import { useMistake } from '../../../ui/mistakes.tsx';

/** The warnings of a tariff, by the names of its places. */
export const WarningsContext = createContext<ReadonlyMap<string, string>>(new Map());

/** The mistakes of a part of the tariff that is no single field, and its warnings. */
export function PlaceNote({ place }: { place: string }) {
  const sentence = useMistake(place);
  return (
    <>
      {sentence !== undefined && (
        <p className="mistake" data-place={place} tabIndex={-1}>
          {sentence}
        </p>
      )}
      <WarningNote place={place} />
    </>
  );
}

/** The warning of a place. A field shows its own mistakes. */
export function WarningNote({ place }: { place: string }) {
  const warning = useContext(WarningsContext).get(place);
  if (warning === undefined) return null;
  return (
    <p className="caution-note" data-place={place} tabIndex={-1}>
      {warning}
    </p>
  );
}
