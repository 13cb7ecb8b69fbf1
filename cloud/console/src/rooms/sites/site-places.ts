/** A place on the earth, in degrees. */
export interface Coordinates {
  latitude: number;
  longitude: number;
}

/** A place on the map, from its left upper corner. */
interface MapPlace {
  x: number;
  y: number;
}

export interface PlacedSites {
  places: MapPlace[];
  /** A length in whole kilometres, or less, and how wide it is drawn. */
  scale: { meters: number; width: number };
}

export const MAP = { width: 640, height: 400, margin: 40 };
/** Sites of one street are drawn beside each other, and not a few metres as the whole map. */
const MIN_SPAN_METERS = 500;
const METERS_PER_DEGREE = 111_320;
const MAX_SCALE_WIDTH = 160;

/**
 * Places sites by their coordinates, north up: a degree of longitude is as long as it is at their middle latitude. Sites on
 * both sides of the date line stay together.
 */
export function placeSites(sites: readonly Coordinates[]): PlacedSites {
  const longitudes = unwrapped(sites.map(({ longitude }) => longitude));
  const latitudes = sites.map(({ latitude }) => latitude);
  const middle = { x: middleOf(longitudes), y: middleOf(latitudes) };
  const shrink = Math.max(0.05, Math.cos((middle.y * Math.PI) / 180));
  const meters = sites.map((_, at) => ({
    x: ((longitudes[at] ?? 0) - middle.x) * METERS_PER_DEGREE * shrink,
    y: (middle.y - (latitudes[at] ?? 0)) * METERS_PER_DEGREE,
  }));
  const span = (of: (place: MapPlace) => number) =>
    Math.max(MIN_SPAN_METERS, 2 * Math.max(0, ...meters.map((place) => Math.abs(of(place)))));
  const { width, height, margin } = MAP;
  const perMeter = Math.min(
    (width - 2 * margin) / span(({ x }) => x),
    (height - 2 * margin) / span(({ y }) => y),
  );
  const round = roundLength(MAX_SCALE_WIDTH / perMeter);
  return {
    places: meters.map(({ x, y }) => ({ x: width / 2 + x * perMeter, y: height / 2 + y * perMeter })),
    scale: { meters: round, width: round * perMeter },
  };
}

/** Longitudes without the jump at the date line, where that makes them closer. */
function unwrapped(longitudes: readonly number[]): number[] {
  const east = longitudes.map((one) => (one < 0 ? one + 360 : one));
  return spread(east) < spread(longitudes) ? east : [...longitudes];
}

function spread(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : Math.max(...numbers) - Math.min(...numbers);
}

function middleOf(numbers: readonly number[]): number {
  return numbers.length === 0 ? 0 : (Math.max(...numbers) + Math.min(...numbers)) / 2;
}

/** The longest of 1, 2 or 5 with zeroes that is not longer. */
function roundLength(meters: number): number {
  const unit = 10 ** Math.floor(Math.log10(meters));
  const times = [5, 2, 1].find((one) => one * unit <= meters) ?? 1;
  return times * unit;
}
