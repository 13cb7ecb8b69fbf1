/**
 * The layers of the cloud (ADR 48), lowest first. A folder imports only from folders that stand before it in this list.
 * A name with a slash is a part of a feature that has a place of its own; the files of `cloud/src` itself are named, and
 * the others of them are below everything.
 */
const layers = {
  platform: [
    'card-gateways',
    'config',
    'db',
    'jobs',
    'storage',
    'photos/storage',
    'vehicle-registry',
    'broker',
    'electronic-id/provider',
    'http',
    'audit',
    'webhooks/events',
  ],
  access: ['accounts/record', 'drivers/record', 'auth', 'second-factors', 'mail', 'feed', 'views'],
  records: [
    'visits/record',
    'passages',
    'devices',
    'sites',
    'zones',
    'calls',
    'cameras',
    'customers',
    'vehicles/record',
  ],
  'what visits rest on': [
    'invoices',
    'payments',
    'vehicles',
    'products',
    'quotas',
    'sites/change',
    'products/change',
    'whitelist',
    'accounts',
    'electronic-id',
    'customers/change',
    'vehicles/custody',
    'tokens',
    'sessions',
  ],
  visits: ['visits/price', 'visits/change', 'visits/intake', 'visits/list', 'visits/edit'],
  'what rests on visits': [
    'online-payments',
    'refunds',
    'receipts',
    'pay/link',
    'drivers/charge',
    'invoices/billing',
    'invoices/document',
    'lanes',
  ],
  flows: [
    'gates',
    'feed/delivery',
    'sites/enrol',
    'rollouts',
    'photos',
    'device-commands',
    'search',
    'review',
    'timeline',
    'ingest',
    'kiosk',
    'pay',
    'drivers',
    'reports',
    'webhooks',
    'live',
    'devices/alarms',
    'backup',
    'monitor',
  ],
  erasure: ['retention', 'privacy'],
  program: [
    'ping',
    'docs',
    'console',
    'price-command',
    'cloud-runs',
    'site-of-thing',
    'app',
    'cloud',
    'command-line',
    'main',
  ],
};

/** The exceptions are imports that may point up, and why. */
export const table = {
  layers,
  exceptions: {
    'db/scan-jobs.ts -> reports/scan-visit-stats.ts':
      'a worker thread loads its scans by name when needed (ADR 13)',
    'db/scan-jobs.ts -> reports/scan-traffic.ts':
      'a worker thread loads its scans by name when needed (ADR 13)',
    'db/scan-jobs.ts -> reports/scan-visit-file.ts':
      'a worker thread loads its scans by name when needed (ADR 13)',
  },
  /** A feature uses another one's use cases, never its stores, and writes to no table of another one but to erase. */
  ownStores: true,
  writesAllTables: layers.erasure,
};
