import { useMistake } from '../../../ui/mistakes.tsx';

/** What is wrong with a part of the tariff that is no single field. */
export function PlaceNote({ place }: { place: string }) {
  const sentence = useMistake(place);
  if (sentence === undefined) return null;
  return (
    <p className="mistake" role="status">
      {sentence}
    </p>
  );
}
