/** The texts of reminders. */
export const REMINDER_EN = {
  warningSubject: 'Warning: invoice no. {number} is unpaid – {amount}',
  letterSubject: 'Collection letter: invoice no. {number} is unpaid – {amount}',
  overdue: 'Invoice no. {number} was due on {day}, and {amount} of it is unpaid.',
  warning:
    'This is the warning that article 7 of act no. 95/2008 prescribes. If nothing is paid within {days: one # day | other # days}, collection goes on, and more charges may be added.',
  letter:
    'We warned you of this on {day}. If nothing is paid within {days: one # day | other # days}, collection goes on, and more charges may be added.',
  lastLetter: 'We warned you of this on {day}. The claim may be handed over to a collector next.',
  charge: 'The charge for this letter is {amount}, VAT included. You get an invoice for it.',
  noCharge: 'There is no charge for this letter.',
  contest:
    'If you contest the invoice, reply to us before you pay: nothing is added while your objection is open.',
  paid: 'If you have paid already, you need not do anything.',
} as const;
