import type { UtcTime } from '@hlid/protocol/utc-time';
import { custodyAhead } from '../custody/custody-ahead.ts';
import type { Tx } from '../db/db.ts';
import { publishChange } from '../feed/publish-change.ts';
import { vehicleByPlate } from './vehicle-store.ts';

/**
 * Tells all sites what they need to know of a plate: that its vehicle is heavy, or in whose custody it is and will be.
 * Of any other they need not know. Custody that is over is left out from here on; sites go by its dates anyhow.
 */
export async function publishVehicle(tx: Tx, plate: string, now: UtcTime): Promise<void> {
  const vehicle = await vehicleByPlate(tx.q, plate);
  const custody = vehicle === null ? [] : await custodyAhead(tx.q, vehicle.id, now);
  const category = vehicle?.category ?? 'light';
  await publishChange(
    tx,
    'all',
    category === 'light' && custody.length === 0
      ? { kind: 'vehicle', op: 'remove', id: plate }
      : { kind: 'vehicle', op: 'put', id: plate, item: { plate, category, custody } },
  );
}
