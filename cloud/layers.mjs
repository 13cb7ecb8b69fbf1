/**
 * The folders of `cloud/src`, the lowest first: each imports only from itself and from those before it (ADR 33). The
 * files of `cloud/src` itself are above all of them.
 */
export const table = {
  folders: {
    platform:
      'configuration, database, HTTP, broker, storage, jobs, and the adapters to providers of cards, identities, access points, banks and the vehicle registry',
    records: 'the tables, and how to find and store their rows; the change feed',
    people: 'who may do what: accounts, customers, sessions, tokens, second factors, audit log, mail',
    money: 'products and tariffs, quotas, invoices, the list of payments',
    vehicles: 'vehicles, whose they are, and permits',
    stays: 'visits, their prices and changes, pictures, review, search, timeline, what is due by card',
    sites:
      'sites, zones, lanes without an edge, devices, cameras, gates, calls, upgrades, the feed to a site',
    paying:
      'how drivers and customers pay: page, kiosk, stored cards, refunds, receipts, collected and electronic invoices, disputes',
    books:
      'what an accountant does: settlement files, bank statements, day closes, bookkeeping, claims at banks, reminders',
    integration:
      'what comes from sites, and what others read: reports, webhooks, live events, alarms, monitoring, documentation',
    privacy: 'retention, erasure, backups',
    program: 'how it is put together and started: app, scans, commands',
  },
  records: 'records',
  /** They erase, and restore, everywhere. */
  writesAllTables: ['privacy'],
};
