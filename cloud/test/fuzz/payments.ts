import { z } from 'zod';
import type { Json, TestApi } from '../api.ts';
import { reportPayment, samplePayment } from '../payments.ts';
import { addTerminal } from '../terminal.ts';
import type { MakeRow } from './people.ts';
import { nextPlate } from './plates.ts';

/** A car that is inside, for kiosks, and the product that prices it. */
export async function insideForKiosk(api: TestApi): Promise<{ id: string; body: Json }> {
  const { id, plate } = await api.visit({ plate: nextPlate() });
  const { body } = await api.call('GET', '/products');
  const products = z
    .array(z.looseObject({ id: z.string(), type: z.string(), currency: z.string() }))
    .parse(body['data']);
  // Other calls may have added products in other currencies.
  const { currency } = api.site;
  const product = products.find((sold) => sold.type === 'default' && sold.currency === currency)?.id;
  await addTerminal(api);
  return { id, body: { plate, product, quantity: 1 } };
}

export const posOrder: MakeRow = async (api, n) => {
  const { id, body } = await insideForKiosk(api);
  const terminal = 'kiosk-1';
  return { body: n % 2 === 0 ? { visit: id, terminal } : { ...body, terminal } };
};

/** Makes a payment; `n` selects its state. */
export const payment: MakeRow = async (api, n) => {
  const states = ['settled', 'unknown', 'declined', 'reversed', 'created'] as const;
  const payment = samplePayment({ state: states[n % states.length] ?? 'settled' });
  await reportPayment(api, payment);
  return { path: { id: payment.id, key: payment.receiptKey ?? '' } };
};
