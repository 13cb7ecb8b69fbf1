/** Accounts, logins, sessions, drivers and customers. */
export const PEOPLE_EN = {
  'wrong-login': 'Wrong id or password.',
  'browser-login-needed':
    'This login has a second factor, so its password does not do alone: log in by a browser.',
  'wrong-proof': 'is not right, or was used before',
  'not-beside-invitation': 'who is invited chooses the password',
  'passkey-counter':
    'This passkey has counted back: it may be a copy, or its device was restored. Log in another way, then remove it.',
  'passkey-refused': 'The passkey was not accepted, or too late: begin anew.',
  'no-session-to-prove': 'It is for sessions: a bearer token needs no fresh proof.',
  'email-taken': ({ accountId }: { accountId: string }) =>
    `The account ${accountId} logs in by that email address already.`,
  'ssn-taken': ({ accountId }: { accountId: string }) =>
    `The account ${accountId} logs in by that national id already.`,
  'driver-email-taken': 'another driver has it',
  'customer-taken': 'There is a customer with that national id already.',
  'not-beside-new-customer': 'not beside a new customer',
  'people-permission-needed': 'only operators with the permission people may change it',
  'operators-change': 'only operators may change it',
  'last-operator': 'It is the last active operator who may do everything: make another one first.',
  'no-successor': 'choose another account that is active, of an operator or of the same customer',
  'has-password':
    'This person has chosen a password already. "Forgot password" at the login sends a new link.',
  'cannot-be-invited': 'This account is not active, or the login has run out: change that first.',
  'operators-have': 'only an operator has them',
  'give-what-you-have': 'you may give only what you have',
  'password-changed': 'The password was changed by somebody else just now.',
  'password-or-login': 'is required, or log in anew first',
  'wrong-password': 'is not right',
  unchangeable: 'it cannot be changed',
  'email-or-plate': 'send either email or plate',
  'method-not-offered': 'is not offered here',
  'session-used': 'it is used already; begin with a new one',
  'phone-needed': 'is required: the number of an Icelandic mobile phone',
  'kennitala-needed': 'is required: the national id of a person',
  'totp-there': 'There are codes by time already: remove them first.',
  'nothing-to-confirm': 'There is nothing to confirm: begin first.',
  'wrong-code': 'is not right; look at the clock of your telephone too',
  'passkey-there': 'This passkey is there already.',
  'second-factor-first': 'Set up a second factor first.',
  'passkey-not-made': 'is not accepted, or too late: begin anew',
  'password-not-enough': 'this login has a second factor: send a code or a passkey',
};
