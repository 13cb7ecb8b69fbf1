/** The texts for drivers that kiosk and payment page share. */
export const DRIVER_EN = {
  languages: 'Language',
  title: 'Pay for parking',
  back: 'Back',
  again: 'Try again',
  duration: {
    days: '{n} {n: one day | other days}',
    hours: '{n} h',
    minutes: '{n} min',
  },
  plate: {
    title: 'What is your number plate?',
    field: 'Number plate',
    find: 'Find my car',
    clear: 'Clear',
  },
  choose: {
    yes: 'Yes, this is my car',
  },
  question: {
    title: 'Is this your car?',
    no: 'No, not mine',
    sending: 'Opening the exit …',
  },
  notFound: {
    title: 'We cannot find {plate}',
    change: 'Change the plate',
  },
  browse: {
    day: 'Day',
  },
  due: {
    title: 'To pay',
    total: 'Total',
    what: 'What you pay for',
    vat: 'of which VAT {rate}: {amount}',
    pay: 'Pay {amount}',
    days: 'Stay longer: buy days',
    changed: 'The price has changed. Please check it again.',
    noCards: 'Cards cannot be used here right now.',
  },
  days: {
    title: 'How many days?',
    lead: 'Each day is 24 hours, from when you came in.',
    count: '{n: one day | other days}',
    perDay: '{amount} a day',
    fewer: 'One day fewer',
    more: 'One day more',
  },
  standing: {
    'nothing-due': {
      title: 'Nothing to pay',
      lead: 'You can drive out. Have a good journey!',
    },
    paid: {
      title: 'Already paid',
      lead: 'You can drive out. Have a good journey!',
    },
    whitelisted: {
      title: 'This car has a permit',
      lead: 'Nothing to pay. Have a good journey!',
    },
    invoiced: {
      title: 'You will be invoiced for this stay',
      lead: 'Nothing to pay here. Have a good journey!',
    },
    checking: {
      title: 'We are checking your payment',
      lead: 'Please do not pay again. This can take a few minutes.',
    },
    ended: {
      title: 'This car has left',
      lead: 'There is nothing left to pay here.',
    },
    'no-price': {
      title: 'We have no price for this stay',
      lead: 'Call us and we will help.',
    },
    other: {
      title: 'We cannot show this stay here',
      lead: 'Call us and we will help.',
    },
  },
  pay: {
    cancel: 'Cancel',
    cancelling: 'Cancelling …',
    reversed: 'The payment was reversed',
    reversedMore: 'The amount goes back to your card.',
    unknown: 'We are checking your payment',
    notAgain: 'Please do not pay again.',
  },
  receipt: {
    title: 'Paid. Thank you!',
    card: 'Card',
  },
  mail: {
    field: 'E-mail address',
    send: 'Send',
    wrong: 'This e-mail address is not complete.',
    privacy: 'We only use your address to send this receipt.',
  },
  leave: {
    until: 'until\u00a0{time}',
    mailed: 'The receipt is on its way.',
  },
} as const;
