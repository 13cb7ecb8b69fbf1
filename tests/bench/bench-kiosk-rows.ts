import { type BenchRow, ms } from './bench-table.ts';
import { benchKioskPage } from './kiosk-page.ts';
import { benchKioskPayment } from './kiosk-payment.ts';
import { percentile } from './percentile.ts';

/** The response time that a person does not notice as a wait. */
const MAX_KEY_MS = 100;
const USUAL_SIZE = { starts: 7, keys: 150, payments: 20 };
const MAX_FIRST_LOAD = 500 * 1024;

const kb = (bytes: number) => `${Math.round(bytes / 1024)} KB`;
/** The kiosk: its page in Chromium, and what paying takes beside the terminal. */
export async function benchKiosk(add: (row: BenchRow) => void, size = USUAL_SIZE): Promise<void> {
  const { kiosk, floor, size: page } = await benchKioskPage(size);
  add({
    work: 'kiosk, from its address to a button to touch',
    ours: ms(kiosk.interactiveMs),
    against: `an empty page of React ${ms(floor.interactiveMs)}`,
    ratio: kiosk.interactiveMs / floor.interactiveMs,
    goal: { atMost: 2 },
  });
  add({
    work: `kiosk, first load (${kb(page.gzipBytes)} by gzip)`,
    ours: kb(page.bytes),
    against: kb(MAX_FIRST_LOAD),
    ratio: page.bytes / MAX_FIRST_LOAD,
    goal: { atMost: 1 },
  });
  add({
    work: 'kiosk, key press to paint, p50',
    ours: ms(percentile(kiosk.keysMs, 0.5)),
    against: `an empty page ${ms(percentile(floor.keysMs, 0.5))}`,
    ratio: percentile(kiosk.keysMs, 0.5) / percentile(floor.keysMs, 0.5),
    goal: { atMost: 2 },
  });
  add({
    work: 'kiosk, key press to paint, p99',
    ours: ms(percentile(kiosk.keysMs, 0.99)),
    against: `${ms(MAX_KEY_MS)} (an empty page ${ms(percentile(floor.keysMs, 0.99))})`,
    ratio: percentile(kiosk.keysMs, 0.99) / MAX_KEY_MS,
    goal: { atMost: 1 },
  });
  const { oursMs, terminalMs } = await benchKioskPayment(size.payments);
  for (const [share, name] of [
    [0.5, 'p50'],
    [0.99, 'most'],
  ] as const) {
    const ours = percentile(oursMs, share);
    add({
      work: `kiosk, our share of a payment, order to approval, ${name}`,
      ours: ms(ours),
      against: `card and bank ${ms(terminalMs)}`,
      ratio: ours / terminalMs,
      goal: share === 0.5 ? { atMost: 0.05 } : null,
    });
  }
}
