import { newId } from '@hlid/node/new-id';
import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { auditOf } from '../../../people/audit/audit.ts';
import type { Db, Queries, Tx } from '../../../platform/db/db.ts';
import { type Actor, ALL_ROWS, ownRows } from '../../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, type RefusedInput, refusedInput } from '../../../platform/refused.ts';
import { findAccount } from '../../../records/accounts/find-account.ts';
import { findCustomer } from '../../../records/customers/find-customer.ts';
import type { CustodianRow } from '../../../records/vehicles/custodian-table.ts';
import { vehicleById } from '../../../records/vehicles/find-vehicles.ts';
import { publishVehicle } from '../../../records/vehicles/publish-vehicle.ts';
import { holdersOf } from '../../../records/vehicles/vehicle.ts';
import { overlappingCustody } from '../../../records/vehicles/vehicle-custody.ts';
import type { VehicleRow } from '../../../records/vehicles/vehicle-table.ts';
import { assignCustomer } from '../../../records/visits/assign-visits.ts';
import { knownHolders } from '../known-holders.ts';
import { vehicleOfPlate } from '../save-vehicle.ts';
import { custodianFrom, type NewCustodian } from './custodian.ts';
import { CUSTODIAN_ACTIONS } from './custodian-actions.ts';
import { findCustodian, insertCustodian, updateCustodianRow } from './custodian-store.ts';

const auditCustodian = auditOf('custodian', custodianFrom);

export type CustodianResult = { ok: true; custodian: CustodianRow } | Refused;

/**
 * Gives a vehicle into custody; sites are notified at once. Visits that began earlier keep their customer.
 */
export async function createCustodian(db: Db, actor: Actor, body: NewCustodian): Promise<CustodianResult> {
  return await db.write(async (tx) => {
    const holder = await chooseHolder(tx.q, actor, body);
    const dateFrom = body.dateFrom ?? actor.at;
    const { dateTo = null } = body;
    const mistakes = [...(holder.ok ? [] : holder.mistakes), ...periodMistakes(actor, dateFrom, dateTo)];
    const vehicle = await chooseVehicle(tx, actor, body, mistakes);
    if (vehicle === null || !holder.ok) return refusedInput(...mistakes);
    if (!(await mayTake(tx.q, actor, vehicle))) return refusedInput(mistake('vehicle-of-another', 'plate'));
    const custodian: CustodianRow = {
      id: newId(),
      vehicleId: vehicle.id,
      customerId: holder.customerId,
      accountId: holder.accountId,
      dateFrom,
      dateTo,
      status: 'active',
      createdAt: actor.at,
      modifiedAt: actor.at,
    };
    const taken = await makeRoom(tx, actor, custodian, body.autoRelease ?? false);
    if (taken !== null) return taken;
    await insertCustodian(tx.q, custodian);
    await auditCustodian(tx, actor, 'custodian.create', null, custodian);
    if (vehicle.plate !== null) {
      await assignCustomer(tx, vehicle.plate, holder.customerId, { from: dateFrom, until: dateTo }, actor.at);
    }
    await notifySites(tx, vehicle, actor);
    return { ok: true, custodian };
  });
}

/** Ends a custody now. One that was released before stays as it was. */
export async function releaseCustodian(db: Db, actor: Actor, id: string): Promise<{ ok: true } | Refused> {
  return await db.write(async (tx) => {
    const before = await findCustodian(tx.q, id, ownRows(actor.caller));
    if (before === null) return NOT_FOUND;
    if (CUSTODIAN_ACTIONS.release.refuse(before) !== null) return { ok: true };
    await release(tx, actor, before, actor.at);
    const vehicle = await vehicleById(tx.q, before.vehicleId);
    if (vehicle !== null) await notifySites(tx, vehicle, actor);
    return { ok: true };
  });
}

async function chooseHolder(
  q: Queries,
  { caller }: Actor,
  { customerId, accountId, autoRelease }: NewCustodian,
): Promise<{ ok: true; customerId: string; accountId: string | null } | RefusedInput> {
  const own = ownRows(caller);
  if (!own.all) {
    const given = Object.entries({ customerId, accountId, autoRelease }).filter(
      ([, value]) => value !== undefined,
    );
    const mistakes = given.map(([name]) => mistake('operators-only', [name]));
    if (own.customerId === null) mistakes.push(mistake('no-customer'));
    return mistakes.length === 0 && own.customerId !== null
      ? { ok: true, customerId: own.customerId, accountId: null }
      : refusedInput(...mistakes);
  }
  const account = accountId === undefined ? null : await findAccount(q, accountId);
  const chosen = customerId ?? account?.customerId ?? null;
  const mistakes: Mistake[] = [];
  if (accountId !== undefined && account === null) {
    mistakes.push(mistake('not-found', 'accountId', { what: 'account' }));
  }
  if (chosen === null) mistakes.push(mistake('custody-of-nobody', 'customerId'));
  else if ((await findCustomer(q, chosen, ALL_ROWS)) === null) {
    mistakes.push(mistake('not-found', 'customerId', { what: 'customer' }));
  } else if (account !== null && account.customerId !== chosen) {
    mistakes.push(mistake('account-of-another', 'accountId'));
  }
  if (mistakes.length > 0 || chosen === null) return refusedInput(...mistakes);
  return { ok: true, customerId: chosen, accountId: account?.id ?? null };
}

function periodMistakes({ at, caller }: Actor, dateFrom: string, dateTo: string | null): Mistake[] {
  return [
    // Otherwise a new holder could see the visits of a car from the time when it was another's.
    ...(dateFrom < at && !ownRows(caller).all ? [mistake('operators-backdate', 'dateFrom')] : []),
    ...(dateTo !== null && dateTo <= dateFrom ? [mistake('end-before-start', 'dateTo')] : []),
  ];
}

/** The vehicle that is named, made where it is not known; null where there are mistakes, added to the others. */
async function chooseVehicle(
  tx: Tx,
  { at, caller }: Actor,
  { plate, vehicleId }: NewCustodian,
  mistakes: Mistake[],
): Promise<VehicleRow | null> {
  if ((plate === undefined) === (vehicleId === undefined)) {
    mistakes.push(mistake('plate-or-vehicle', 'plate'));
    return null;
  }
  if (plate !== undefined) return mistakes.length > 0 ? null : await vehicleOfPlate(tx, plate, at);
  const vehicle = vehicleId === undefined ? null : await vehicleById(tx.q, vehicleId);
  // Vehicle ids are visible to operators and to the vehicle's custodian.
  const known = vehicle !== null && (ownRows(caller).all || (await isOwnVehicle(tx.q, caller, vehicle)));
  if (!known) mistakes.push(mistake('not-found', 'vehicleId', { what: 'vehicle' }));
  return mistakes.length > 0 ? null : vehicle;
}

/** Whether the register leaves a vehicle to the caller: it knows no holder, or the caller's customer is one. */
async function mayTake(q: Queries, { caller }: Actor, vehicle: VehicleRow): Promise<boolean> {
  const own = ownRows(caller);
  if (own.all) return true;
  const holders = holdersOf(vehicle);
  const isOwn = await knownHolders(q, own);
  return holders.length === 0 || holders.some(({ ssn }) => isOwn(ssn));
}

async function isOwnVehicle(q: Queries, caller: Actor['caller'], { id }: VehicleRow): Promise<boolean> {
  const own = ownRows(caller);
  const all = await overlappingCustody(q, { id: '', vehicleId: id, dateFrom: '', dateTo: null });
  return !own.all && all.some(({ customerId }) => customerId === own.customerId);
}

/** Checks that no other customer has the vehicle then. @returns why not, or null */
async function makeRoom(
  tx: Tx,
  actor: Actor,
  custodian: CustodianRow,
  autoRelease: boolean,
): Promise<Refused | null> {
  const own = ownRows(actor.caller);
  const inTheWay = await overlappingCustody(tx.q, custodian);
  const releasable = (other: CustodianRow) =>
    autoRelease && other.customerId !== custodian.customerId && other.dateFrom <= custodian.dateFrom;
  const other = inTheWay.find((one) => !releasable(one));
  if (other === undefined) {
    for (const one of inTheWay) await release(tx, actor, one, custodian.dateFrom);
    return null;
  }
  if (!own.all && other.customerId !== own.customerId) {
    return refusedInput(mistake('in-custody-of-another', 'plate'));
  }
  return { ok: false, reason: 'already-there', id: other.id, mistake: mistake('in-custody-already') };
}

async function release(tx: Tx, actor: Actor, before: CustodianRow, at: string): Promise<void> {
  const end = at < before.dateFrom ? before.dateFrom : at;
  const after: CustodianRow = {
    ...before,
    dateTo: before.dateTo !== null && before.dateTo < end ? before.dateTo : end,
    // It goes on until another custody begins; its date brings the end.
    status: at > actor.at ? before.status : 'archived',
    modifiedAt: actor.at,
  };
  await updateCustodianRow(tx.q, after);
  await auditCustodian(tx, actor, 'custodian.release', before, after);
}

async function notifySites(tx: Tx, { plate }: VehicleRow, { at }: Actor): Promise<void> {
  if (plate !== null) await publishVehicle(tx, plate, at);
}
