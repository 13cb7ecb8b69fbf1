import { WEEKDAYS_EN } from '../../weekdays/en.ts';
import { weekdayName } from '../../weekdays/weekday-name.ts';

/** Parts of a tariff that are valid one by one, and contradict each other. */
export const TARIFFS_EN = {
  'class-never-counts': 'a class before it fits all of its vehicles, so that it never counts',
  'free-again-per-plate': 'only free time of a plate repeats: set per to plate-24h',
  'no-holidays': 'a window uses holidays, and none are named',
  'no-prices': 'nothing has a price: add bands, or a day',
  'band-always-open': 'this band is open at all times, so that those after it never count',
  'band-never-reached': 'bands before it are open at all of these times, so that it never counts',
  'flat-rate-endless': 'a flat rate needs an end: set exit, untilNext, within or withinMinutes',
  'day-one-first': 'the first price must be from day 1',
  'days-not-ascending': 'each price must be from a later day than the one before',
  'no-hours-priced': 'there are no bands that price hours: choose full-day, or free',
  'flat-rate-twice': 'another flat rate before it is for the same times',
  'week-cap-without-day': 'a cap of seven days needs to know what a day is: add day',
  'calendar-week': 'a week of the calendar has days of the calendar: choose day.kind calendar',
  'pro-rata-without-length': 'a price for the rest cannot be pro-rata: set its minutes',
  'up-to-first': 'up-to stands before all other steps',
  'longer-costs-less': 'a longer stay would cost less than a shorter one',
  'step-endless': 'this step never ends, so that those after it never count',
  'longer-stays-unpriced': 'longer stays have no price: leave minutes out of the last step, or add a day',
  'day-twice': 'a day is named twice',
  'year-in-both': 'both need a year, or neither',
  'before-from': 'is before its from',
  'grace-within-free': 'a stay of {minutes} minutes is free already: leave one of them out',
  'windows-too-far': 'a stay from one window to the other is longer than {minutes} minutes',
  'less-than-week': 'is less than a week ({weekMinor}), whose cap would never count',
  'less-than-day': 'is less than a day ({dayMinor}), whose price would never count',
  'more-than-day': 'is more than a day costs ({dayMinor}), so that it never counts',
  'step-not-longer': 'must be more than the {minutes} minutes before it',
  'windows-overlap': ({ first, weekday, from, to }: OverlapParams) =>
    `on ${dayOf(weekday)} from ${from} to ${to} band ${first} is open too, and counts`,
  'windows-gap': ({ weekday, from, to, more }: GapParams) =>
    `on ${dayOf(weekday)} from ${from} to ${to} no band is open, so that it is free${more > 0 ? `; so are ${more} more times of the week` : ''}`,
  'night-of-other-day': ({ weekday, to, before }: NightParams) =>
    `on ${dayOf(weekday)} from 00:00 to ${to} it is not open: that is the night of ${dayOf(before)}, which is not among its days`,
  'cap-below-step': 'is less than one step costs ({stepMinor}), so that the step never counts',
  'flat-rate-never-cheaper': 'is not less than a day costs ({dayMinor}), so that it is never the cheapest',
} as const;

export interface OverlapParams {
  /** The number of the band that counts, from 1. */
  first: number;
  weekday: number;
  from: string;
  to: string;
}

export interface GapParams {
  weekday: number;
  from: string;
  to: string;
  /** Other times of the week without a band. */
  more: number;
}

export interface NightParams {
  /** The day with early hours that are not in the window. */
  weekday: number;
  /** The end of these hours, as the window has it. */
  to: string;
  /** The day before, on which that night begins. */
  before: number;
}

function dayOf(weekday: number): string {
  return weekdayName(WEEKDAYS_EN.long, weekday);
}
