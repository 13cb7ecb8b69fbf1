import type { Driver } from '@hlid/protocol/pages/driver-api';
import type { DriverAnswer, DriverCloud } from '../driver-cloud.ts';
import type { CardToStore } from '../driver-storage.ts';

/**
 * Stores the card of a payment, and adds the vehicle that it paid for. The caps come first, so that nothing
 * is charged without them. It may be repeated: after a lost answer the driver already has the card, and the
 * cloud gives it only once.
 *
 * @returns the driver, and what did not succeed
 */
export async function storeCard(
  cloud: DriverCloud,
  { payment, caps }: Pick<CardToStore, 'payment' | 'caps'>,
  token: string,
  signal: AbortSignal,
): Promise<DriverAnswer<{ driver: Driver; fault: 'no-card' | 'wrong-proof' | null }>> {
  const changed = await cloud.change({ caps }, token, signal);
  if (changed.kind !== 'ok') return changed;
  const stored = await cloud.storeCard(payment, token, signal);
  if (stored.kind === 'refused' && changed.value.card === null) {
    return { kind: 'ok', value: { driver: changed.value, fault: 'no-card' } };
  }
  if (stored.kind !== 'ok' && stored.kind !== 'refused') return stored;
  const before = stored.kind === 'ok' ? stored.value : changed.value;
  const added = await cloud.addVehicle({ payment }, token, signal);
  if (added.kind === 'refused') return { kind: 'ok', value: { driver: before, fault: 'wrong-proof' } };
  return added.kind === 'ok' ? { kind: 'ok', value: { driver: added.value, fault: null } } : added;
}
