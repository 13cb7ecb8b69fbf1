import type { UtcTime } from '@hlid/protocol/utc-time';
import { type AttemptLimit, countAttempt, forgetAttempts, giveBackAttempts } from '../auth/attempt-limit.ts';
import { hashSecret } from '../auth/token-secret.ts';
import { wasUsedOn } from '../auth/tokens.ts';
import type { Queries } from '../db/db.ts';
import { findLogin, loginName } from './record/login-store.ts';

/**
 * Attempts within the window. One address may try one login a few times, all its logins more often (an office
 * shares one); the limit of a login over all addresses is wide, as strangers could otherwise lock its owner out.
 */
const LIMITS = { pair: 10, login: 100, address: 60, device: 10 } as const;

/**
 * Mails that let somebody set a new password: few to one address, from all callers together. If strangers use up
 * the limit, the owner has their mails.
 */
const RECOVERY_LIMITS = { login: 3, address: 20 } as const;

/** Who tries: the name of the login, and from where. */
export interface Attempting {
  name: string;
  address: string;
  /** As the device calls itself; only its owner knows that. */
  deviceUuid?: string;
}

/**
 * Counts an attempt before its password is looked at, so that attempts at the same time count too. A device on which the
 * login was used within a month has attempts of its own: strangers who use up the others do not lock it out.
 *
 * @returns seconds to wait, or null and what it was counted against
 */
export async function countLoginAttempt(q: Queries, who: Attempting, now: UtcTime): Promise<CountedAttempt> {
  if (who.deviceUuid !== undefined && (await isKnownDevice(q, who.name, who.deviceUuid))) {
    const own = { key: deviceKey(who.name, who.deviceUuid), limit: LIMITS.device };
    if ((await countAttempt(q, [own], now)) === null) return { wait: null, against: 'device' };
  }
  return { wait: await countAttempt(q, limitsOf(who), now), against: 'address' };
}

export interface CountedAttempt {
  wait: number | null;
  against: 'device' | 'address';
}

async function isKnownDevice(q: Queries, name: string, deviceUuid: string): Promise<boolean> {
  const found = await findLogin(q, name);
  return found !== null && (await wasUsedOn(q, found.login, deviceUuid));
}

/** Counts a wish for mail to set a new password. @returns as `countLoginAttempt` */
export async function countRecovery(q: Queries, who: Attempting, now: UtcTime): Promise<number | null> {
  const limits = [
    { key: `recover ${hashSecret(loginName(who.name))}`, limit: RECOVERY_LIMITS.login },
    { key: `recover-address ${who.address}`, limit: RECOVERY_LIMITS.address },
  ];
  return await countAttempt(q, limits, now);
}

/** The password was right: the login's count starts anew, and the address has its attempt back, where it counted. */
export async function forgiveLoginAttempt(
  q: Queries,
  who: Attempting,
  { against }: CountedAttempt,
): Promise<void> {
  const [pair, login, address] = limitsOf(who);
  const { name, deviceUuid } = who;
  const device = deviceUuid === undefined ? [] : [deviceKey(name, deviceUuid)];
  await forgetAttempts(q, [pair.key, login.key, ...device]);
  if (against === 'address') await giveBackAttempts(q, [address.key]);
}

function deviceKey(name: string, deviceUuid: string): string {
  return `device ${hashSecret(`${loginName(name)} ${deviceUuid}`)}`;
}

function limitsOf({ name, address }: Attempting): [AttemptLimit, AttemptLimit, AttemptLimit] {
  // Hashed: people type passwords where the login's name belongs.
  const login = hashSecret(loginName(name));
  return [
    { key: `pair ${address} ${login}`, limit: LIMITS.pair },
    { key: `login ${login}`, limit: LIMITS.login },
    { key: `address ${address}`, limit: LIMITS.address },
  ];
}
