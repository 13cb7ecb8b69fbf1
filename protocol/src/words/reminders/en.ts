/** The steps and states of reminders, in console and files. */
export const REMINDER_EN = {
  steps: {
    warning: 'Warning',
    letter: 'Letter of collection',
    'second-letter': 'Second letter',
    'third-letter': 'Third letter',
  },
  states: {
    waiting: 'Waits for the mail',
    delivered: 'Delivered',
    failed: 'The mail came back',
    paper: 'To be delivered by hand',
  },
} as const;
