/** The texts of the page after the form of a bank. It shows both languages. */
export const RETURN_EN = {
  title: 'Payment',
  done: 'The bank has answered.',
  next: 'Continue on the payment page.',
  back: 'Continue to the payment page',
  refused: 'This answer is not valid. Nothing was paid with it.',
  busy: 'The payment service cannot be reached. Try again on the payment page.',
} as const;
