import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { z } from 'zod';
import { leaseOutlasting } from '../jobs/work-lease.ts';

/** The longest time that a gateway may be given for one answer. */
export const MAX_GATEWAY_TIMEOUT_MS = 100_000;

/** The setting `timeoutMs` of a gateway. */
export function gatewayTimeout(usualMs: number) {
  return z.int().min(100).max(MAX_GATEWAY_TIMEOUT_MS).default(usualMs);
}

/** The lease of work that calls a gateway: whichever it is, its answer comes before the end, or none is awaited any more. */
export const GATEWAY_LEASE_MS = leaseOutlasting(MAX_GATEWAY_TIMEOUT_MS);
/** The lease of work that waits for such work. */
export const CHARGE_LEASE_MS = GATEWAY_LEASE_MS + MINUTE_MS;
