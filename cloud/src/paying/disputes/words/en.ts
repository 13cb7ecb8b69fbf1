/** The texts of the answer to a dispute. */
export const DISPUTE_MAIL_EN = {
  greeting: 'Hello,',
  subject: {
    upheld: 'Your objection was upheld',
    rejected: 'Answer to your objection',
    received: 'Your objection has arrived',
    message: 'A message about your objection',
  },
  upheld: 'We have looked at your objection, and you are right.',
  voided: 'There is nothing to pay for the stay.',
  rejected: 'We have looked at your objection and cannot uphold it. The amount stands.',
  received:
    'Your objection has arrived. We answer by {by}. Until then nothing is charged automatically, and nothing is added.',
  see: 'See how it stands, or add something:',
  waived: '{amount} of what is due is taken off.',
  refunded: '{amount} goes back the way it was paid.',
  credited: '{amount} is credited on the invoice.',
  invoice: 'Invoice no. {number}',
} as const;
