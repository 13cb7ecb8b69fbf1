import { callerName, type RequestCaller, seesEverything } from '../../platform/http/caller.ts';

/**
 * The payer: a caller of the API, or a driver on the payment page, by an opaque id that the page can prove.
 */
export type Payer = { kind: 'caller'; caller: RequestCaller } | { kind: 'driver'; id: string };

/** The payer's name, as the payment stores it. */
export function payerName(payer: Payer): string {
  return payer.kind === 'driver' ? `driver:${payer.id}` : callerName(payer.caller);
}

export function isOffice(payer: Payer): boolean {
  return payer.kind === 'caller' && seesEverything(payer.caller);
}
