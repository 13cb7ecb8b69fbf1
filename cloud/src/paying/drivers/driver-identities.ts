import type { Driver } from '@hlid/protocol/pages/driver-api';
import { DRIVER_PATHS } from '@hlid/protocol/pages/driver-paths';
import { audit } from '../../people/audit/audit.ts';
import type { DriverLogins } from '../../people/electronic-id/check-identification.ts';
import { queueMail } from '../../people/mail/queue-mail.ts';
import type { Db, Tx } from '../../platform/db/db.ts';
import { and, eq } from '../../platform/db/sql.ts';
import { findDriverBySsn } from '../../records/drivers/driver-store.ts';
import { driverTable, driverVehicleTable } from '../../records/drivers/driver-table.ts';
import { identityMovedMail } from './charge/driver-mail.ts';
import { auditDriver, type DriverActor, known, startDriverSession, viewOf } from './drivers.ts';

/**
 * Electronic identities of drivers' accounts. A driver has at most one, and an identity at most one driver. It is there
 * from the moment at which a driver who is logged in has connected it, and it makes no account.
 */
export const driverIdentities = (publicUrl: () => string): DriverLogins => ({
  async logIn(tx, ssn, { at, requestId }) {
    const driver = await findDriverBySsn(tx.q, ssn);
    if (driver === null) return null;
    const session = await startDriverSession(tx, driver.id, { at, requestId, method: 'electronic-id' });
    return { ...session, driverId: driver.id };
  },

  async connect(tx, { id, ssn }, { at, requestId }) {
    const driver = await known(tx.q, id);
    if (driver.ssn === ssn) return;
    const other = await findDriverBySsn(tx.q, ssn);
    if (other !== null) {
      await forgetIdentity(tx, other.id);
      await queueMail(tx, identityMovedMail(other, `${publicUrl()}${DRIVER_PATHS.page}`), at);
    }
    await forgetIdentity(tx, id);
    await tx.q.update(driverTable).set({ ssn }).where(eq(driverTable.id, id));
    const action = { subject: 'driver', action: 'driver.electronic-id-connect', before: null, after: null };
    const caller = { kind: 'cloud', part: 'electronic-id' } as const;
    await audit(tx, { caller, at, requestId }, { ...action, subject: 'driver', subjectId: id });
  },
});

export async function disconnectIdentity(db: Db, actor: DriverActor): Promise<Driver> {
  return await db.write(async (tx) => {
    const { driverId } = actor.caller;
    await forgetIdentity(tx, driverId);
    await auditDriver(tx, actor, 'driver.electronic-id-disconnect', null);
    return await viewOf(tx.q, await known(tx.q, driverId));
  });
}

/** Forgets an identity, and what the register has proved by it. */
export async function forgetIdentity({ q }: Tx, driverId: string): Promise<void> {
  const { driverId: holder, proof } = driverVehicleTable;
  await q.update(driverTable).set({ ssn: null }).where(eq(driverTable.id, driverId));
  await q.delete(driverVehicleTable).where(and(eq(holder, driverId), eq(proof, 'register')));
}
