/** The texts of the answer to a dispute. */
export const DISPUTE_MAIL_EN = {
  greeting: 'Hello,',
  subject: {
    upheld: 'Your objection was upheld',
    rejected: 'Answer to your objection',
  },
  upheld: 'We have looked at your objection, and you are right.',
  voided: 'There is nothing to pay for the stay.',
  rejected: 'We have looked at your objection and cannot uphold it. The amount stands.',
  invoice: 'Invoice no. {number}',
} as const;
