/** The texts of the page of one dispute in English. */
export const OBJECTION_EN = {
  title: 'Your objection',
  ended: 'This link has ended. Call us if you still have a question.',
  by: 'We answer by {at}.',
  driver: 'You',
  office: 'The office',
  message: 'Add a message',
  send: 'Send message',
  withdraw: 'Withdraw the objection',
  withdrawSure: 'Yes, withdraw it: I pay',
  given: {
    void: 'There is nothing to pay for the stay.',
    waive: '{amount} of what is due is taken off.',
    refund: '{amount} goes back the way it was paid.',
    credit: '{amount} is credited on the invoice.',
  },
} as const;
