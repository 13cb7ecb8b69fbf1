import { afterEach, expect, it } from 'vitest';
import { createTestApi, type TestApi } from '../../../../test/api.ts';
import type {
  RegisteredVehicle,
  VehicleRegistry,
} from '../../../platform/vehicle-registry/vehicle-registry.ts';

const NOTHING_SAID = {
  permno: null,
  vin: null,
  seats: null,
  passengers: null,
  vehicleCategory: null,
  vehicleGroup: null,
  useGroup: null,
  model: null,
  modelYear: null,
  color: null,
  massinro: null,
  taxGroup: null,
  registeredOn: null,
  country: null,
  operator: null,
  owner: null,
};
const TRUCK: RegisteredVehicle = { ...NOTHING_SAID, regno: 'TRUCK', make: 'Volvo', massladen: 18_000 };

/** A register that has one truck. */
const registry: VehicleRegistry = {
  source: 'test',
  find: (by) => Promise.resolve('plate' in by && by.plate === TRUCK.regno ? TRUCK : null),
};

let api: TestApi;
afterEach(() => api.close());
const renew = (id: string, token?: string) =>
  api.call('POST', `/visit/${id}/renewVehicle`, token === undefined ? {} : { token });

it('asks the register again, and a visit in hand is of that category from then on', async () => {
  api = await createTestApi({ vehicleRegistry: registry });
  const visit = await api.visit({ plate: 'TRUCK' });
  const answer = await renew(visit.id);
  expect([answer.status, answer.location]).toEqual([303, `/visit/${visit.id}`]);
  expect(answer.body['vehicle']).toMatchObject({ regno: 'TRUCK', make: 'Volvo', category: 'heavy' });
});

it('is refused without a vehicle, a plate, a visit or the right', async () => {
  api = await createTestApi({ vehicleRegistry: registry });
  const [unknown, unread] = [await api.visit(), await api.visit({ plate: null, status: 'need-plate' })];
  expect((await renew(unknown.id)).body['messages']).toEqual([
    'The register has no vehicle with that plate.',
  ]);
  expect((await renew(unread.id)).body['messages']).toEqual(['The visit has no plate yet.']);
  expect((await renew('none')).status).toBe(404);
  expect((await renew(unknown.id, await api.account('customer'))).status).toBe(403);
});
