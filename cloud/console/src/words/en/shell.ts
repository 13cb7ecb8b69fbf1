export const shortcuts = {
  title: 'Keys',
  single: 'Single keys act',
  help: 'Show the keys',
  after: 'then',
} as const;

export const pageError = {
  title: 'This page could not be shown',
  ours: 'The mistake is in the program, not in what you did. What was saved is saved.',
  reload: 'Load the console again',
} as const;

export const pickers = {
  search: 'Search by name',
  nothing: 'Nothing found',
  failed: 'No answer',
  choose: 'Choose …',
} as const;

export const connectionBadge = {
  connected: 'Connected',
  lost: 'Not connected',
  never: 'Never connected',
  revoked: 'Access revoked',
  archived: 'Archived',
} as const;

export const paletteActs = {
  open: 'Open {lane} …',
  opening: 'Open the site step by step',
  firstSteps: 'First steps of a new installation',
  themes: {
    dark: 'Dark',
    light: 'Light',
    system: 'Colours of the system',
  },
  language: 'Íslenska',
  keys: 'Show the keys',
  logOut: 'Log out',
  invite: 'Invite a person',
  adds: {
    visits: 'New visit',
    permits: 'New permit',
    customers: 'New customer',
    vehicles: 'New vehicle',
    quotas: 'New quota',
    products: 'New product',
    accounts: 'New account',
    cameras: 'New camera',
    zones: 'New zone',
    sites: 'New site',
    webhooks: 'New webhook',
  },
} as const;

export const roomNames = {
  now: 'Now',
  visits: 'Visits',
  review: 'Review',
  money: 'Money',
  approvals: 'Approvals',
  permits: 'Permits',
  customers: 'Customers',
  company: 'My company',
  vehicles: 'Vehicles',
  quotas: 'Quotas',
  accounts: 'Accounts',
  devices: 'Devices',
  cameras: 'Cameras',
  zones: 'Zones',
  sites: 'Sites',
  upgrades: 'Upgrades',
  products: 'Products',
  reports: 'Reports',
  audit: 'Audit log',
  webhooks: 'Webhooks',
  mail: 'Mail',
  privacy: 'Privacy',
  training: 'Training',
  login: 'My login',
} as const;

export const shell = {
  roomHelp: 'What this page is for',
  menu: 'Menu',
  rooms: 'Rooms',
  skip: 'To the content',
  skipToList: 'To the list',
  find: 'Find …',
  live: 'Live',
  connecting: 'Connecting …',
  stale: 'No connection for {since}. What is shown may be old.',
  account: 'Account',
  logOut: 'Log out',
  language: 'Íslenska',
  themes: {
    system: 'Colours of the system',
    light: 'Light',
    dark: 'Dark',
  },
  keys: 'Keys',
  goTo: 'Go to {room}',
  waiting: 'waiting',
} as const;

export const pictureNow = {
  title: 'Picture now',
  take: 'Take a picture',
  again: 'Take another picture',
  taking: 'The camera is taking a picture …',
  hint: 'What the camera sees at this moment. The picture is erased after ten minutes, and the audit log has who took it.',
  taken: 'Taken',
  erased: 'is erased',
  of: '{camera} now',
  screen: 'Screen now',
  screenHint:
    'What the driver at the kiosk sees at this moment. The picture is erased after ten minutes, and the audit log has who took it.',
} as const;

export const listKeys = {
  next: 'Next row of the list',
  previous: 'Previous row of the list',
  choose: 'Select the row',
  open: 'Open the row',
  openTab: 'Open the row in another tab',
  ends: 'First or last row',
  all: 'Select all rows',
  close: 'Close the dialog',
} as const;

export const find = {
  title: 'Find',
  placeholder: 'Plate as heard, invoice, customer, room, action …',
  label: 'Find a plate, an invoice or a customer',
  results: 'Results',
  cars: 'Cars',
  invoices: 'Invoices',
  customers: 'Customers',
  rooms: 'Rooms',
  acts: 'Actions',
  all: 'All results for “{text}”',
  nothing: 'Nothing found',
  nothingHint: 'Try fewer characters. Plates that differ by one character are found too.',
  begin: 'Type a plate as you heard it, an invoice number, or a name.',
  matches: {
    equal: 'Same plate',
    confusable: 'Characters that cameras confuse',
    near: 'One character different',
    prefix: 'Begins so',
  },
  other: '{found} for {typed}',
  surplus: '{found} more',
  missing: '{typed} missing',
  inside: 'Inside',
  left: 'Left',
  entered: 'Entered',
  invoice: 'Invoice {number}',
  count: '{count} {count: one result | other results}',
  purpose: 'Purpose',
  purposeHint: 'It is stored in the audit log with the plates that you search for.',
} as const;

export const firstStepsLine = {
  title: 'First steps',
  done: 'First steps: {done} of {total} are done.',
  show: 'Show what is left',
  putAway: 'Put away',
} as const;

export const checklist = {
  'to-do': 'To do',
  waiting: 'Waiting',
  done: 'Done',
  failing: 'Failing',
  progress: '{done} of {total} done',
} as const;
