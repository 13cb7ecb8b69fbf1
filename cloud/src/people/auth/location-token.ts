import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Tx } from '../../platform/db/db.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { ROUTE_ACCESS, type Who, whoIs } from './route-access.ts';
import { issueToken } from './tokens.ts';

/** The time is long enough to follow a redirect, on a slow line too. */
const LIFE_MS = 15 * MINUTE_MS;

/**
 * The `Location` of what a caller has made. It is plain for people who may read there. It has
 * `?access_token=…` for machines, which follow it without their own token, and for callers that may create
 * but not read. The token is valid for GET of exactly that path, for 15 minutes.
 */
export async function withLocationToken(tx: Tx, caller: Caller, path: string, at: UtcTime): Promise<string> {
  if (caller.kind === 'cloud' || !needsToken(caller, path)) return path;
  const life = { from: at, until: utcTime(millis(at) + LIFE_MS) };
  const { token } = await issueToken(tx.q, { path }, life);
  return `${path}?access_token=${token}`;
}

function needsToken(caller: Exclude<Caller, { kind: 'cloud' }>, path: string): boolean {
  const readers = readersOf(path);
  if (!readers.includes('location-token')) return false;
  return caller.kind !== 'account' || !readers.includes(whoIs(caller));
}

const READABLE = Object.entries(ROUTE_ACCESS)
  .map(([route, { who }]) => ({ route, parts: partsOf(route.split(' ')[1] ?? ''), readers: who }))
  .filter(({ route }) => route.startsWith('GET '))
  .sort((one, other) => parameters(one.parts) - parameters(other.parts));

/** The callers that may read a path, by the route that matches with the fewest parameters. */
function readersOf(path: string): readonly Who[] {
  const parts = partsOf(path);
  return READABLE.find((route) => fits(route.parts, parts))?.readers ?? [];
}

function fits(wanted: readonly string[], parts: readonly string[]): boolean {
  return (
    wanted.length === parts.length &&
    wanted.every((part, place) => part.startsWith(':') || part === parts[place])
  );
}

function partsOf(path: string): string[] {
  return path.split('/');
}

function parameters(parts: readonly string[]): number {
  return parts.filter((part) => part.startsWith(':')).length;
}
