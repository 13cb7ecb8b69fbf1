import { pbkdf2Sync, randomBytes } from 'node:crypto';
import type { Queries } from '../../../platform/db/db.ts';
import { asc, isNotNull } from '../../../platform/db/sql.ts';
import { siteTable } from '../../../records/sites/site-table.ts';

/**
 * The rounds of `mosquitto_passwd`; a secret of 256 random bits cannot be guessed, so few rounds are enough.
 */
const ROUNDS = 101;
const SALT_BYTES = 12;
const HASH_BYTES = 64;

/**
 * The hash by which a broker outside checks a site's secret: a line of Mosquitto's password file, less the
 * name.
 */
export function brokerHash(secret: string): string {
  const salt = randomBytes(SALT_BYTES);
  const hash = pbkdf2Sync(secret, salt, ROUNDS, HASH_BYTES, 'sha512');
  return `$7$${ROUNDS}$${salt.toString('base64')}$${hash.toString('base64')}`;
}

/** Mosquitto's password file with every site that may log in. */
export async function listBrokerLogins(q: Queries): Promise<string> {
  const sites = await q
    .select({ id: siteTable.id, hash: siteTable.brokerHash })
    .from(siteTable)
    .where(isNotNull(siteTable.brokerHash))
    .orderBy(asc(siteTable.id));
  return sites.map(({ id, hash }) => `${id}:${hash}\n`).join('');
}
