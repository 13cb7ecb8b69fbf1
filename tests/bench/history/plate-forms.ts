import { foldPlate } from '@hlid/protocol/plate/plate';

/** A camera names some plates beside the best. */
export function candidatesOf(plate: string) {
  return [
    { plate, score: 0.95 },
    { plate: misreadOf(plate), score: 0.42 },
    { plate: `V${plate.slice(1)}`, score: 0.17 },
  ];
}

/** The plate as a camera reads it with mud on the last character. */
export function misreadOf(plate: string): string {
  return `${plate.slice(0, -1)}H`;
}

/** All forms in which a visit's rows have its plate. */
export function formsOf(plate: string): string[] {
  const plates = [plate, misreadOf(plate)].flatMap((read) => [read, `V${read.slice(1)}`]);
  return [...plates, ...plates.map(foldPlate)];
}
