import { expect, it } from 'vitest';
import { MAP, placeSites } from './site-places.ts';

const REYKJAVIK = { latitude: 64.147, longitude: -21.942 };
const AKUREYRI = { latitude: 65.683, longitude: -18.1 };
const KEFLAVIK = { latitude: 63.985, longitude: -22.605 };

it('places sites north up, west to the left, within the margins', () => {
  const { places } = placeSites([REYKJAVIK, AKUREYRI, KEFLAVIK]);
  const [reykjavik, akureyri, keflavik] = places;
  if (!reykjavik || !akureyri || !keflavik) throw new Error('not all are placed');
  expect(akureyri.y).toBeLessThan(reykjavik.y);
  expect(keflavik.y).toBeGreaterThan(reykjavik.y);
  expect(keflavik.x).toBeLessThan(reykjavik.x);
  for (const { x, y } of places) {
    expect(x).toBeGreaterThanOrEqual(MAP.margin - 1e-9);
    expect(x).toBeLessThanOrEqual(MAP.width - MAP.margin + 1e-9);
    expect(y).toBeGreaterThanOrEqual(MAP.margin - 1e-9);
    expect(y).toBeLessThanOrEqual(MAP.height - MAP.margin + 1e-9);
  }
});

it('draws distances to scale in both directions', () => {
  const { places, scale } = placeSites([REYKJAVIK, AKUREYRI]);
  const [one, other] = places;
  if (!one || !other) throw new Error('not all are placed');
  const meters = (Math.hypot(one.x - other.x, one.y - other.y) / scale.width) * scale.meters;
  // The distance in a straight line is 248 km.
  expect(meters / 1000).toBeGreaterThan(240);
  expect(meters / 1000).toBeLessThan(256);
});

it('keeps sites on both sides of the date line together, and one alone in the middle', () => {
  const [suva, samoa] = placeSites([
    { latitude: -18.1, longitude: 178.4 },
    { latitude: -13.8, longitude: -171.8 },
  ]).places;
  expect(suva?.x).toBeLessThan(samoa?.x ?? 0);
  expect(placeSites([REYKJAVIK]).places).toEqual([{ x: MAP.width / 2, y: MAP.height / 2 }]);
});
