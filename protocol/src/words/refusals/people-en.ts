/** Accounts, logins, sessions, drivers and customers. */
export const PEOPLE_EN = {
  'wrong-login': 'Wrong id or password.',
  'browser-login-needed':
    'This login has a second factor, so its password does not do alone: log in by a browser.',
  'wrong-proof': 'is not right, or was used before',
  'passkey-refused': 'The passkey was not accepted, or too late: begin anew.',
  'no-session-to-prove': 'It is for sessions: a bearer token needs no fresh proof.',
  'email-taken': ({ accountId }: { accountId: string }) =>
    `The account ${accountId} logs in by that email address already.`,
  'ssn-taken': ({ accountId }: { accountId: string }) =>
    `The account ${accountId} logs in by that national id already.`,
  'driver-email-taken': 'another driver has it',
  'customer-taken': 'There is a customer with that national id already.',
};
