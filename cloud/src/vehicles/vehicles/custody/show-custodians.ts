import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { accountFrom } from '../../../people/accounts/account.ts';
import { customerViewFrom } from '../../../people/customers/customer.ts';
import type { Queries } from '../../../platform/db/db.ts';
import { inArray } from '../../../platform/db/sql.ts';
import { type Caller, ownRows } from '../../../platform/http/caller.ts';
import { accountTable } from '../../../records/accounts/account-table.ts';
import { customerTable } from '../../../records/customers/customer-table.ts';
import type { CustodianRow } from '../../../records/vehicles/custodian-table.ts';
import { vehicleFrom } from '../../../records/vehicles/vehicle.ts';
import { vehicleTable } from '../../../records/vehicles/vehicle-table.ts';
import { knownHolders } from '../known-holders.ts';
import { custodianFor, type Included, type ShownCustodian } from './custodian.ts';

/** Custodies as the API shows them, with what `include` asks for. */
export async function showCustodians(
  q: Queries,
  rows: readonly CustodianRow[],
  include: readonly Included[],
  { caller, now }: { caller: Caller; now: UtcTime },
): Promise<ShownCustodian[]> {
  const wants = (name: Included) => include.includes(name);
  const mayKnow = await knownHolders(q, ownRows(caller));
  const ids = (of: (row: CustodianRow) => string | null) => [
    ...new Set(rows.map(of).filter((id) => id !== null)),
  ];
  const vehicles = wants('vehicle')
    ? await vehiclesBy(
        q,
        ids(({ vehicleId }) => vehicleId),
      )
    : null;
  const customers = wants('customer')
    ? await customersBy(
        q,
        ids(({ customerId }) => customerId),
      )
    : null;
  const accounts = wants('account')
    ? await accountsBy(
        q,
        ids(({ accountId }) => accountId),
      )
    : null;
  return rows.map((row) => {
    const vehicle = vehicles?.get(row.vehicleId);
    const customer = customers?.get(row.customerId);
    const account = accounts?.get(row.accountId ?? '');
    return {
      ...custodianFor(caller, row),
      ...(vehicles && { vehicle: vehicle ? vehicleFrom(vehicle, now, mayKnow) : null }),
      ...(customers && { customer: customer ? customerViewFrom(customer) : null }),
      ...(accounts && { account: account ? accountFrom(account) : null }),
    };
  });
}

async function vehiclesBy(q: Queries, ids: string[]) {
  return byId(await q.select().from(vehicleTable).where(inArray(vehicleTable.id, ids)));
}

async function customersBy(q: Queries, ids: string[]) {
  return byId(await q.select().from(customerTable).where(inArray(customerTable.id, ids)));
}

async function accountsBy(q: Queries, ids: string[]) {
  return byId(await q.select().from(accountTable).where(inArray(accountTable.id, ids)));
}

function byId<Row extends { id: string }>(rows: readonly Row[]): Map<string, Row> {
  return new Map(rows.map((row) => [row.id, row]));
}
