import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type Network, startNetwork } from '../harness/network.ts';
import { waitFor } from '../harness/wait.ts';
import { CARDS } from '../sim/zvt-cards.ts';
import { startZvtTerminal, type ZvtTerminal } from '../sim/zvt-terminal.ts';

const StatusSchema = z.object({
  receiptUrl: z.string().nullable(),
  receipt: z.object({ data: z.object({ posStatus: z.string(), posError: z.string().nullable() }) }),
  invoice: z.object({ id: z.string(), status: z.string() }).nullable(),
});

describe('a kiosk that works by the cloud', () => {
  let network: Network;
  let terminal: ZvtTerminal;
  let token: string;
  beforeAll(async () => {
    terminal = await startZvtTerminal();
    network = await startNetwork({
      settings: { entryGraceMinutes: 0 },
      terminal: { ...terminal.config, id: 'kiosk-1' },
    });
    const made = await network.operator.ask('POST', '/admin/create-role-bearer-token', {
      name: 'Kiosk 1',
      role: 'kiosk',
    });
    token = z.object({ access_token: z.string() }).parse(made.body).access_token;
    await waitFor(async () => (await poi()) === 'CONNECTED', { what: 'the terminal to be ready' });
  });
  afterAll(async () => {
    await network?.stop();
    await terminal?.close();
  });

  async function kiosk(method: string, path: string, body?: object) {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const url = new URL(path, network.cloud.httpUrl());
    const response = await fetch(url, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    return { status: response.status, body: await response.json() };
  }

  async function poi(): Promise<unknown> {
    const { body } = await kiosk('GET', '/kiosk/pos/poi-status/kiosk-1');
    return body.poiStatus;
  }

  /** Waits until a payment is at its end. */
  async function outcome(id: string) {
    let status = StatusSchema.parse((await kiosk('GET', `/kiosk/pos/status/${id}`)).body);
    await waitFor(
      async () => {
        status = StatusSchema.parse((await kiosk('GET', `/kiosk/pos/status/${id}`)).body);
        return ['settled', 'declined', 'cancelled'].includes(status.receipt.data.posStatus);
      },
      { what: 'the payment to end' },
    );
    return status;
  }

  async function begin(visit: string): Promise<string> {
    const begun = await kiosk('POST', '/kiosk/pos/init', { visit, language: 'en', terminal: 'kiosk-1' });
    expect([begun.status, begun.body]).toMatchObject([200, { invoice: { price: { amount: 500 } } }]);
    return begun.body.invoice.id;
  }

  it("declines a driver's first card, takes the second once, gives a receipt, and lets the car out", async () => {
    await network.lane('in-1').passes('KIO55');
    await network.settled();
    const found = await kiosk('GET', '/kiosk/search-visits?plate=KIO');
    expect(found.body).toMatchObject({ visits: [{ plate: 'KIO••', price: { amount: 500 } }] });
    const visit: string = found.body.visits[0].id;

    const first = await begin(visit);
    terminal.present(CARDS.refused);
    expect(await outcome(first)).toMatchObject({ receiptUrl: null, invoice: { status: 'failed' } });

    const second = await begin(visit);
    terminal.present(CARDS.visa);
    const paid = await outcome(second);
    expect(paid).toMatchObject({ invoice: { id: second, status: 'paid' } });
    await network.settled();

    const invoices = await network.operator.ask('GET', '/invoices');
    expect(invoices.body).toMatchObject({
      data: [
        { id: second, status: 'paid', visitId: visit, price: { amount: 500, currency: 'ISK' } },
        { status: 'failed', number: null, visitId: visit },
      ],
    });
    expect(terminal.book.totalMinor()).toBe(500);
    const file = await fetch(paid.receiptUrl ?? '', { headers: { accept: 'application/pdf' } });
    expect((await file.text()).slice(0, 8)).toBe('%PDF-1.7');
    const page = await fetch(paid.receiptUrl ?? '');
    expect([page.status, await page.text()]).toMatchObject([200, expect.stringContaining('KIO55')]);
    expect(await network.lane('out-1').passes('KIO55')).toMatchObject({ open: true });
    await network.settled();
    expect(await network.operator.visits({ plate: 'KIO55' })).toMatchObject([
      { status: 'completed', paymentStatus: 'kiosk' },
    ]);
    // Neither the way out nor the site's own news of it makes another.
    const after = await network.operator.ask('GET', '/invoices');
    expect(after.body).toEqual(invoices.body);
  });

  it('starts no payment if nothing is due', async () => {
    await network.operator.addPermit('FREE01');
    await network.settled();
    await network.lane('in-1').passes('FREE01');
    await network.settled();
    const [visit] = await network.operator.visits({ plate: 'FREE01' });
    const received = terminal.received.length;
    const begun = await kiosk('POST', '/kiosk/pos/init', {
      visit: visit?.id,
      language: 'is',
      terminal: 'kiosk-1',
    });
    expect(begun).toMatchObject({ status: 400, body: { messages: ['nothing-due: Ekkert er ógreitt.'] } });
    expect(terminal.received.slice(received)).not.toContain('0601');
  });
});
