import type { Sighting } from './camera.ts';
import { type Misreading, misread, newPlate } from './plates.ts';
import type { SeededRandom } from './seeded-random.ts';

/** A `pays-first` car stays until it is paid for at the kiosk, and then leaves. */
export type CarKind = 'permit' | 'regular' | 'visitor' | 'turns-round' | 'pays-first';

/** A manager's name for the journey of a car without a customer. */
const JOURNEYS: Record<CarKind, string> = {
  permit: 'permit holder',
  regular: 'regular',
  visitor: 'visitor',
  'turns-round': 'turns round',
  'pays-first': 'pays at kiosk',
};

/** The kind of journey that a car makes, in a word or two. */
export function journeyOf({ plate, kind }: Pick<Car, 'plate' | 'kind'>, { journeys }: KnownCars): string {
  return journeys.get(plate) ?? JOURNEYS[kind];
}

/** A car, as it really is. */
export interface Car {
  plate: string;
  kind: CarKind;
  /** The time at which its driver leaves, in milliseconds since 1970. */
  leavesAt: number;
  /** How often it was refused at an exit. */
  refused: number;
}

/** How long cars stay. */
export interface Stays {
  permitMs: readonly [number, number];
  visitorMs: readonly [number, number];
  turnRoundMs: readonly [number, number];
  /** The time after which a car that waits for a payment at the kiosk gives up, and pays at an exit. */
  kioskPatienceMs: readonly [number, number];
}

const PERMIT_SHARE = 0.3;
const REGULAR_SHARE = 0.3;
const TURN_ROUND_SHARE = 0.08;
const PAYS_FIRST_SHARE = 0.5;

/** Cars that come again and again. */
export interface KnownCars {
  permitPlates: readonly string[];
  /** Other cars that are known: a company's, trucks. */
  regularPlates: readonly string[];
  /** The regular cars that pay for themselves: without an invoice or prepayment. */
  payingPlates: readonly string[];
  /** The regular cars that pay by a stored card at the exit. */
  cardPlates: readonly string[];
  /** A manager's name for each car's journeys, by plate. */
  journeys: ReadonlyMap<string, string>;
}

/**
 * The next car to arrive: a known one that is not inside, or a new one.
 *
 * @param wantsPayer fewer drivers pay at the kiosk than should
 */
export function nextCar(
  random: SeededRandom,
  { permitPlates, regularPlates }: KnownCars,
  inside: ReadonlySet<string>,
  wantsPayer: boolean,
): { plate: string; kind: CarKind } {
  const unknown = () => newPlateBeside([...permitPlates, ...regularPlates, ...inside], random);
  if (wantsPayer && random.chance(PAYS_FIRST_SHARE)) return { plate: unknown(), kind: 'pays-first' };
  const chance = random.next();
  if (chance < PERMIT_SHARE + REGULAR_SHARE) {
    const kind = chance < PERMIT_SHARE ? 'permit' : 'regular';
    const plates = kind === 'permit' ? permitPlates : regularPlates;
    const [first, ...rest] = plates.filter((plate) => !inside.has(plate));
    if (first !== undefined) return { plate: random.pick([first, ...rest]), kind };
  }
  return { plate: unknown(), kind: random.chance(TURN_ROUND_SHARE) ? 'turns-round' : 'visitor' };
}

function newPlateBeside(known: readonly string[], random: SeededRandom): string {
  let plate = newPlate(random);
  while (known.includes(plate)) plate = newPlate(random);
  return plate;
}

/** The time at which a car that enters now leaves. */
export function leavingTime(kind: CarKind, stays: Stays, now: number, random: SeededRandom): number {
  const spans = {
    permit: stays.permitMs,
    regular: stays.visitorMs,
    visitor: stays.visitorMs,
    'turns-round': stays.turnRoundMs,
    'pays-first': stays.kioskPatienceMs,
  };
  const [shortest, longest] = spans[kind];
  return now + random.between(shortest, longest);
}

/** A camera's view of a car. */
export interface View {
  sighting: Omit<Sighting, 'at'>;
  /** A second look may help: the first was poor. */
  poor: boolean;
}

/** The share of cars that are misread, and the kind of misreading. */
const MISREADINGS: readonly { how: Misreading; share: number; score: readonly [number, number] }[] = [
  { how: 'confusable', share: 0.04, score: [78, 92] },
  { how: 'lost-last', share: 0.02, score: [72, 86] },
  { how: 'unreadable', share: 0.01, score: [0, 0] },
  { how: 'none', share: 0.02, score: [42, 66] },
];
const GOOD_SCORE = [87, 98] as const;

/** One read of a plate, with the mistakes that cameras make. */
export function viewAt(plate: string, random: SeededRandom): View {
  let left = random.next();
  for (const { how, share, score } of MISREADINGS) {
    left -= share;
    if (left < 0)
      return view(plate, misread(plate, how, random), random.between(score[0], score[1]) / 100, true);
  }
  return clearView(plate, random);
}

/** A look without a mistake. */
export function clearView(plate: string, random: SeededRandom): View {
  return view(plate, plate, random.between(GOOD_SCORE[0], GOOD_SCORE[1]) / 100, false);
}

function view(plate: string, read: string | null, score: number, poor: boolean): View {
  const alternatives = read !== null && read !== plate ? [{ plate, score: score - 0.06 }] : [];
  return { sighting: { plate: read, carPlate: plate, score, alternatives }, poor };
}
