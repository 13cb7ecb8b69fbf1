import { HOUR_MS } from '@hlid/protocol/base/durations';
import { z } from 'zod';
import type { LinkedSite } from '../harness/linked-site.ts';
import type { SeededRandom } from '../sim/seeded-random.ts';

const PLATES = Array.from({ length: 24 }, (_, n) => `CAR${10 + n}`) as [string, ...string[]];
/** Vehicles of a customer with a quota. */
const COMPANY = PLATES.slice(0, 4);

/** Adds a customer with prepaid units and with vehicles among those that drive. */
export async function addCompany({ operator }: LinkedSite): Promise<void> {
  const made = async (path: string, body: object) =>
    (await operator().call(z.looseObject({ id: z.string() }), 'POST', path, body)).id;
  const customer = await made('/customers', {
    account: { role: 'customer', status: 'active', name: 'Company' },
    customer: { name: 'Company', language: 'is', options: {} },
  });
  for (const plate of COMPANY) await made('/custodians', { plate, customerId: customer });
  const product = await made('/products', {
    type: 'quota',
    productCode: 'TEN',
    vehicleCategory: 'light',
    price: 4000,
    currency: 'ISK',
    name: { is: 'Sólarhringar', en: 'Days' },
  });
  await made('/quotas', { customer, product, quantity: 30 });
}

/** Cars in and out at random, a few hours apart. */
export async function drive(linked: LinkedSite, random: SeededRandom, cars: number): Promise<void> {
  for (let car = 0; car < cars; car++) {
    linked.wait(random.between(120_000, HOUR_MS / 2));
    const plate = random.pick(PLATES);
    const isIn = linked
      .site()
      .db.prepare('SELECT 1 FROM visit WHERE plate = ? AND ended_at IS NULL')
      .get(plate);
    const lane = isIn ? 'out-1' : random.chance(0.5) ? 'in-1' : 'in-2';
    await linked
      .site()
      .read(lane, random.chance(0.03) ? null : plate, { eventKey: `${linked.now()}-${lane}` });
  }
}

/** A person in the cloud corrects and settles some of the visits that are open. */
export async function edit(linked: LinkedSite, random: SeededRandom): Promise<void> {
  const operator = linked.operator();
  for (const { id, plate } of await operator.visits({ status: 'open' })) {
    const choice = random.between(0, 9);
    const reason = 'seen in the picture';
    if (choice === 0) await operator.ask('PUT', `/visit/${id}`, { paymentStatus: 'kiosk', reason });
    if (choice === 1) await operator.ask('PUT', `/visit/${id}`, { paymentStatus: 'void', reason });
    if (choice === 2 && plate !== null)
      await operator.ask('PUT', `/visit/${id}`, { plate: `${plate}X`, reason });
    if (choice === 3) await operator.ask('PUT', `/visit/${id}`, { status: 'need-payment', reason });
  }
  if (random.chance(0.5)) {
    const plate = `BYHAND${random.between(0, 999)}`;
    const startedOn = new Date(Date.parse(linked.now()) - HOUR_MS).toISOString();
    await operator.ask('POST', '/visits', { startedOn, plate, reason: 'came by the back door' });
  }
}

/** Every car inside comes to the exit, and each debt is settled there. */
export async function emptySite(linked: LinkedSite): Promise<void> {
  const open = () =>
    linked
      .site()
      .db.prepare('SELECT id, plate FROM visit WHERE ended_at IS NULL AND plate IS NOT NULL')
      .all() as { id: string; plate: string }[];
  for (const { id, plate } of open()) {
    linked.wait(200_000);
    await linked.site().read('out-1', plate, { eventKey: `${linked.now()}-out` });
    if (!open().some((visit) => visit.id === id)) continue;
    await linked.settled();
    await linked.operator().settle(id, 'kiosk', 'paid at the exit');
    await linked.settled();
    linked.wait(200_000);
    await linked.site().read('out-1', plate, { eventKey: `${linked.now()}-out` });
  }
}
