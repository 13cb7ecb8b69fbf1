export const title = 'First steps';
export const intro =
  'What a new installation needs before the first car comes. Each step is ticked by itself as soon as it is done, whoever does it.';
export const allDone = 'All is done.';
export const putAway = 'Put the list away';
export const bringBack = 'Show the list again';
export const isAway = 'The list is not shown on your start page.';
export const whereAgain = 'Ctrl+K finds it again.';
export const needsSite = 'A site is needed first.';
export const mailUntried =
  'It is set up, and no mail was sent yet. The invitation of a colleague is a good first one.';
export const mailFails = 'The newest mail could not be sent. The page Mail says why.';
export const backupUntried = 'It is set up, and the first backup has not been made yet.';
export const backupFails = 'The last backup failed. The log of the cloud says why.';
export const steps = {
  'second-factor': {
    title: 'Protect your login by a second factor',
    why: 'A passkey or an app on your phone. Then a stolen password alone opens no gate and refunds nothing.',
    link: 'My login',
  },
  mail: {
    title: 'Let the system send mail',
    why: 'Invitations, receipts and alarms go by mail. Set `smtp` in the configuration of the cloud.',
    link: 'Mail',
  },
  backup: {
    title: 'Make backups',
    why: 'Set `backup` in the configuration of the cloud, with a place on another machine.',
    link: 'Backup',
  },
  site: {
    title: 'Add the first site',
    why: 'A car park with its name, its address and its clock.',
    link: 'Add a site',
  },
  seller: {
    title: 'Name the seller',
    why: 'Receipts and invoices show who sells the parking, with the VAT number.',
    link: 'Name the seller',
  },
  prices: {
    title: 'Set prices',
    why: 'Without a price nothing is due. The editor begins with common kinds of tariffs.',
    link: 'Products',
  },
  'access-point': {
    title: 'Connect an access point',
    why: 'Invoices wait to be sent electronically. Set `accessPoints` in the configuration of the cloud.',
    link: 'Invoices',
  },
  opening: {
    title: 'Open the site step by step',
    why: 'Computer, cameras, gates, terminal, signs and a test car, in order.',
    link: 'Go on',
  },
  colleague: {
    title: 'Invite a colleague',
    why: 'Somebody else who can log in when you are away, with a login of their own.',
    link: 'Accounts',
  },
} as const;
