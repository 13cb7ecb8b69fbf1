/** The texts of the lines of a price. */
export const PRICE_EN = {
  rules: {
    unit: 'Parking',
    'units-met': 'Already paid for',
    waived: 'Nothing to pay for this',
    free: 'Free time',
    step: 'Parking',
    day: 'Full day',
    'flat-rate': 'Fixed price',
    cap: 'Maximum price',
    paid: 'Already paid',
    invoiced: 'On an invoice',
    'late-fee': 'Late payment fee',
    'service-fee': 'Service fee',
  },
  caps: {
    opening: 'you pay no more than this for one period',
    week: 'you pay no more than this for one week',
    visit: 'you pay no more than this for one stay',
  },
  noVat: {
    E: 'Exempt from VAT: {reason}',
    O: 'Not subject to VAT: {reason}',
    Z: 'VAT 0%',
  },
  vatReasons: {
    'parking-rental': 'letting of parking spaces',
    'not-registered': 'the seller is not registered for VAT',
  },
  minutes: '{n} {n: one minute | other minutes}',
  hours: '{n} {n: one hour | other hours}',
  days: '{n} {n: one day | other days}',
  each: '{amount} each',
  perDay: '{amount} per started day',
} as const;
