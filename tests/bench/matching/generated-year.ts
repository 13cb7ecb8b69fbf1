import type { SeenCar } from '@hlid/cloud/stays/matching/seen-car';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { Draws } from './draws.ts';
import { QUALITIES, type Quality, readCar } from './read-errors.ts';

/** A car as it truly is. */
export interface TrueCar {
  plate: string;
  make: string;
  colour: string;
}

/** A read at a lane, with the stay that it truly belongs to. */
export interface GeneratedRead {
  side: 'entry' | 'exit';
  stay: number;
  seen: SeenCar;
}

export interface GeneratedSite {
  name: string;
  quality: Quality;
  /** They are in the order of their time. */
  reads: GeneratedRead[];
  /** The stays of which both ends were read. */
  whole: number;
}

const YEAR_FROM = Date.parse('2025-01-01T00:00:00Z');
const YEAR_DAYS = 365;
/** Four of the ten have good cameras, and three poor ones. */
const SITES: readonly Quality[] = [
  'good',
  'good',
  'good',
  'good',
  'fair',
  'fair',
  'fair',
  'poor',
  'poor',
  'poor',
];
const CARS_PER_STAY = 0.3;
/** The share of the stays that the regulars of a site have, who come more than once a week. */
const REGULAR_SHARE = 0.35;
const REGULARS = 100;
/** The share of cars that were registered one after another, such as those of a hire company. */
const FLEET_SHARE = 0.15;
const FLEET_SIZE = 12;
/** Cars that share a plate with another one: one of the two is copied. */
const COPIED_PLATES = 20;
const LETTERS = 'ABDEFGHIJKLMNOPRSTUVXYZ';
const MAKES = [
  'Toyota',
  'Kia',
  'Hyundai',
  'Tesla',
  'Dacia',
  'Suzuki',
  'Nissan',
  'Skoda',
  'Volvo',
  'BMW',
  'Ford',
  'Mazda',
];
const COLOURS = ['white', 'grey', 'black', 'silver', 'blue', 'red', 'green', 'brown'];
const MEDIAN_MINUTES = 70;
const SPREAD = 1.25;
/** A car in a queue is read once more. */
const TWICE = 0.01;
const OUTAGE_DAYS = 2;
/** How far the clock of a camera is wrong for a day. */
const CLOCK_STEP_MS = 80_000;

/** A year of ten car parks of a city, of which the truth is known. */
export function generateYear(stays: number, seed: number): GeneratedSite[] {
  const draws = new Draws(seed);
  const cars = carsOf(Math.round(stays * CARS_PER_STAY), draws);
  return SITES.map((quality, place) =>
    generateSite(
      { name: `site ${place}`, quality, stays: Math.round(stays / SITES.length) },
      { cars, regulars: Array.from({ length: REGULARS }, () => draws.of(cars)) },
      draws,
    ),
  );
}

function carsOf(count: number, draws: Draws): TrueCar[] {
  const cars = Array.from({ length: count }, () => ({
    plate: newPlate(draws),
    make: draws.of(MAKES.slice(0, 1 + draws.below(MAKES.length))),
    colour: draws.of(COLOURS.slice(0, 1 + draws.below(COLOURS.length))),
  }));
  for (let at = 0; at + FLEET_SIZE < count * FLEET_SHARE; at += FLEET_SIZE)
    registerFleet(cars.slice(at, at + FLEET_SIZE));
  for (let n = 0; n < COPIED_PLATES; n++) draws.of(cars).plate = draws.of(cars).plate;
  return cars;
}

/** Plates that follow each other, and cars that look the same. */
function registerFleet(cars: readonly TrueCar[]): void {
  const [first] = cars;
  if (first === undefined) return;
  const letters = first.plate.replace(/\d+$/, '');
  const digits = first.plate.slice(letters.length);
  for (const [at, car] of cars.entries()) {
    const number = (Number(digits) + at) % 10 ** digits.length;
    Object.assign(car, { ...first, plate: letters + String(number).padStart(digits.length, '0') });
  }
}

/** Most are Icelandic, some from abroad. */
function newPlate(draws: Draws): string {
  const letter = () => LETTERS.charAt(draws.below(LETTERS.length));
  const digits = (count: number) => String(draws.below(10 ** count)).padStart(count, '0');
  const kind = draws.next();
  if (kind < 0.6) return `${letter()}${letter()}${letter()}${digits(2)}`;
  if (kind < 0.9) return `${letter()}${letter()}${digits(3)}`;
  return kind < 0.95
    ? `${letter()}${letter()}${digits(4)}`
    : `${letter()}${digits(3)}${letter()}${letter()}${letter()}`;
}

function generateSite(
  { name, quality, stays }: { name: string; quality: Quality; stays: number },
  { cars, regulars }: { cars: readonly TrueCar[]; regulars: readonly TrueCar[] },
  draws: Draws,
): GeneratedSite {
  const { missed, namesLooks } = QUALITIES[quality];
  const outages = new Set(
    ['entry', 'exit'].flatMap((side) => outageDays(draws).map((day) => `${side} ${day}`)),
  );
  const wrongClock = draws.below(YEAR_DAYS);
  const reads: GeneratedRead[] = [];
  const insideUntil = new Map<TrueCar, number>();
  let whole = 0;
  const look = (side: 'entry' | 'exit', stay: number, car: TrueCar, at: number): boolean => {
    const day = Math.floor((at - YEAR_FROM) / DAY_MS);
    if (outages.has(`${side} ${day}`) || draws.isOneIn(missed)) return false;
    const stepped = side === 'exit' && day === wrongClock ? at - CLOCK_STEP_MS : at;
    const { plates, make, colour } = readCar(car, { quality, isNight: isNight(at), namesLooks }, draws);
    const id = `${side} ${reads.length}`;
    reads.push({ side, stay, seen: { id, at: stepped, camera: `${name} ${side}`, plates, make, colour } });
    return true;
  };
  for (let stay = 0; stay < stays; stay++) {
    const car = draws.of(draws.isOneIn(REGULAR_SHARE) ? regulars : cars);
    const from = arrival(draws);
    const until = from + stayMs(draws);
    // One car is in one place.
    if ((insideUntil.get(car) ?? 0) > from) continue;
    insideUntil.set(car, until);
    const cameIn = look('entry', stay, car, from);
    if (cameIn && draws.isOneIn(TWICE)) look('entry', stay, car, from + 20_000);
    const wentOut = look('exit', stay, car, until);
    if (cameIn && wentOut) whole += 1;
  }
  reads.sort((one, other) => one.seen.at - other.seen.at);
  return { name, quality, reads, whole };
}

function outageDays(draws: Draws): number[] {
  return Array.from({ length: OUTAGE_DAYS }, () => draws.below(YEAR_DAYS));
}

/** Most come by day. */
function arrival(draws: Draws): number {
  const hour = Math.min(23.9, Math.max(0, 13 + 4.2 * draws.bell()));
  return YEAR_FROM + draws.below(YEAR_DAYS) * DAY_MS + Math.floor(hour * HOUR_MS);
}

function isNight(at: number): boolean {
  const hour = new Date(at).getUTCHours();
  return hour < 7 || hour >= 19;
}

/** Some stay the night, few stay for days. */
function stayMs(draws: Draws): number {
  const kind = draws.next();
  if (kind < 0.01) return (1 + 8 * draws.next()) * DAY_MS;
  if (kind < 0.05) return (8 + 8 * draws.next()) * HOUR_MS;
  return MEDIAN_MINUTES * MINUTE_MS * Math.exp(SPREAD * draws.bell() * 0.8);
}
