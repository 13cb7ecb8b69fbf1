import type { Queries } from '../../platform/db/db.ts';
import type { OwnRows } from '../../platform/http/caller.ts';
import { findCustomer } from '../../records/customers/find-customer.ts';

/**
 * The operators and owners of vehicles that a caller may know: all for our operators, for others the caller's
 * own customer. Anybody may take a car into custody, which must not reveal its owner.
 */
export async function knownHolders(q: Queries, own: OwnRows): Promise<(ssn: string | null) => boolean> {
  if (own.all) return () => true;
  const customer = own.customerId === null ? null : await findCustomer(q, own.customerId, own);
  const ownSsn = customer?.ssn ?? null;
  return (ssn) => ssn !== null && ssn === ownSsn;
}
