import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { Queries } from '../../platform/db/db.ts';
import { hashSecret } from '../../platform/token-secret.ts';
import { findLogin, loginName } from '../../records/accounts/login-store.ts';
import {
  type AttemptLimit,
  addAttempts,
  attemptsOf,
  countAttempt,
  forgetAttempts,
  giveBackAttempts,
} from '../auth/attempt-limit.ts';
import { wasUsedOn } from '../auth/tokens.ts';
import type { TrustedBrowser } from '../auth/trusted-browser.ts';

/**
 * Attempts within the window. One address may try one login a few times, all its logins more often (an office
 * shares one). No login is ever closed: the more attempts come from everywhere, the fewer each address has. A
 * device on which the owner has logged in has separate attempts.
 */
const LIMITS = { pair: 10, address: 60, device: 10 } as const;
/**
 * After this number of attempts at a login, one address may try it this often. Its owner has a try from
 * everywhere.
 */
const PAIRS_UNDER_ATTACK = [
  { attempts: 1000, pair: 1 },
  { attempts: 100, pair: 3 },
] as const;

/**
 * Mails for setting a new password: few to one address, from all callers together. If strangers use up
 * the limit, the owner has their mails.
 */
const RECOVERY_LIMITS = { login: 3, address: 20 } as const;

/** An attempt: the name of the login, and the address of the caller. */
export interface Attempting {
  name: string;
  address: string;
  /** The id that the device sends; only its owner knows it. */
  deviceUuid?: string;
  /** The browser, as its cookie proves, and the logins that were used in it. */
  browser?: TrustedBrowser;
}

/**
 * Counts an attempt before its password is checked, so that attempts at the same time count too. A device on
 * which the login was used within a month has separate attempts, so that strangers who use up the others do
 * not lock it out.
 *
 * @returns the seconds to wait, or null, and the limit that it was counted against
 */
export async function countLoginAttempt(q: Queries, who: Attempting, now: UtcTime): Promise<CountedAttempt> {
  for (const device of await knownDevices(q, who)) {
    const own = { key: deviceKey(who.name, device), limit: LIMITS.device };
    if ((await countAttempt(q, [own], now)) === null) return { wait: null, against: 'device' };
  }
  const [pair, login, address] = limitsOf(who);
  const attempts = await attemptsOf(q, login.key, now);
  const limit = PAIRS_UNDER_ATTACK.find((one) => attempts >= one.attempts)?.pair ?? pair.limit;
  const wait = await countAttempt(q, [{ ...pair, limit }, address], now);
  if (wait === null) await addAttempts(q, login, 1, now);
  return { wait, against: 'address' };
}

export interface CountedAttempt {
  wait: number | null;
  against: 'device' | 'address';
}

/** The device of a caller, where the login was used on it: by the id that it sends, or by the cookie of its browser. */
async function knownDevices(q: Queries, { name, deviceUuid, browser }: Attempting): Promise<string[]> {
  if (deviceUuid === undefined && browser === undefined) return [];
  const found = await findLogin(q, name);
  if (found === null) return [];
  const isOwn = deviceUuid !== undefined && (await wasUsedOn(q, found.login, deviceUuid));
  const isTrusted = browser?.loginIds.includes(found.login.id);
  return [...(isOwn ? [deviceUuid] : []), ...(isTrusted && browser ? [browser.id] : [])];
}

/** Counts a request for mail to set a new password. @returns as `countLoginAttempt` */
export async function countRecovery(q: Queries, who: Attempting, now: UtcTime): Promise<number | null> {
  const limits = [
    { key: `recover ${hashSecret(loginName(who.name))}`, limit: RECOVERY_LIMITS.login },
    { key: `recover-address ${who.address}`, limit: RECOVERY_LIMITS.address },
  ];
  return await countAttempt(q, limits, now);
}

/**
 * The password was right: the count of this address restarts, and it has its attempt back, if that counted.
 */
export async function forgiveLoginAttempt(
  q: Queries,
  who: Attempting,
  { against }: CountedAttempt,
): Promise<void> {
  const [pair, , address] = limitsOf(who);
  const { name, deviceUuid, browser } = who;
  const devices = [deviceUuid, browser?.id].flatMap((id) => (id === undefined ? [] : [deviceKey(name, id)]));
  await forgetAttempts(q, [pair.key, ...devices]);
  if (against === 'address') await giveBackAttempts(q, [address.key]);
}

function deviceKey(name: string, deviceUuid: string): string {
  return `device ${hashSecret(`${loginName(name)} ${deviceUuid}`)}`;
}

function limitsOf({ name, address }: Attempting): [AttemptLimit, { key: string }, AttemptLimit] {
  // Hashed: people type passwords where the login's name belongs.
  const login = hashSecret(loginName(name));
  return [
    { key: `pair ${address} ${login}`, limit: LIMITS.pair },
    { key: `login ${login}` },
    { key: `address ${address}`, limit: LIMITS.address },
  ];
}
