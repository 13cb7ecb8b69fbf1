import { OnlineJournal } from '@hlid/cloud/paying/online-payments/online-journal';
import { OnlinePayments } from '@hlid/cloud/paying/online-payments/online-payments';
import { PaymentResolver } from '@hlid/cloud/paying/online-payments/payment-resolver';
import { CardGateways } from '@hlid/cloud/platform/card-gateways/card-gateways';
import { createTestApi } from '@hlid/cloud/test/api';
import { pino } from 'pino';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { VALITOR_CARDS } from '../sim/valitor-gateway-books.ts';
import { cardSource, startValitorRig, type ValitorRig } from '../sim/valitor-gateway-rig.ts';

/** Shorter than what a slow charge takes with its pauses and tries: 200 ms three times, and 500 and 1500 ms between. */
const LEASE_MS = 2000;
const SALE_MS = 200;
const LATE_MS = 300;
const PRICE = 500;
const CARD = VALITOR_CARDS.frictionless;
const DRIVER = { kind: 'driver', id: 'link-1' } as const;
const BROWSER = { ip: '192.0.2.7', userAgent: 'Firefox', acceptHeader: '*/*', language: 'is' };

let rig: Awaited<ReturnType<typeof startClouds>>;
beforeEach(async () => {
  rig = await startClouds();
});
afterEach(() => rig.close());

/** Two clouds on one database, and one provider. */
async function startClouds() {
  const log = pino({ level: 'silent' });
  const api = await createTestApi({ log });
  // The day of the tests, but time goes by.
  const [start, begun] = [api.clock.now().getTime(), performance.now()];
  const clock = { now: () => new Date(start + performance.now() - begun) };
  const valitor: ValitorRig = await startValitorRig({}, clock);
  const config = {
    kind: 'valitor-pay' as const,
    url: valitor.simulator.origin,
    apiKey: 'Test.c2ltdWxhdG9yLWtleQ==',
    acceptNotEnrolled: false,
    timeoutMs: 70_000,
    lateMs: LATE_MS,
  };
  const product = { type: 'default', price: PRICE, vehicleCategory: 'light', productCode: 'P' };
  await api.made('/products', product);
  const cloud = () => {
    const parts = { clock, log, dataDir: '/nonexistent' };
    const cardGateways = new CardGateways([{ id: 'valitor-pay', config }], 'valitor-pay', parts);
    const context = { ...api.context, clock, log, cardGateways, leaseMs: LEASE_MS };
    return {
      payments: new OnlinePayments(context),
      resolver: new PaymentResolver(context, new OnlineJournal(context)),
    };
  };
  return {
    api,
    valitor,
    first: cloud(),
    second: cloud(),
    async close() {
      valitor.release();
      await valitor.close();
      await api.close();
    },
  };
}

/** Up to where the card can be charged. @returns the payment's id and its reference */
async function authenticated({ payments }: { payments: OnlinePayments }, visitId: string) {
  const source = cardSource(CARD);
  const order = { vehicle: { visitId }, source, browser: BROWSER, language: 'is' as const };
  const begun = await payments.begin(DRIVER, order);
  if (!begun.ok || begun.next.kind !== 'challenge') throw new Error(JSON.stringify(begun));
  const { challenge } = begun.next;
  const fields = await rig.valitor.answerForm(challenge, 'accept');
  const { requests } = rig.valitor.simulator;
  const urls = requests.flatMap(({ body }) => ('authenticationUrl' in body ? [body.authenticationUrl] : []));
  await payments.readReturn(urls.at(-1)?.split('/').at(-1) ?? '', fields);
  return begun.payment;
}
const pays = { source: cardSource(CARD), threedsToken: null };

/** The requests to the provider, in order: sales, and queries of their outcome. */
function asked(): string[] {
  return rig.valitor.simulator.requests.flatMap(({ body }) => {
    if ('originalCorrelationId' in body) return [`question ${body.originalCorrelationId}`];
    return 'operation' in body && body.operation === 'Sale' ? [`sale ${body.correlationId}`] : [];
  });
}

it('a slow charge is over before another cloud asks about it, and only then the driver pays again', async () => {
  const { api, valitor, first, second } = rig;
  const visit = await api.visit({ plate: 'ABX12' });
  const { id, reference } = await authenticated(first, visit.id);
  Object.assign(valitor.simulator.faults, {
    saleMs: SALE_MS,
    codes: [
      { code: '96', books: false },
      { code: '96', books: false },
    ],
  });
  const charge = first.payments.finalize(DRIVER, reference, pays);
  await waitFor(
    async () => {
      await second.resolver.run();
      return (await second.payments.state(DRIVER, reference))?.state === 'cancelled';
    },
    { what: 'the end of the first payment' },
  );
  valitor.simulator.faults.saleMs = 0;
  const again = await authenticated(second, visit.id);
  expect(await second.payments.finalize(DRIVER, again.reference, pays)).toMatchObject({
    payment: { state: 'settled' },
  });
  await charge;
  const order = asked();
  expect(order.lastIndexOf(`sale ${id}`)).toBeLessThan(order.indexOf(`question ${id}`));
  expect(order.filter((one) => one === `sale ${id}`)).toHaveLength(2);
  expect(valitor.books()).toEqual({ takenMinor: PRICE, charges: 1 });
});

it('a charge that is still on its way when its time is over is not called unpaid by another cloud', async () => {
  const { api, valitor, first, second } = rig;
  const visit = await api.visit({ plate: 'ABX12' });
  const { reference } = await authenticated(first, visit.id);
  valitor.holdNextCharge();
  const charged = await first.payments.finalize(DRIVER, reference, pays);
  expect(charged).toMatchObject({ payment: { state: 'unknown' } });
  await second.resolver.run();
  expect((await second.payments.state(DRIVER, reference))?.state).toBe('unknown');
  valitor.release();
  await waitFor(() => valitor.books().charges === 1, { what: 'the late booking' });
  await waitFor(
    async () => {
      await second.resolver.run();
      return (await second.payments.state(DRIVER, reference))?.state === 'reversed';
    },
    { what: 'the money back' },
  );
  expect(valitor.books()).toEqual({ takenMinor: 0, charges: 1 });
});
