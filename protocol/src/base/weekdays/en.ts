/** The days of a week from Monday, the first of ISO 8601. Chromium and some builds of Node.js have no Icelandic names. */
export const WEEKDAYS_EN = {
  long: {
    1: 'Monday',
    2: 'Tuesday',
    3: 'Wednesday',
    4: 'Thursday',
    5: 'Friday',
    6: 'Saturday',
    7: 'Sunday',
  },
  /** The names for a narrow column. */
  short: {
    1: 'Mon',
    2: 'Tue',
    3: 'Wed',
    4: 'Thu',
    5: 'Fri',
    6: 'Sat',
    7: 'Sun',
  },
} as const;
