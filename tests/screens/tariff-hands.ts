import { minorUnitDigits } from '@hlid/protocol/base/money';
import type {
  Tariff,
  TariffBand,
  TariffClass,
  TariffDay,
  TariffFlatRate,
  TariffRates,
  TariffStep,
  TariffWindow,
} from '@hlid/protocol/tariff/tariff-shape';
import type { Locator, Page } from 'playwright-core';

/** The labels of the fields, as people see them. */
const WORDS = {
  kinds: {
    hourly: 'By the hour',
    firstFree: 'First hour free',
    table: 'By length of stay',
    dayTicket: 'Day ticket',
    dayAndNight: 'Day and night',
    weekdayHours: 'Weekdays only',
    longStay: 'Long stays',
    own: 'Another tariff',
  },
  bands: 'Prices by time of day',
  addBand: 'Add a band',
  atAllTimes: 'At all times that no band above has',
  nameIn: { is: 'Name in Icelandic', en: 'Name in English' },
  from: 'From',
  to: 'Until',
  onHolidays: 'Holidays',
  holidayUse: { also: 'as on other days', only: 'only on holidays', never: 'not on holidays' },
  addDates: 'Only on certain dates',
  firstDate: 'First day',
  lastDate: 'Last day',
  addStep: 'Add a price',
  stepKind: 'How it is charged',
  stepKinds: { each: 'for each started', flat: 'once', 'up-to': 'up to a length, in all' },
  price: 'Price',
  each: 'For each started',
  upTo: 'Up to',
  lasts: 'For',
  forTheRest: 'for the rest of the day',
  untilNextBand: 'until another band begins',
  bandCap: 'This band costs at most so much each time it is open',
  atMost: 'At most',
  units: { minutes: 'minutes', hours: 'hours', days: 'days' },
  day: 'Price of a day',
  dayCap: 'A day costs at most so much',
  dayPrice: 'A day has a price',
  dayKind: 'A day lasts',
  dayKinds: { rolling: '24 hours from the entry', calendar: 'from midnight to midnight' },
  partial: 'A later day that is not complete',
  partials: { hours: 'costs its hours, up to the day', 'full-day': 'costs a full day', free: 'is free' },
  addDayPrice: 'Another price for later days',
  fromDay: 'From day',
  aDay: 'A day',
  noShortStay: 'Short stays across midnight are two days',
  shortStay: 'Priced by its hours alone, up to',
  stepsRestart: 'Each day begins with the price of the first hour',
  caps: 'Most that is paid',
  visitCap: 'A stay costs at most so much',
  weekCap: 'A week costs at most so much',
  week: 'A week lasts',
  weeks: { stay: 'seven days from the entry', calendar: 'from Monday to Sunday' },
  flatRates: 'One price for certain stays',
  flatRateKinds: { earlyBird: 'Early bird', night: 'Night', weekend: 'Weekend', own: 'Other times' },
  within: 'Within',
  withins: { any: 'any days', day: 'one calendar day', weekend: 'one Saturday and Sunday' },
  untilNext: 'Out before the next',
  anyLength: 'No longest stay',
  longestStay: 'Longest stay',
  entry: 'Entry',
  exit: 'Exit',
  anyEntry: 'Entry at any time',
  anyExit: 'Exit at any time',
  addClass: 'Add a class',
  vehicles: 'Vehicles',
  anyVehicle: 'light and heavy',
  light: 'light',
  heavy: 'heavy',
  seats: 'Seats, at most',
  mass: 'Kilograms, at most',
  free: 'Free time',
  hasFree: 'The first minutes are free',
  freeLength: 'Free for',
  freeWhen: 'Longer stays',
  freeWhens: { fits: 'pay from the entry on', always: 'pay after the free time' },
  freePer: 'Free time is for',
  freePers: {
    visit: 'each stay',
    'plate-24h': 'each plate once in 24 hours',
    'plate-day': 'each plate once a day',
  },
  freeAgain: 'A second stay gets',
  freeAgains: { nothing: 'none', rest: 'what is left of it' },
  holidays: 'Holidays',
  holiday: 'Day',
  addHoliday: 'Add the day',
  rules: 'Rules and fees',
  straddle: 'A started hour that reaches into another band',
  straddles: {
    'rate-at-start': 'costs the price where it began',
    'pro-rata': 'is charged by minutes in each',
    restart: 'ends at the border',
  },
  boundary: 'A stay of exactly one hour',
  boundaries: { lower: 'costs one hour', upper: 'costs two' },
  flatRateChoice: 'Where a flat rate fits',
  flatRateChoices: { cheapest: 'the cheapest price counts', priority: 'the first flat rate counts' },
  entryGrace: 'Minutes to turn round, free',
  exitGrace: 'Minutes to leave after paying',
  kioskFee: 'Fee for paying at the kiosk',
  onlineFee: 'Fee for paying by phone',
  lateFee: 'Fee for paying late',
  lateAfter: 'After the end of the stay',
  amount: 'Amount',
} as const;
const WEEKDAYS = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];

/** Types a tariff into the editor of an English console, by its fields and buttons alone. */
export class TariffHands {
  readonly #page: Page;
  readonly #currency: string;

  constructor(page: Page, currency: string) {
    this.#page = page;
    this.#currency = currency;
  }

  async type(tariff: Tariff): Promise<void> {
    const page = this.#page;
    await page.getByRole('button', { name: WORDS.kinds.own, exact: true }).click();
    const whole = page.locator('.tariff-editor');
    await this.#rates(whole, tariff);
    await this.#free(whole, tariff);
    for (const [at, one] of tariff.classes.entries()) await this.#class(whole, one, at);
    for (const day of tariff.holidays) await this.#holiday(whole, day);
    await this.#rules(whole, tariff);
  }

  async #rates(scope: Locator, { bands, day, caps, flatRates }: TariffRates): Promise<void> {
    for (const [at, band] of bands.entries()) {
      await press(scope, WORDS.addBand);
      await this.#band(row(section(scope, WORDS.bands), `Band ${at + 1}`), band);
    }
    if (day) await this.#day(section(scope, WORDS.day), day, bands.length > 0);
    const most = section(scope, WORDS.caps);
    if (caps.visitMinor !== undefined) {
      await tick(most, WORDS.visitCap, true);
      await this.#amount(most, WORDS.atMost, caps.visitMinor);
    }
    if (caps.weekMinor !== undefined) {
      await tick(most, WORDS.weekCap, true);
      await fill(most.getByLabel(WORDS.atMost, { exact: true }).last(), this.#text(caps.weekMinor));
      if (caps.week) await choose(most, WORDS.week, WORDS.weeks[caps.week]);
    }
    for (const [at, rate] of flatRates.entries()) {
      const rates = section(scope, WORDS.flatRates);
      await press(rates, WORDS.flatRateKinds.own);
      await this.#flatRate(row(rates, `Flat rate ${at + 1}`), rate);
    }
  }

  async #band(scope: Locator, { label, window, steps, capMinor }: TariffBand): Promise<void> {
    await this.#label(scope, label);
    await tick(scope, WORDS.atAllTimes, window === undefined);
    if (window) await this.#window(scope, window);
    const prices = scope.locator('.steps');
    for (const [at, step] of steps.entries()) {
      if (at > 0) await press(prices, WORDS.addStep);
      await this.#step(row(prices, `price ${at + 1}`), step);
    }
    if (capMinor !== undefined) {
      await tick(scope, WORDS.bandCap, true);
      await this.#amount(scope, WORDS.atMost, capMinor);
    }
  }

  async #step(scope: Locator, step: TariffStep): Promise<void> {
    await choose(scope, WORDS.stepKind, WORDS.stepKinds[step.kind]);
    await this.#amount(scope, WORDS.price, step.priceMinor);
    if (step.kind === 'up-to') return await length(scope, WORDS.upTo, step.minutes);
    if (step.kind === 'each') await length(scope, WORDS.each, step.everyMinutes);
    const without = step.kind === 'each' ? WORDS.forTheRest : WORDS.untilNextBand;
    await tick(scope, without, step.minutes === undefined);
    if (step.minutes !== undefined) await length(scope, WORDS.lasts, step.minutes);
  }

  async #window(scope: Locator, window: TariffWindow): Promise<void> {
    const { weekdays = [1, 2, 3, 4, 5, 6, 7], startTime, endTime, dates = [], holidays } = window;
    for (const [at, name] of WEEKDAYS.entries()) await tick(scope, name, weekdays.includes(at + 1));
    await fill(scope.getByLabel(WORDS.from, { exact: true }), startTime);
    await fill(scope.getByLabel(WORDS.to, { exact: true }), endTime);
    if (holidays) await choose(scope, WORDS.onHolidays, WORDS.holidayUse[holidays]);
    for (const [at, { from, to }] of dates.entries()) {
      await press(scope, WORDS.addDates);
      const span = row(scope, `dates ${at + 1}`);
      await fill(span.getByLabel(WORDS.firstDate, { exact: true }), typedDay(from));
      await fill(span.getByLabel(WORDS.lastDate, { exact: true }), typedDay(to));
    }
  }

  async #day(scope: Locator, day: TariffDay, hasBands: boolean): Promise<void> {
    await tick(scope, hasBands ? WORDS.dayCap : WORDS.dayPrice, true);
    await choose(scope, WORDS.dayKind, WORDS.dayKinds[day.kind]);
    await choose(scope, WORDS.partial, WORDS.partials[day.partial]);
    for (const [at, { fromDay, priceMinor }] of day.prices.entries()) {
      if (at > 0) await press(scope, WORDS.addDayPrice);
      const price = row(scope, `day price ${at + 1}`);
      await fill(price.getByLabel(WORDS.fromDay, { exact: true }), String(fromDay));
      await this.#amount(price, WORDS.aDay, priceMinor);
    }
    if (!hasBands) return;
    await tick(scope, WORDS.noShortStay, day.shortStayMinutes === undefined);
    if (day.shortStayMinutes !== undefined) await length(scope, WORDS.shortStay, day.shortStayMinutes);
    await tick(scope, WORDS.stepsRestart, day.stepsRestart);
  }

  async #flatRate(scope: Locator, rate: TariffFlatRate): Promise<void> {
    await this.#label(scope, rate.label);
    await this.#amount(scope, WORDS.price, rate.priceMinor);
    await choose(scope, WORDS.within, WORDS.withins[rate.within ?? 'any']);
    await fill(scope.getByLabel(WORDS.untilNext, { exact: true }), rate.untilNext ?? '');
    await tick(scope, WORDS.anyLength, rate.withinMinutes === undefined);
    if (rate.withinMinutes !== undefined) await length(scope, WORDS.longestStay, rate.withinMinutes);
    for (const [title, any, window] of [
      [WORDS.entry, WORDS.anyEntry, rate.entry],
      [WORDS.exit, WORDS.anyExit, rate.exit],
    ] as const) {
      const part = section(scope, title);
      const { startTime, endTime, ...rest } = window;
      const isAny = startTime === '00:00' && endTime === '23:59' && Object.keys(rest).length === 0;
      await tick(part, any, isAny);
      if (!isAny) await this.#window(part, window);
    }
  }

  async #class(whole: Locator, one: TariffClass, at: number): Promise<void> {
    await press(whole, WORDS.addClass);
    const scope = row(whole, `Class ${at + 1}`);
    await this.#label(scope, one.label);
    const vehicles = { light: WORDS.light, heavy: WORDS.heavy, any: WORDS.anyVehicle };
    await choose(scope, WORDS.vehicles, vehicles[one.category ?? 'any']);
    await fill(scope.getByLabel(WORDS.seats, { exact: true }), String(one.seatsUpTo ?? ''));
    await fill(scope.getByLabel(WORDS.mass, { exact: true }), String(one.massUpToKg ?? ''));
    await this.#rates(scope, one);
  }

  async #free(whole: Locator, { free }: Tariff): Promise<void> {
    if (!free) return;
    const scope = section(whole, WORDS.free);
    await tick(scope, WORDS.hasFree, true);
    await length(scope, WORDS.freeLength, free.minutes);
    await choose(scope, WORDS.freeWhen, WORDS.freeWhens[free.when]);
    await choose(scope, WORDS.freePer, WORDS.freePers[free.per]);
    if (free.per !== 'visit') await choose(scope, WORDS.freeAgain, WORDS.freeAgains[free.again]);
  }

  async #holiday(whole: Locator, day: string): Promise<void> {
    const scope = section(whole, WORDS.holidays);
    await fill(scope.getByLabel(WORDS.holiday, { exact: true }), typedDay(day));
    await press(scope, WORDS.addHoliday);
  }

  async #rules(whole: Locator, tariff: Tariff): Promise<void> {
    const scope = section(whole, WORDS.rules);
    if (tariff.bands.length > 1) await choose(scope, WORDS.straddle, WORDS.straddles[tariff.straddle]);
    await choose(scope, WORDS.boundary, WORDS.boundaries[tariff.boundary]);
    if (tariff.flatRates.length > 0) {
      await choose(scope, WORDS.flatRateChoice, WORDS.flatRateChoices[tariff.flatRateChoice]);
    }
    const { entryGraceMinutes, exitGraceMinutes, serviceFees, lateFee } = tariff;
    await fill(scope.getByLabel(WORDS.entryGrace), String(entryGraceMinutes ?? ''));
    await fill(scope.getByLabel(WORDS.exitGrace), String(exitGraceMinutes ?? ''));
    if (serviceFees.kiosk !== undefined) {
      await tick(scope, WORDS.kioskFee, true);
      await fill(scope.getByLabel(WORDS.amount, { exact: true }).last(), this.#text(serviceFees.kiosk));
    }
    if (serviceFees.online !== undefined) {
      await tick(scope, WORDS.onlineFee, true);
      await fill(scope.getByLabel(WORDS.amount, { exact: true }).last(), this.#text(serviceFees.online));
    }
    if (lateFee) {
      await tick(scope, WORDS.lateFee, true);
      await fill(scope.getByLabel(WORDS.amount, { exact: true }).last(), this.#text(lateFee.amountMinor));
      await length(scope, WORDS.lateAfter, lateFee.afterMinutes);
    }
  }

  async #label(scope: Locator, label: Record<string, string> = {}): Promise<void> {
    for (const [language, name] of [
      ['is', WORDS.nameIn.is],
      ['en', WORDS.nameIn.en],
    ] as const) {
      await fill(scope.getByLabel(name, { exact: true }).first(), label[language] ?? '');
    }
  }

  async #amount(scope: Locator, label: string, amountMinor: number): Promise<void> {
    await fill(scope.getByLabel(label, { exact: true }).first(), this.#text(amountMinor));
  }

  #text(amountMinor: number): string {
    const digits = minorUnitDigits(this.#currency);
    return (amountMinor / 10 ** digits).toFixed(digits);
  }
}

/** The first part with that heading: a class of vehicles has its own ones, further down. */
function section(scope: Locator, title: string): Locator {
  return scope.getByRole('group', { name: title, exact: true }).first();
}

function row(scope: Locator, name: string): Locator {
  return scope.getByRole('listitem', { name, exact: true }).first();
}

async function press(scope: Locator, name: string): Promise<void> {
  await scope.getByRole('button', { name, exact: true }).first().click();
}

async function tick(scope: Locator, name: string, isOn: boolean): Promise<void> {
  const box = scope.getByRole('checkbox', { name, exact: true }).first();
  if ((await box.isChecked()) !== isOn) await box.locator('xpath=ancestor::label').click();
}

async function choose(scope: Locator, label: string, option: string): Promise<void> {
  const list = scope.locator('label.field').filter({ has: scope.page().getByText(label, { exact: true }) });
  await list.locator('select').first().selectOption({ label: option });
}

async function fill(field: Locator, text: string): Promise<void> {
  if ((await field.inputValue()) === text) return;
  await field.fill(text);
}

async function length(scope: Locator, label: string, minutes: number): Promise<void> {
  await choose(scope, `Unit of: ${label}`, WORDS.units.minutes);
  await fill(scope.getByLabel(label, { exact: true }).first(), String(minutes));
}

/** `24.12.` of `12-24`. */
function typedDay(day: string): string {
  return `${day.split('-').toReversed().join('.')}${day.length === 5 ? '.' : ''}`;
}
