import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { systemClock } from '@hlid/node/clock';
import { utcTime } from '@hlid/protocol/base/utc-time';
import type { Payment } from '@hlid/protocol/records/payment';
import { pino } from 'pino';
import { expect, onTestFinished, test } from 'vitest';
import { runAtTerminal } from '../../test/shell.ts';
import { readConfig } from '../config/read-config.ts';
import { Edge } from '../daemon/edge.ts';
import { openSiteDb } from '../db/site-db.ts';
import { PaymentStore } from '../payment/payment-store.ts';

/**
 * A data folder with a journal in which a driver holds the card to `pos-1`, and a configuration without any
 * terminal.
 */
function siteWithoutTerminal() {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-left-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const open = "{ method: POST, url: 'http://127.0.0.1:9/' }";
  writeFileSync(
    join(folder, 'edge.yaml'),
    `site: { name: Demo, timeZone: Atlantic/Reykjavik, currency: ISK }
cloud: null
lanes: [{ id: in-1, name: In, direction: entry, gate: { kind: http, mode: pulse, open: ${open} } }]
`,
  );
  const at = utcTime(systemClock.now());
  const payment: Payment = {
    id: crypto.randomUUID(),
    visitId: crypto.randomUUID(),
    terminalId: 'pos-1',
    state: 'sent',
    amountMinor: 500,
    currency: 'ISK',
    units: 1,
    transaction: null,
    reason: null,
    needsPerson: false,
    receipt: [],
    language: 'is',
    createdAt: at,
    changedAt: at,
  };
  const db = openSiteDb(join(folder, 'site.sqlite'));
  new PaymentStore(db).save({
    payment,
    orderKey: 'the-order-key',
    bill: { from: at, until: at, vatRate: 0, inAdvance: false, unitsMet: 0, paidMinor: 0 },
    baseline: { kind: 'none' },
    booking: null,
  });
  db.close();
  return {
    paymentId: payment.id,
    environment: { HLID_DATA_DIR: folder, HLID_EDGE_PORT: '0', HLID_CAMERA_PORT: '0' },
  };
}

test('a payment at a removed terminal is an alarm, is listed, and is resolved by hand', async () => {
  const { paymentId, environment } = siteWithoutTerminal();
  const edge = new Edge(readConfig(environment), { log: pino({ enabled: false }), clock: systemClock });
  await edge.start();
  try {
    const run = (line: string) => runAtTerminal(line.split(' '), { environment });
    const listed = async () => (await run('payment list')).printed.join();
    await expect
      .poll(listed)
      .toMatch(new RegExp(`^${paymentId} .*pos-1 .*not in the configuration any more`));
    const { code, printed } = await run('status');
    expect([code, printed.join('\n')]).toEqual([
      1,
      expect.stringMatching(/Card terminal pos-1: does not work .*\n.*“payment list”.*under its old id/),
    ]);
    expect(await run(`payment not-booked ${paymentId}`)).toMatchObject({ code: 0 });
    expect(await listed()).toBe('No payment waits for a person.');
  } finally {
    await edge.stop();
  }
});
