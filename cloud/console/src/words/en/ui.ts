import { LANE_EN } from '@hlid/protocol/words/lanes/en';
export const periodField = {
  from: 'From',
  to: 'To',
  choose: 'Period',
  own: 'Days of your own',
  names: {
    today: 'Today',
    yesterday: 'Yesterday',
    week: 'Last 7 days',
    days30: 'Last 30 days',
    month: 'This month',
    lastMonth: 'Last month',
  },
} as const;

export const wallWords = {
  day: 'dd/mm/yyyy',
  moment: 'dd/mm/yyyy hh:mm',
  time: 'hh:mm',
  noDay: 'Write the day as 28/11/2026.',
  noMoment: 'Write day and time as 28/11/2026 08:00.',
  noTime: 'Write the time as 08:00.',
  choose: 'Choose a day',
  before: 'Month before',
  after: 'Month after',
  months: 'January February March April May June July August September October November December',
} as const;

export const time = {
  now: 'just now',
  ago: '{text} ago',
  ahead: 'in {text}',
  length: LANE_EN.length,
} as const;

export const settleFields = {
  how: 'How',
  choose: 'Choose …',
  paidWith: 'Received as',
  ways: {
    kiosk: 'Paid: the money was received',
    'owner-invoice': 'Invoice to the owner of the vehicle',
    'company-invoice': 'Invoice to the customer of the visit',
    whitelisted: 'Free: a permit was meant',
    void: 'Void: nobody has to pay',
  },
  effects: {
    kiosk:
      'The visit is settled in full and gets a paid invoice, which names how the money was received. It counts as income.',
    'owner-invoice':
      'The visit gets an invoice to the registered owner. It waits for a payer where the register names none.',
    'company-invoice':
      'The amount goes to the next collective invoice of its customer. Without a customer, the invoice waits for a payer.',
    whitelisted: 'The amount is given up, as with a permit.',
    void: 'The amount is given up, and a visit that is still inside ends. The reason is stored.',
  },
} as const;

export const dialog = {
  discard: 'Press Escape once more to discard what you typed.',
} as const;

export const conflict = {
  before: 'Before',
  theirs: 'Saved meanwhile',
  yours: 'Yours',
} as const;

export const unsaved = {
  title: 'Leave without saving?',
  text: 'What you typed here is not saved. If you leave, it is lost.',
  stay: 'Stay here',
  leave: 'Leave without saving',
} as const;

export const downloadButton = {
  stop: 'Stop ({amount})',
  brokenOff: 'The file broke off. Try again.',
} as const;

export const picture = {
  missing: 'No picture',
  enlarge: 'Enlarge: {name}',
} as const;

export const countField = {
  label: 'Type the number of visits: {count}',
  hint: 'This prevents giving up money by mistake.',
  other: 'The number is {count}.',
} as const;

export const numberField = {
  noNumber: 'This is not a number. Write it as 1,234.5.',
  noWholeNumber: 'This is not a number. Write 1234 or 1,234.',
  notWhole: 'Write a whole number.',
  tooManyDecimals: 'At most {digits: one one decimal | other # decimals}.',
  tooSmall: 'At least {min}.',
  tooLarge: 'At most {max}.',
} as const;

export const bulkDialog = {
  stop: 'Stop',
  progress: '{done} {total: none done | other of # done}',
  stopped: 'Stopped. What was done stays done.',
  finished: 'Finished',
  failures: '{count} failed',
} as const;

export const vatFields = {
  choose: 'Choose …',
  open: 'Not decided',
  categories: {
    S: 'VAT is in the price',
    E: 'Exempt from VAT',
    O: 'Not subject to VAT',
    Z: 'Zero rate',
  },
  ofSite: 'As its site says',
  rate: 'VAT in percent',
  reason: 'Why there is no VAT',
  otherReason: 'Another reason',
  reasonText: 'The reason, as documents show it',
  from: 'From',
  prices: 'VAT of prices',
  fees: 'VAT of service fees and late fees',
  remove: 'Remove',
  add: 'Add VAT from a day on',
  reasonHint: 'With the law, in the language of your documents.',
  hint: 'An accountant decides this. In Iceland the letting of parking spaces may be exempt where a service fee is not.',
};
