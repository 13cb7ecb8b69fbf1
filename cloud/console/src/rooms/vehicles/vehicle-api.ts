import type { custodianRoutes } from '@hlid/cloud/vehicles/vehicles/custody/custodian-routes';
import type { vehicleRoutes } from '@hlid/cloud/vehicles/vehicles/vehicle-routes';
import { answered, apiOf, read } from '../../calls/api.ts';

const vehicleApi = apiOf<typeof vehicleRoutes>();
const custodianApi = apiOf<typeof custodianRoutes>().custodians;
type Headers = Record<string, string>;

export type Vehicle = Awaited<ReturnType<typeof readVehicle>>;
export type VehicleQuery = NonNullable<Parameters<typeof vehicleApi.vehicles.$get>[0]>['query'];
export type Overrides = Awaited<ReturnType<typeof readOverrides>>;
export type OverrideEdit = Parameters<(typeof vehicleApi.vehicle)[':plate']['override']['$post']>[0]['json'];
export type Custody = Awaited<ReturnType<typeof readCustodies>>[number];
export type NewCustody = Parameters<typeof custodianApi.$post>[0]['json'];

/** The queries that a change of a vehicle, or of who has it, makes stale. */
export const VEHICLE_QUERIES = [['vehicles'], ['vehicle'], ['custodians']] as const;

export const listVehicles = (query: VehicleQuery) => read(vehicleApi.vehicles.$get({ query }));
export const readVehicle = (plate: string) => read(vehicleApi.vehicle[':plate'].$get({ param: { plate } }));
export const readOverrides = (plate: string) =>
  read(vehicleApi.vehicle[':plate'].override.$get({ param: { plate } }));
export const correctVehicle = (plate: string, values: OverrideEdit['values'], headers: Headers = {}) =>
  read(vehicleApi.vehicle[':plate'].override.$post({ param: { plate }, json: { values } }, { headers }));
export const readCustodies = async (vehicle: string) =>
  (await read(custodianApi.$get({ query: { vehicle, include: 'customer,account' } }))).data;
export const giveCustody = (json: NewCustody, headers: Headers = {}) =>
  read(custodianApi.$post({ json }, { headers }));
export const releaseCustody = (id: string, headers: Headers = {}) =>
  answered(custodianApi[':id'].$delete({ param: { id } }, { headers }));
