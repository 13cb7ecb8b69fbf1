/** The texts of a price board. */
export const BOARD_EN = {
  minutes: 'min',
  hours: 'h',
  firstFree: 'First {length} free',
  freeUpTo: 'Free up to {length}',
  upTo: 'Up to {length}',
  perStay: '{amount} per stay',
  capDay: 'At most {amount} a day',
  capWeek: 'At most {amount} a week',
  capStay: 'At most {amount} per stay',
  otherTimes: 'Other times',
  free: 'free',
  holidays: 'Holidays',
  large: 'Large vehicles',
  more: 'Other prices may apply to some vehicles and times',
} as const;
