import { randomUUID } from 'node:crypto';
import { PERMISSIONS } from '../../src/platform/http/caller.ts';
import type { Json } from '../api.ts';
import { nextPlate } from '../fuzz/plates.ts';

/** The rights that a walk must give, and their receivers. */
export interface Targets {
  sites: readonly string[];
  customers: readonly string[];
  accounts: readonly string[];
  products: readonly string[];
  cameras: readonly string[];
}

/** Draws by a seed, so that a failure can be had again. */
export type Draw = (below: number) => number;

export function drawsOf(seed: number): Draw {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

export function oneOf<T>(draw: Draw, values: readonly T[]): T {
  const [drawn] = [...values.entries()].slice(draw(values.length));
  if (drawn === undefined) throw new RangeError('nothing to draw from');
  return drawn[1];
}

export function someOf<T>(draw: Draw, values: readonly T[]): T[] {
  const some = values.filter(() => draw(2) === 0);
  return some.length === 0 ? [oneOf(draw, values)] : some;
}

/** Names that a body gives to things, and what stands under them. */
function drawnFor(name: string, value: unknown, draw: Draw, targets: Targets): unknown {
  const { sites, customers, accounts, products, cameras } = targets;
  switch (name) {
    case 'siteId':
      return draw(4) === 0 ? null : oneOf(draw, sites);
    case 'siteIds':
      return draw(3) === 0 ? null : someOf(draw, sites);
    case 'permitSites':
      return draw(3) === 0 ? oneOf(draw, [null, undefined]) : someOf(draw, sites);
    case 'permissions':
      return draw(4) === 0 ? null : someOf(draw, PERMISSIONS);
    case 'billingMethod':
      return oneOf(draw, ['daily', 'monthly', 'whitelist', null]);
    case 'expireTime':
      return oneOf(draw, [60, 525_600]);
    case 'customerId':
    case 'customer':
      return typeof value === 'object' && value !== null ? value : oneOf(draw, customers);
    case 'account':
    case 'accountId':
    case 'authorId':
    case 'newAccountId':
      return typeof value === 'object' && value !== null ? value : oneOf(draw, accounts);
    case 'product':
    case 'productId':
      return typeof value === 'object' && value !== null ? value : oneOf(draw, products);
    case 'cameraId':
      return oneOf(draw, cameras);
    case 'email':
      return `${randomUUID()}@example.is`;
    case 'billingSsn':
      return oneOf(draw, [null, '120160-3389', undefined]);
    case 'ssn':
    case 'id':
      return undefined;
    default:
      return value;
  }
}

/**
 * A body that names the things of the walk; the rest stays as it was drawn.
 *
 * @param fitting values that fit the row of the call: they stay half of the time
 */
export function aimed(value: unknown, draw: Draw, targets: Targets, fitting: Json = {}): unknown {
  if (Array.isArray(value)) return value.map((one) => aimed(one, draw, targets));
  if (typeof value !== 'object' || value === null) return value;
  const fields = Object.entries(value).map(([name, one]) => {
    if (fitting[name] === one && draw(2) === 0) return [name, one] as const;
    const drawn = drawnFor(name, one, draw, targets);
    return [name, drawn === one ? aimed(one, draw, targets) : drawn] as const;
  });
  return withoutRivals(Object.fromEntries(fields), draw);
}

/** Keeps one of two fields that never go together. */
function withoutRivals(body: Json, draw: Draw): Json {
  const left: Json = { ...body };
  if (left['role'] !== undefined && left['role'] !== 'operator') {
    delete left['permissions'];
    delete left['siteIds'];
  }
  const rivals = [['expireTime', 'permitWithoutEnd'], draw(2) === 0 ? ['type', 'visitId'] : []];
  for (const [one = '', other = ''] of rivals) {
    if (left[one] !== undefined && left[other] !== undefined) delete left[draw(2) === 0 ? one : other];
  }
  return left;
}

/** A file of permits for every site of the walk. */
export function permitFile(draw: Draw, { sites }: Targets): string {
  const lines = ['', ...sites].map((siteId) => {
    const end = draw(2) === 0 ? '' : '2027-06-01T00:00:00.000Z';
    return `${nextPlate()},Staff,${siteId},${end}`;
  });
  return ['plate,reason,siteId,expireOn', ...lines].join('\n');
}
