import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { Driver } from '@hlid/protocol/pages/driver-api';
import { audit } from '../../people/audit/audit.ts';
import { revokeTokensOfDriver } from '../../people/auth/tokens.ts';
import type { Db, Queries, Tx } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { isStale, STALE } from '../../platform/http/etag.ts';
import { NOT_FOUND, type Refused, type RefusedEdit } from '../../platform/refused.ts';
import {
  type DriverRow,
  findDriver,
  findDriverByEmail,
  findVehicleOfDriver,
} from '../../records/drivers/driver-store.ts';
import { driverTable } from '../../records/drivers/driver-table.ts';
import { forgetIdentity } from './driver-identities.ts';
import { eraseDriver, viewOf } from './drivers.ts';

/** A driver's account, as operators see it who help a driver. */
export interface OfficeDriver {
  row: DriverRow;
  view: Driver;
}

/** The account with a mail address, or the one to which a plate belongs. */
export async function findOfficeDriver(
  q: Queries,
  by: { email?: string | undefined; plate?: string | undefined },
): Promise<OfficeDriver | null> {
  const ofPlate = by.plate === undefined ? null : await findVehicleOfDriver(q, by.plate);
  const row =
    by.email === undefined
      ? ofPlate && (await findDriver(q, ofPlate.driverId))
      : await findDriverByEmail(q, by.email.toLowerCase());
  return row === null || (ofPlate === null && by.plate !== undefined) ? null : await officeDriver(q, row);
}

export async function officeDriver(q: Queries, row: DriverRow): Promise<OfficeDriver> {
  return { row, view: await viewOf(q, row) };
}

/** Moves the login to another mail address, or disconnects the electronic identity. Either ends all sessions. */
export async function changeDriverLogin(
  db: Db,
  actor: Actor,
  id: string,
  { email: typed, electronicId }: { email?: string | undefined; electronicId?: null | undefined },
): Promise<({ ok: true } & OfficeDriver) | RefusedEdit> {
  return await db.write(async (tx) => {
    const before = await findDriver(tx.q, id);
    if (before === null) return NOT_FOUND;
    if (isStale(actor, before)) return STALE;
    const email = typed?.toLowerCase() ?? before.email;
    const other = await findDriverByEmail(tx.q, email);
    if (other !== null && other.id !== id) {
      return {
        ok: false,
        reason: 'already-there',
        id: other.id,
        mistake: mistake('driver-email-taken', 'email'),
      };
    }
    await tx.q.update(driverTable).set({ email }).where(eq(driverTable.id, id));
    if (electronicId === null) await forgetIdentity(tx, id);
    const after = (await findDriver(tx.q, id)) ?? before;
    const [isMoved, isDisconnected] = [after.email !== before.email, after.ssn !== before.ssn];
    if (isMoved || isDisconnected) {
      await revokeTokensOfDriver(tx.q, id, actor.at);
      await auditOffice(tx, actor, 'driver.login-change', { id, after: { isMoved, isDisconnected } });
    }
    return { ok: true, ...(await officeDriver(tx.q, after)) };
  });
}

/** Deletes an account with all that belongs to it; see `Drivers.erase`. */
export async function deleteDriver(db: Db, actor: Actor, id: string): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    if ((await findDriver(tx.q, id)) === null) return NOT_FOUND;
    await eraseDriver(tx, id, actor.at);
    await auditOffice(tx, actor, 'driver.erase', { id, after: null });
    return { ok: true };
  });
}

/** Audits what the office did, without mail addresses and plates, like what drivers do themselves. */
async function auditOffice(
  tx: Tx,
  actor: Actor,
  action: string,
  { id, after }: { id: string; after: unknown },
): Promise<void> {
  await audit(tx, actor, { subject: 'driver', subjectId: id, action, before: null, after });
}
