import { createContext, useContext } from 'react';
import { useMistake } from '../../../ui/mistakes.tsx';

/** What may not be meant in a tariff, by the names of its places. */
export const WarningsContext = createContext<ReadonlyMap<string, string>>(new Map());

/** What is wrong with a part of the tariff that is no single field, and what may not be meant there. */
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

/** What may not be meant at a place. A field shows its own mistakes. */
export function WarningNote({ place }: { place: string }) {
  const warning = useContext(WarningsContext).get(place);
  if (warning === undefined) return null;
  return (
    <p className="caution-note" data-place={place} tabIndex={-1}>
      {warning}
    </p>
  );
}
