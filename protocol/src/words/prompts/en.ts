/** The instruction to the driver at the card terminal. */
export const PROMPTS_EN = {
  wait: 'One moment …',
  'present-card': 'Hold your card or phone to the terminal',
  'insert-card': 'Insert your card into the terminal',
  'enter-pin': 'Enter your PIN on the terminal',
  'wrong-pin': 'Wrong PIN. Try again on the terminal',
  'confirm-amount': 'Confirm the amount on the terminal',
  'remove-card': 'Take your card',
  'contacting-bank': 'Asking your bank …',
  approved: 'Approved',
  declined: 'Declined',
  'see-terminal': 'Follow the instructions on the terminal',
} as const;
