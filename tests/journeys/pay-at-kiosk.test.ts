import { deadline } from '@hlid/protocol/test/deadline';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildKioskPage } from '../harness/build-pages.ts';
import { listOf } from '../harness/cloud-views.ts';
import { type Network, startNetwork } from '../harness/network.ts';
import { waitFor } from '../harness/wait.ts';
import { CHROMIUM_IS_HERE, startChromium } from '../screens/chromium.ts';
import { CARDS, type SimCard } from '../sim/zvt-cards.ts';
import { startZvtTerminal, type ZvtTerminal } from '../sim/zvt-terminal.ts';

const InvoicesSchema = listOf(
  z.looseObject({
    status: z.string(),
    visitId: z.string().nullable(),
    price: z.looseObject({ amount: z.int(), currency: z.string() }),
  }),
);
const ReceiptSchema = z.looseObject({ url: z.url() });
const SiteSchema = z.looseObject({ terminal: z.looseObject({ connection: z.string() }) });

describe.skipIf(!CHROMIUM_IS_HERE)('a driver at the kiosk', () => {
  let terminal: ZvtTerminal;
  let network: Network;
  let browser: Browser;
  let page: Page;
  let receipts: { url: string }[];

  beforeAll(async () => {
    await buildKioskPage(() => undefined);
    terminal = await startZvtTerminal({ line: 'serial', paceMs: 20, bankMs: 50 });
    network = await startNetwork({
      settings: { entryGraceMinutes: 0 },
      terminal: { ...terminal.config, id: 'kiosk-1' },
      cloudLink: { maxReconnectMs: 500 },
    });
    browser = await startChromium();
  });
  afterAll(async () => {
    await browser?.close();
    await network?.stop();
    await terminal?.close();
  });

  beforeEach(async () => {
    await waitFor(async () => (await ready()) === 'CONNECTED', { what: 'the terminal to be ready' });
    receipts = [];
    page = await browser.newPage({
      viewport: { width: 1080, height: 1920 },
      hasTouch: true,
      reducedMotion: 'no-preference',
    });
    page.on('response', async (response) => {
      if (response.url().endsWith('/receipt')) receipts.push(ReceiptSchema.parse(await response.json()));
    });
    page.setDefaultTimeout(deadline(10_000));
    await page.goto(`${network.edge.localUrl()}/kiosk/`);
  });
  afterEach(() => page.close());

  async function ready(): Promise<string> {
    const response = await fetch(new URL('/api/kiosk/site', network.edge.localUrl()));
    return SiteSchema.parse(await response.json()).terminal.connection;
  }

  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
  const heading = (name: string) => page.getByRole('heading', { name }).waitFor();

  /**
   * Touches a button until it is gone. The kiosk takes a touch too soon after the former one for the second
   * half of a double tap, which is not meant for the new screen.
   */
  async function touches(name: string | RegExp): Promise<void> {
    await button(name).waitFor();
    const isGone = async () => !(await button(name).isVisible());
    const touch = async () => {
      if (await isGone()) return true;
      await button(name).tap({ timeout: deadline(1000) });
      return await isGone();
    };
    await waitFor(touch, { what: `${name} to be taken` });
  }

  async function drivesIn(plate: string): Promise<void> {
    expect(await network.lane('in-1').passes(plate)).toMatchObject({ open: true });
  }

  /** Goes from the start to a terminal that waits for a card. */
  async function orders(plate: string): Promise<void> {
    await button('Greiða fyrir stæði').tap();
    for (const character of plate) await page.keyboard.press(character);
    await page
      .getByRole('button', { name: new RegExp(plate) })
      .first()
      .tap();
    await touches(/^Greiða 500\skr\./);
    await atTerminal();
  }

  async function atTerminal(): Promise<void> {
    await heading('Greiddu í posanum');
    await waitFor(() => terminal.waitsForCard(), { what: 'a terminal that waits for a card' });
    await page.getByText('Leggðu kort eða síma að posanum').waitFor();
  }

  async function pays(card: SimCard): Promise<void> {
    terminal.present(card);
    await heading('Greitt. Takk fyrir!');
    await page.getByText(`Visa ···· ${card.number.slice(-4)}`).waitFor();
  }

  async function drivesOut(plate: string): Promise<void> {
    const before = network.lane('out-1').openings();
    expect(await network.lane('out-1').passes(plate)).toMatchObject({ open: true, reason: 'paid' });
    await network.lane('out-1').opensAfter(before);
  }

  /** The cloud's rows for the visit of a plate, once it has received all. */
  async function inCloud(plate: string) {
    await network.settled(30_000);
    const visits = await network.operator.visits({ plate });
    const { data } = await network.operator.call(InvoicesSchema, 'GET', '/invoices');
    const invoices = data
      .filter(({ visitId }) => visits.some(({ id }) => id === visitId))
      .map(({ status, price }) => `${status} ${price.amount} ${price.currency}`);
    return { visits, invoices };
  }

  it('pays, has a receipt on the phone, and drives out', async () => {
    await drivesIn('KLM45');
    await orders('KLM45');
    await pays(CARDS.visa);
    await page.getByRole('img', { name: 'Skannaðu með símanum' }).waitFor();
    await drivesOut('KLM45');
    expect(terminal.book.totalMinor()).toBe(500);
    expect(await inCloud('KLM45')).toMatchObject({
      visits: [{ status: 'completed', paymentStatus: 'kiosk' }],
      invoices: ['paid 500 ISK'],
    });
    const phone = await browser.newPage({ viewport: { width: 390, height: 800 } });
    await phone.goto(receipts[0]?.url ?? '');
    await phone.getByText('KLM45').first().waitFor();
    await phone.getByText(/1111/).first().waitFor();
    await phone.close();
  });

  it('tries another card after one is declined, and pays once', async () => {
    await drivesIn('DEC12');
    const before = terminal.book.totalMinor();
    const { declined } = terminal.book;
    await orders('DEC12');
    terminal.present(CARDS.refused);
    await heading('Greiðslunni var hafnað');
    await page.getByText('Ekkert var gjaldfært.').waitFor();
    const openings = network.lane('out-1').openings();
    expect(await network.lane('out-1').passes('DEC12')).toMatchObject({ open: false });
    await touches('Reyna aftur');
    await atTerminal();
    await pays(CARDS.visa);
    // A car that waits at the exit need not be read again.
    await network.lane('out-1').opensAfter(openings);
    expect(terminal.book.totalMinor() - before).toBe(500);
    expect(terminal.book.declined - declined).toBe(1);
    expect(await inCloud('DEC12')).toMatchObject({ invoices: ['paid 500 ISK', 'failed 500 ISK'] });
  });

  it('cancels, is charged nothing, and stays in', async () => {
    await drivesIn('CAN33');
    const before = terminal.book.totalMinor();
    await orders('CAN33');
    await touches('Hætta við');
    await heading('Hætt var við greiðsluna');
    await page.getByText('Ekkert var gjaldfært.').waitFor();
    expect(await network.lane('out-2').passes('CAN33')).toMatchObject({ open: false });
    expect(terminal.book.totalMinor()).toBe(before);
    expect(await inCloud('CAN33')).toMatchObject({
      visits: [{ status: 'need-payment' }],
      invoices: ['failed 500 ISK'],
    });
  });

  it('pays and drives out while the cloud is offline, and the cloud makes one invoice later', async () => {
    await network.cloud.kill();
    await drivesIn('AWA77');
    await orders('AWA77');
    await pays(CARDS.visa);
    await drivesOut('AWA77');
    await network.cloud.restart();
    expect(await inCloud('AWA77')).toMatchObject({
      visits: [{ status: 'completed', paymentStatus: 'kiosk', flags: [] }],
      invoices: ['paid 500 ISK'],
    });
    const receipt = await fetch(receipts[0]?.url ?? '');
    expect([receipt.status, await receipt.text()]).toMatchObject([200, expect.stringContaining('AWA77')]);
  });
});
