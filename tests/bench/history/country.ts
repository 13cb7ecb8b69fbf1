import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { Random } from './random.ts';
import type { StayKind } from './sample-site.ts';

/** A kind of car park: when cars come, for how long, and who they are. */
interface Habit {
  /** The number of such car parks in a hundred. */
  share: number;
  /** The size relative to other car parks of the same rank. */
  size: number;
  /** Cars that come, by hour of the day, from Monday on, and by month. */
  hours: readonly number[];
  week: readonly number[];
  year: readonly number[];
  /** Usual stays: minutes, and how often. */
  stays: readonly { minutes: number; weight: number }[];
  /** The number of cars in a hundred with a permit. */
  permit: number;
  /** The number of cars in a hundred that belong to a company. */
  company: number;
  /** The number of cars in a hundred that were never there before. */
  stranger: number;
}

const hours = (text: string) => text.split(' ').map(Number);
const EVEN_YEAR = [9, 9, 10, 9, 10, 9, 7, 8, 10, 10, 10, 9];
const TOURISTS = [3, 4, 5, 6, 9, 15, 19, 18, 11, 6, 4, 3];
const WORK_WEEK = [10, 10, 10, 10, 9, 2, 1];
const SHOP_WEEK = [8, 8, 9, 10, 12, 14, 8];
const ALL_WEEK = [10, 10, 10, 10, 11, 11, 10];
const SHORT = [
  { minutes: 12, weight: 20 },
  { minutes: 35, weight: 40 },
  { minutes: 90, weight: 30 },
  { minutes: 200, weight: 10 },
];
const WORKING_DAY = [
  { minutes: 40, weight: 15 },
  { minutes: 240, weight: 25 },
  { minutes: 500, weight: 60 },
];

export const HABITS: Readonly<Record<string, Habit>> = {
  office: {
    share: 24,
    size: 1,
    week: WORK_WEEK,
    year: EVEN_YEAR,
    stays: WORKING_DAY,
    hours: hours('0 0 0 0 0 1 4 14 20 12 7 6 7 8 6 4 3 2 1 1 0 0 0 0'),
    permit: 40,
    company: 22,
    stranger: 6,
  },
  shopping: {
    share: 22,
    size: 3,
    week: SHOP_WEEK,
    year: [8, 7, 8, 8, 8, 8, 8, 8, 8, 9, 11, 16],
    stays: SHORT,
    hours: hours('0 0 0 0 0 0 0 1 3 6 10 12 12 12 12 12 14 12 8 5 3 1 0 0'),
    permit: 4,
    company: 4,
    stranger: 18,
  },
  street: {
    share: 26,
    size: 1.5,
    week: SHOP_WEEK,
    year: EVEN_YEAR,
    stays: SHORT,
    hours: hours('1 1 1 0 0 0 1 4 8 9 10 11 13 12 10 10 10 9 9 9 7 5 3 2'),
    permit: 8,
    company: 8,
    stranger: 22,
  },
  hospital: {
    share: 6,
    size: 2.5,
    week: [10, 10, 10, 10, 10, 6, 6],
    year: EVEN_YEAR,
    hours: hours('2 1 1 1 1 2 5 11 10 10 9 8 9 10 9 8 7 6 6 5 4 5 4 3'),
    stays: [...SHORT, { minutes: 480, weight: 35 }, { minutes: 1700, weight: 4 }],
    permit: 25,
    company: 4,
    stranger: 14,
  },
  residents: {
    share: 14,
    size: 0.5,
    week: ALL_WEEK,
    year: EVEN_YEAR,
    hours: hours('2 1 1 0 0 0 1 2 3 3 3 4 5 5 6 9 13 14 11 8 6 5 4 3'),
    stays: [
      { minutes: 120, weight: 20 },
      { minutes: 780, weight: 65 },
      { minutes: 2400, weight: 15 },
    ],
    permit: 70,
    company: 3,
    stranger: 5,
  },
  nature: {
    share: 6,
    size: 1.5,
    week: ALL_WEEK,
    year: TOURISTS,
    stays: SHORT,
    hours: hours('1 0 0 0 0 0 1 3 7 11 13 13 12 12 11 9 7 5 4 3 2 2 1 1'),
    permit: 2,
    company: 10,
    stranger: 70,
  },
  airport: {
    share: 2,
    size: 6,
    week: [10, 9, 9, 11, 13, 10, 11],
    year: TOURISTS,
    hours: hours('3 3 4 8 10 11 9 6 4 4 5 6 6 7 9 9 7 5 4 3 3 3 3 3'),
    stays: [
      { minutes: 20, weight: 45 },
      { minutes: 2300, weight: 15 },
      { minutes: 4000, weight: 12 },
      { minutes: 9500, weight: 28 },
    ],
    permit: 4,
    company: 12,
    stranger: 30,
  },
};

/** The number of days of 24 hours for which each kind of stay is paid. */
export const PAID_DAYS: Readonly<Record<StayKind, readonly number[]>> = {
  permit: [1],
  company: [1, 2],
  kiosk: [1, 2, 3, 7],
  online: [1, 2, 7],
  owner: [1, 2],
  void: [1],
  misread: [1],
};

/** How the others settle. */
const SETTLED_BY: readonly { kind: StayKind; weight: number }[] = [
  { kind: 'kiosk', weight: 68 },
  { kind: 'online', weight: 24 },
  { kind: 'owner', weight: 5 },
  { kind: 'void', weight: 1 },
  { kind: 'misread', weight: 2 },
];

export interface CountryPlan {
  visits: number;
  sites: number;
  /** Cars of companies. */
  companyCars: number;
  /** The days over which the visits are spread, the last of them the one of `until`. */
  days: number;
  /** A full hour; what happens after it is not in the history: those cars are inside still. */
  until: number;
  seed: number;
}

export interface Stay {
  site: number;
  kind: StayKind;
  /** The number of its plate; see `plateNumber`. */
  car: number;
  startMs: number;
  endMs: number;
  /** The length in days of 24 hours, the begun day included. */
  days: number;
}

/** The cars with permits of one site. */
export const PERMITS_PER_SITE = 20;
/** An hour before the end of a day that is paid for, and after its begin, nothing is in doubt. */
const SHORTEST_MS = 4 * MINUTE_MS;

/** A country's car parks, and who parks there when: in order of arrival, the same for the same plan. */
export class Country {
  readonly plan: CountryPlan;
  readonly habits: readonly string[];
  readonly #random: Random;
  readonly #sizes: number[];
  /** The time until which each car is at a site. */
  readonly #busyUntil = new Map<number, number>();

  constructor(plan: CountryPlan) {
    this.plan = plan;
    this.#random = new Random(plan.seed);
    const kinds = Object.entries(HABITS);
    const habits = Array.from({ length: plan.sites }, () => {
      return kinds[this.#random.weighted(kinds.map(([, { share }]) => share))] ?? fail();
    });
    this.habits = habits.map(([name]) => name);
    // Some are large, most are small.
    this.#sizes = habits.map(([, { size }], rank) => size / (1 + (rank % 50)) ** 0.6);
  }

  /** Each day's stays, in order of arrival. */
  *days(): Generator<Stay[]> {
    const { plan } = this;
    const weights: number[][] = [];
    for (let day = 0; day < plan.days; day++) weights.push(this.#weightsOf(day));
    const total = sum(weights.map(sum));
    let due = 0;
    let done = 0;
    for (let day = 0; day < plan.days; day++) {
      const arrivals: { site: number; startMs: number }[] = [];
      for (let site = 0; site < plan.sites; site++) {
        due += ((weights[day]?.[site] ?? 0) / total) * plan.visits;
        const isLast = day === plan.days - 1 && site === plan.sites - 1;
        const cars = Math.max(0, (isLast ? plan.visits : Math.round(due)) - done);
        done += cars;
        for (let car = 0; car < cars; car++) {
          arrivals.push({ site, startMs: this.#dayStart(day) + this.#timeOfDay(site, day) });
        }
      }
      arrivals.sort((a, b) => a.startMs - b.startMs);
      yield arrivals.map(({ site, startMs }) => this.#stay(site, startMs));
      this.#forgetFree(this.#dayStart(day));
    }
  }

  #dayStart(day: number): number {
    const { until, days } = this.plan;
    return until - (until % DAY_MS) - (days - 1 - day) * DAY_MS;
  }

  #weightsOf(day: number): number[] {
    const date = new Date(this.#dayStart(day));
    const [weekday, month] = [(date.getUTCDay() + 6) % 7, date.getUTCMonth()];
    return this.habits.map((name, site) => {
      const { week, year, hours } = HABITS[name] ?? fail();
      const share = sum(this.#hoursOf(site, day)) / sum(hours);
      const usual = (this.#sizes[site] ?? 0) * (week[weekday] ?? 0) * (year[month] ?? 0);
      return share * usual * (0.8 + 0.4 * this.#random.next());
    });
  }

  /** How many come in each hour of a day; the last day is not over. */
  #hoursOf(site: number, day: number): readonly number[] {
    const { hours } = HABITS[this.habits[site] ?? ''] ?? fail();
    if (day < this.plan.days - 1) return hours;
    return hours.slice(0, (this.plan.until % DAY_MS) / HOUR_MS);
  }

  #timeOfDay(site: number, day: number): number {
    return Math.floor((this.#random.weighted(this.#hoursOf(site, day)) + this.#random.next()) * HOUR_MS);
  }

  #stay(site: number, startMs: number): Stay {
    const { stays, permit, company, stranger } = HABITS[this.habits[site] ?? ''] ?? fail();
    const { minutes } = stays[this.#random.weighted(stays.map(({ weight }) => weight))] ?? fail();
    const lasts = Math.max(SHORTEST_MS, minutes * MINUTE_MS * (0.4 + 1.2 * this.#random.next()));
    const who = this.#random.next() * 100;
    const isPermit = who < permit;
    const isCompany = !isPermit && who < permit + company;
    const car = this.#car(site, startMs, { isPermit, isCompany, isStranger: who > 100 - stranger });
    const kind = car.kind ?? this.#settlement();
    const { days, endMs } = sold(kind, startMs, lasts);
    this.#busyUntil.set(car.number, endMs + SHORTEST_MS);
    return { site, kind, car: car.number, startMs, endMs, days };
  }

  #settlement(): StayKind {
    return SETTLED_BY[this.#random.weighted(SETTLED_BY.map(({ weight }) => weight))]?.kind ?? 'kiosk';
  }

  /** One that is nowhere else then. */
  #car(
    site: number,
    atMs: number,
    who: { isPermit: boolean; isCompany: boolean; isStranger: boolean },
  ): { number: number; kind: StayKind | null } {
    const { sites, visits, companyCars } = this.plan;
    const regulars = Math.max(200, Math.floor(visits / sites / 10));
    const firstRegular = companyCars + sites * PERMITS_PER_SITE;
    const allRegulars = Math.max(2000, Math.floor(visits / 20));
    for (let tries = 0; tries < 40; tries++) {
      let number: number;
      let kind: StayKind | null = null;
      if (who.isPermit) {
        number = companyCars + site * PERMITS_PER_SITE + this.#random.below(PERMITS_PER_SITE);
        kind = 'permit';
      } else if (who.isCompany) {
        number = this.#random.zipf(companyCars);
        kind = 'company';
      } else if (who.isStranger) {
        const isForeign = this.#random.next() < 0.4;
        number = this.#random.below(isForeign ? allRegulars * 2 : allRegulars);
        number += isForeign ? PLATES : firstRegular + allRegulars;
      } else {
        // Neighbours have many of the same cars.
        const own = this.#random.zipf(regulars);
        number = firstRegular + ((Math.floor(site / 3) * 7919 + own * 31) % allRegulars);
      }
      if ((this.#busyUntil.get(number) ?? 0) < atMs) return { number, kind };
      // A permit holder's second car has none.
      if (tries > 10) who = { isPermit: false, isCompany: false, isStranger: true };
    }
    throw new Error('all cars of the country are parked');
  }

  #forgetFree(beforeMs: number): void {
    for (const [car, until] of this.#busyUntil) if (until < beforeMs) this.#busyUntil.delete(car);
  }
}

/** A stay of as many days as its kind is sold for, and nowhere near the end of one. */
function sold(kind: StayKind, startMs: number, lastsMs: number): { days: number; endMs: number } {
  const begun = Math.ceil(lastsMs / DAY_MS);
  const days = PAID_DAYS[kind].findLast((some) => some <= begun) ?? 1;
  const over = lastsMs % DAY_MS;
  const within = Math.min(Math.max(over, SHORTEST_MS), DAY_MS - HOUR_MS);
  return { days, endMs: Math.floor(startMs + (days - 1) * DAY_MS + within) };
}

const LETTERS = 'ABCDEFGHIJKLMNOPRSTUVYZ';
/**
 * A unique plate for each number: two letters, a letter or digit, two digits; foreign ones have two
 * characters more.
 */
export function countryPlate(number: number): string {
  const isForeign = number >= PLATES;
  // Neighbours in number are not alike.
  let rest = ((number % PLATES) * 7_368_787) % PLATES;
  const next = (limit: number) => {
    const digit = rest % limit;
    rest = Math.floor(rest / limit);
    return digit;
  };
  const tail = String(next(100)).padStart(2, '0');
  const third = THIRD[next(THIRD.length)];
  const plate = `${LETTERS[next(LETTERS.length)]}${LETTERS[next(LETTERS.length)]}${third}${tail}`;
  return isForeign ? `${plate}X${LETTERS[Math.floor(number / PLATES) % LETTERS.length]}` : plate;
}
const THIRD = `${LETTERS}0123456789`;
/** The number of different plates, and of foreign ones of each series. */
const PLATES = LETTERS.length ** 2 * THIRD.length * 100;

const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0);

function fail(): never {
  throw new RangeError('there is no such car park');
}
