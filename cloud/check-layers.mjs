import { readdirSync, readFileSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

/**
 * The layers of the cloud (ADR 48), lowest first. A folder imports only from folders that stand before it in this list.
 * A name with a slash is a part of a feature that has a place of its own; the files of `cloud/src` itself are named, and
 * the others of them are below everything.
 */
const LAYERS = {
  platform: [
    'db',
    'jobs',
    'photos/storage',
    'vehicle-registry',
    'broker',
    'http',
    'audit',
    'webhooks/events',
  ],
  access: ['accounts/record', 'auth', 'mail', 'feed'],
  records: [
    'visits/record',
    'passages',
    'devices',
    'sites',
    'zones',
    'cameras',
    'customers',
    'vehicles/record',
  ],
  'what visits rest on': [
    ...['invoices', 'payments', 'vehicles', 'products', 'quotas', 'sites/change', 'products/change'],
    ...['whitelist', 'accounts', 'customers/change', 'vehicles/custody', 'tokens'],
  ],
  visits: ['visits/price', 'visits/change', 'visits/intake', 'visits/list', 'visits/edit'],
  'what rests on visits': ['refunds', 'receipts', 'invoices/billing', 'lanes'],
  flows: [
    'feed/delivery',
    'sites/enrol',
    'photos',
    'ingest',
    'kiosk',
    'reports',
    'webhooks',
    'devices/alarms',
  ],
  erasure: ['retention', 'privacy'],
  program: ['ping', 'docs', 'price-command', 'cloud-runs', 'app', 'cloud', 'command-line', 'main'],
};

/** A worker thread loads its scans by name, when they are first needed (ADR 13). */
const ALLOWED = new Set([
  'db/scan-jobs.ts -> reports/scan-visit-stats.ts',
  'db/scan-jobs.ts -> reports/scan-visit-file.ts',
]);

const SRC = fileURLToPath(new URL('src/', import.meta.url));
const IMPORT = /^import( type)?\s([^;'"]*?)from '(\.[^']+)'|\bimport\('(\.[^']+)'\)/gm;
const RANKS = new Map(
  Object.values(LAYERS)
    .flat()
    .map((name, rank) => [name, rank]),
);

const mistakes = [];
const folders = new Set();
for (const file of readdirSync(SRC, { recursive: true, encoding: 'utf8' }).sort()) {
  if (!file.endsWith('.ts') || file.endsWith('.test.ts')) continue;
  folders.add(placeOf(file));
  const text = readFileSync(SRC + file, 'utf8');
  for (const [, type, names = '', from, lazy] of text.matchAll(IMPORT)) {
    const to = relative(SRC, resolve(dirname(SRC + file), from ?? lazy));
    if (!ALLOWED.has(`${file} -> ${to}`)) check(file, to, type === undefined ? names : null, text);
  }
}
for (const name of RANKS.keys()) {
  if (!folders.has(name)) mistakes.push(`there is no ${name}: take it out of the layers`);
}
if (mistakes.length > 0) {
  console.error(`${mistakes.join('\n')}\nThe layers of the cloud stand in cloud/check-layers.mjs (ADR 48).`);
  process.exitCode = 1;
}

/** @param names what is imported; null: types only */
function check(file, to, names, text) {
  const [from, onto] = [placeOf(file), placeOf(to)];
  if (from === onto) return;
  if (rankOf(onto) > rankOf(from)) mistakes.push(`${file} imports ${to}: ${onto} is above ${from}`);
  if (names === null || featureOf(from) === featureOf(onto)) return;
  if (to.endsWith('-store.ts')) mistakes.push(`${file} imports ${to}, a store of another feature`);
  if (to.endsWith('-table.ts') && !LAYERS.erasure.includes(from) && writesTo(names, text)) {
    mistakes.push(`${file} writes to ${to}, a table of another feature`);
  }
}

function writesTo(names, text) {
  const tables = [...names.matchAll(/(\w+)\s*[,}]/g)].map(([, name]) => name);
  return tables.some((name) =>
    new RegExp(`\\.(insert|update|delete)\\(${name}\\b|preparedInsert(<[^(]*>)?\\(${name}\\b`).test(text),
  );
}

/** The entry of the layers to which a file belongs: the longest that fits. */
function placeOf(file) {
  const parts = file.replace(/\.ts$/, '').split('/');
  for (let length = parts.length; length > 0; length--) {
    const name = parts.slice(0, length).join('/');
    if (RANKS.has(name) && (length < parts.length || length === 1)) return name;
  }
  if (parts.length > 1) mistakes.push(`${file} is in no layer`);
  return 'foundation';
}

function rankOf(place) {
  return RANKS.get(place) ?? -1;
}

function featureOf(place) {
  return place.split('/')[0];
}
