/** What a call as a whole is refused for: who calls, from where, how often, and about what. */
export const CALLS_EN = {
  'not-found': ({ what }: { what: Thing }) => `there is no such ${THINGS[what]}`,
  'no-such-route': 'There is nothing at this address.',
  'method-not-allowed': ({ method, allowed }: { method: string; allowed: readonly string[] }) =>
    `${method} is not taken at this address; it takes ${allowed.join(', ')}.`,
  'changed-meanwhile': 'somebody changed it meanwhile; read it again, then repeat your change',
  'too-many-requests': ({ seconds }: { seconds: number }) =>
    `Too many attempts. Try again in ${seconds < 60 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`}.`,
  'send-json': 'Send JSON, and say so: Content-Type: application/json',
  'send-csv': 'Send CSV, and say so: Content-Type: text/csv',
  'body-too-large': ({ bytes }: { bytes: number }) => `A body has at most ${bytes} bytes here.`,
  'body-too-full': ({ of, max }: { of: 'escapes' | 'levels' | 'values'; max: number }) =>
    of === 'levels' ? `the JSON is nested deeper than ${max}` : `the JSON has more than ${max} ${of}`,
  malformed: ({ detail }: { detail: string }) => detail,
  'internal-error': ({ requestId }: { requestId: string }) =>
    `Something went wrong here. It is logged as ${requestId}.`,
  'not-allowed': 'You may not do this.',
  'not-logged-in': 'Log in, and send the access token as: Authorization: Bearer <token>.',
  'site-credentials-needed': 'Send the credentials of the site as: Authorization: Bearer <site id>.<secret>.',
  'api-key-needed': 'Send a valid API key in the header x-api-key.',
  'token-not-valid': 'the token in the address is not good, or no longer.',
  'camera-token-needed': ({ name }: { name: string }) =>
    `send the token of the camera in the address: ?${name}=<token>.`,
  'other-origin':
    'A session changes things only from a page of this cloud: Sec-Fetch-Site or Origin says otherwise, or is missing.',
  'second-factor-needed': 'Show your second factor first: POST /session/totp, or a passkey.',
  'no-second-factor': 'Set up a second factor first: a passkey, or codes by time.',
  'step-up-needed': 'Prove again who you are: POST /session/step-up.',
  'session-needed': 'Log in by POST /session: a bearer token does not do here.',
  'permission-needed': ({ permission }: { permission: string }) =>
    `Your account lacks the permission: ${permission}.`,
  'every-site-needed': 'It is about every site, and your account is for some of them.',
  'of-every-site': 'It is of every site, and your account is for some of them.',
  'operators-only': 'only operators may set it',
  'no-customer': 'your account belongs to no customer',
  'site-needed': 'say which of your sites',
  'not-your-site': 'your account is not for it',
  'key-form': '1 to 255 visible ASCII characters',
  'key-used-otherwise': 'it was used for another call',
  'outcome-unknown':
    'The first call with this key is under way, or was broken off: look whether it was done before you try another key.',
  'dates-reversed': ({ name }: { name: string }) => `it is before ${name}.from`,
  'event-number': 'is the number of an event',
  'purpose-form': 'a text of at most 200 characters',
};

/** What may not be there. */
export type Thing = keyof typeof THINGS;

const THINGS = {
  account: 'account',
  'account-with-codes': 'account with codes by time',
  call: 'call',
  camera: 'camera',
  code: 'code',
  custodian: 'custodian',
  customer: 'customer',
  'device-at-site': 'device at this site',
  driver: 'driver',
  invoice: 'invoice',
  'lane-at-site': 'lane at this site',
  login: 'login',
  mail: 'mail',
  'online-payment': 'online payment',
  passkey: 'passkey',
  payment: 'payment',
  photo: 'photo',
  picture: 'picture',
  product: 'product',
  quota: 'quota',
  session: 'session',
  site: 'site',
  terminal: 'terminal',
  'terminal-at-site': 'terminal at that site',
  token: 'token',
  plate: 'plate',
  'unpaid-vehicle': 'vehicle with something to pay',
  'valid-reference': 'payment: the reference is not valid, or no longer',
  vehicle: 'vehicle',
  'vehicle-known': 'vehicle here, and the register of vehicles does not answer now',
  view: 'view',
  visit: 'visit',
  'visit-at-site': 'visit at that site',
  'visit-at-terminal': 'visit at that terminal',
  webhook: 'webhook',
  'whitelist-entry': 'whitelist entry',
  zone: 'zone',
};
