/** The texts that the cloud makes for the payment page and the sign that leads to it. */
export const PAY_EN = {
  /** How long a stay can be paid after the car has left, and what is added then. */
  afterwards: {
    beforeFee: 'Pay by {by}. After that, {fee} is added.',
    beforeNotice:
      'You can pay here until {by}. If you do not, we send a notice, and {fee} is added if it is not paid within {length} of it.',
    free: 'You can pay here until {by}, and nothing is added. After that, contact us.',
  },
  /** A line each: an SVG breaks none. */
  sign: {
    title: 'Pay with your phone',
    how: 'Scan the code and type your number plate.',
  },
} as const;
