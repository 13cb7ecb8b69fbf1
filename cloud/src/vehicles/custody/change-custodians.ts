import { randomUUID } from 'node:crypto';
import { findAccount } from '../../accounts/record/find-account.ts';
import { auditOf } from '../../audit/audit.ts';
import { findCustomer } from '../../customers/find-customer.ts';
import type { Db, Queries, Tx } from '../../db/db.ts';
import { type Actor, ALL_ROWS, ownRows } from '../../http/caller.ts';
import { NOT_FOUND, type Refused, type RefusedInput, refusedInput } from '../../refused.ts';
import { assignCustomer } from '../../visits/record/assign-visits.ts';
import { knownHolders } from '../known-holders.ts';
import { publishVehicle } from '../publish-vehicle.ts';
import type { CustodianRow } from '../record/custodian-table.ts';
import { vehicleById } from '../record/find-vehicles.ts';
import { holdersOf } from '../record/vehicle.ts';
import type { VehicleRow } from '../record/vehicle-table.ts';
import { vehicleOfPlate } from '../save-vehicle.ts';
import { overlappingCustody } from '../vehicle-custody.ts';
import { custodianFrom, type NewCustodian } from './custodian.ts';
import { findCustodian, insertCustodian, updateCustodianRow } from './custodian-store.ts';

const auditCustodian = auditOf('custodian', custodianFrom);

export type CustodianResult = { ok: true; custodian: CustodianRow } | Refused;

/** Gives a vehicle into custody; sites know it at once. Visits that began before stay whose they are. */
export async function createCustodian(db: Db, actor: Actor, body: NewCustodian): Promise<CustodianResult> {
  return await db.write(async (tx) => {
    const holder = await chooseHolder(tx.q, actor, body);
    const dateFrom = body.dateFrom ?? actor.at;
    const { dateTo = null } = body;
    const messages = [...(holder.ok ? [] : holder.messages), ...periodMistakes(actor, dateFrom, dateTo)];
    const vehicle = await chooseVehicle(tx, actor, body, messages);
    if (vehicle === null || !holder.ok) return refusedInput(...messages);
    if (!(await mayTake(tx.q, actor, vehicle))) return refusedInput(ANOTHERS);
    const custodian: CustodianRow = {
      id: randomUUID(),
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
    if (before.status === 'archived') return { ok: true };
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
    const messages = given.map(([name]) => `${name}: only operators may set it`);
    if (own.customerId === null) messages.push('your account belongs to no customer');
    return messages.length === 0 && own.customerId !== null
      ? { ok: true, customerId: own.customerId, accountId: null }
      : refusedInput(...messages);
  }
  const account = accountId === undefined ? null : await findAccount(q, accountId);
  const chosen = customerId ?? account?.customerId ?? null;
  const messages: string[] = [];
  if (accountId !== undefined && account === null) messages.push('accountId: there is no such account');
  if (chosen === null) messages.push('customerId: say whose custody it is');
  else if ((await findCustomer(q, chosen, ALL_ROWS)) === null) {
    messages.push('customerId: there is no such customer');
  } else if (account !== null && account.customerId !== chosen) {
    messages.push('accountId: the account belongs to another customer, or to none');
  }
  if (messages.length > 0 || chosen === null) return refusedInput(...messages);
  return { ok: true, customerId: chosen, accountId: account?.id ?? null };
}

function periodMistakes({ at, caller }: Actor, dateFrom: string, dateTo: string | null): string[] {
  return [
    // Or anybody could see the visits of a car that was somebody else's then.
    ...(dateFrom < at && !ownRows(caller).all ? ['dateFrom: only operators may set one that is past'] : []),
    ...(dateTo !== null && dateTo <= dateFrom ? ['dateTo: the end is after the beginning'] : []),
  ];
}

/** The vehicle that is named, made where it is not known; null where there are mistakes, added to the others. */
async function chooseVehicle(
  tx: Tx,
  { at, caller }: Actor,
  { plate, vehicleId }: NewCustodian,
  messages: string[],
): Promise<VehicleRow | null> {
  if ((plate === undefined) === (vehicleId === undefined)) {
    messages.push('plate: give the plate, or else the vehicleId');
    return null;
  }
  if (plate !== undefined) return messages.length > 0 ? null : await vehicleOfPlate(tx, plate, at);
  const vehicle = vehicleId === undefined ? null : await vehicleById(tx.q, vehicleId);
  // Vehicle ids are visible to operators and to the vehicle's custodian.
  const known = vehicle !== null && (ownRows(caller).all || (await isOwnVehicle(tx.q, caller, vehicle)));
  if (!known) messages.push('vehicleId: there is no such vehicle');
  return messages.length > 0 ? null : vehicle;
}

const ANOTHERS = 'plate: the vehicle is registered to somebody else; an operator can give it to you';

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

/** Sees that nobody else has the vehicle then. @returns why not, or null */
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
    return refusedInput('plate: the vehicle is in somebody else’s custody then');
  }
  const message = 'The vehicle is in custody then already.';
  return { ok: false, reason: 'already-there', id: other.id, message };
}

async function release(tx: Tx, actor: Actor, before: CustodianRow, at: string): Promise<void> {
  const end = at < before.dateFrom ? before.dateFrom : at;
  const after: CustodianRow = {
    ...before,
    dateTo: before.dateTo !== null && before.dateTo < end ? before.dateTo : end,
    // Until somebody else’s begins it goes on; its date sees to the end.
    status: at > actor.at ? before.status : 'archived',
    modifiedAt: actor.at,
  };
  await updateCustodianRow(tx.q, after);
  await auditCustodian(tx, actor, 'custodian.release', before, after);
}

async function notifySites(tx: Tx, { plate }: VehicleRow, { at }: Actor): Promise<void> {
  if (plate !== null) await publishVehicle(tx, plate, at);
}
