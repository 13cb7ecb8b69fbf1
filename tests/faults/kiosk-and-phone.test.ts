import { setImmediate as turn } from 'node:timers/promises';
import { writePresence } from '@hlid/cloud/records/sites/site-store';
import { createOnlineRig, type OnlineRig, type Script } from '@hlid/cloud/test/online-payments';
import { scriptedCard } from '@hlid/cloud/test/scripted-card';
import { CommandAge } from '@hlid/edge/commands/command-age';
import { isFromKiosk, KioskCommands } from '@hlid/edge/commands/kiosk-commands';
import { claimVisit } from '@hlid/edge/payment/claim-visit';
import { createTestPayments, type TestPayments, testContext } from '@hlid/edge/test/payments';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import type { SiteCommand } from '@hlid/protocol/site-link/commands';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type PairedSite, pairSite } from '../harness/paired-site.ts';
import { type SeededRandom, seededRandom } from '../sim/seeded-random.ts';

const SEED = Number(process.env['HLID_SEED'] ?? Date.now() % 1_000_000);
const RUNS = Number(process.env['HLID_PAYMENT_RUNS'] ?? 24);
const BROWSER = { language: 'is', screenWidth: 390, screenHeight: 844, colorDepth: 24, timeZoneOffset: 0 };
const SCRIPTS = [
  ...(['approve', 'approve', 'approve', 'insufficient-funds'] as const),
  ...(['timeout-after-booking', 'timeout-before-booking', 'unavailable-at-charge'] as const),
] as const;
const StaysSchema = z.object({ stays: z.array(z.looseObject({ key: z.string() })) });
const DueSchema = z.looseObject({ standing: z.string(), amountMinor: z.int() });

let rig: OnlineRig;
let kiosk: TestPayments;
let pair: PairedSite;
/** Terminal approvals that were to stand, and what the terminal gave back. */
let approvals: number;
let atTerminal: Set<string>;
beforeEach(async () => {
  rig = await createOnlineRig();
  kiosk = createTestPayments();
  pair = await pairSite(kiosk.site, rig.api);
  approvals = 0;
  atTerminal = new Set();
  connect();
  await pair.api.db.write(({ q }) =>
    writePresence(q, {
      siteId: pair.api.site.id,
      connected: true,
      since: pair.api.now(),
      epoch: null,
      seq: 0,
      feedAt: 0,
      feedHash: null,
      software: null,
      clockAheadMs: 0,
    }),
  );
  await pair.meet();
});
afterEach(async () => {
  await kiosk.close();
  await rig.close();
});

/** The site answers the commands of the cloud. */
function connect(): void {
  const { stays, commit } = kiosk.site.core;
  const context = testContext(kiosk.site);
  const { store } = kiosk.site.core.paymentRecords;
  const commands = new KioskCommands(context, {
    payments: kiosk.payments,
    paymentOf: async () => null,
    disown: async () => 'not-in-doubt',
    claim: (command) => claimVisit({ stays, store, commit, clock: context.clock }, command),
    age: new CommandAge(context.clock),
  });
  pair.api.bus.play(pair.api.site.id, async (command: SiteCommand) =>
    isFromKiosk(command) ? await commands.handle(command) : null,
  );
}

/** Others go on meanwhile. */
async function turns(count: number): Promise<void> {
  for (let n = 0; n < count * 4; n++) await turn();
}

const call = async (path: string, body: object) =>
  (await pair.api.call('POST', path, { token: null, body })).body;

async function stayOf(plate: string): Promise<string> {
  const { stays } = StaysSchema.parse(await call(PAY_PATHS.find, { siteCode: pair.api.site.id, plate }));
  return stays[0]?.key ?? expect.unreachable(`${plate} is not found`);
}
const dueOnPage = async (stay: string) => DueSchema.parse(await call(PAY_PATHS.due, { stay }));
const dueAtKiosk = (visitId: string) =>
  kiosk.site.core.paymentRecords.dues.of(visitId, utcTime(Date.parse(kiosk.site.now())));

/** A driver with a phone, who does what the page offers. */
async function paysByPhone(plate: string, script: Script, random: SeededRandom): Promise<void> {
  const stay = await stayOf(plate);
  await turns(random.between(0, 6));
  const { standing, amountMinor } = await dueOnPage(stay);
  if (standing !== 'due') return;
  const payment = crypto.randomUUID();
  const card = { number: scriptedCard(script), ccv: '123', expire: '12/35' };
  await call(PAY_PATHS.order, { payment, stay, amountMinor, language: 'is', browser: BROWSER, card });
  await turns(random.between(0, 6));
  // The answer may be lost, and the page sends it again.
  await Promise.all([1, 2].map(() => call(PAY_PATHS.finish, { payment, card })));
}

/** A driver at the kiosk, who does what it offers. */
async function paysAtKiosk(visitId: string, approves: boolean, random: SeededRandom): Promise<void> {
  await turns(random.between(0, 8));
  if (dueAtKiosk(visitId)?.standing !== 'due') return;
  const answer = await kiosk.order(visitId, { amountMinor: 500 });
  if (!answer.ok) return;
  const { id } = answer.payment;
  // Two who press at once are at the terminal once.
  if (atTerminal.has(id)) return;
  atTerminal.add(id);
  await expect.poll(() => kiosk.terminal.isPaying()).toBe(true);
  await turns(random.between(0, 6));
  if (approves) {
    if (await kiosk.approve(id)) approvals += 1;
  } else {
    kiosk.terminal.paying().end({ kind: 'cancelled', code: null });
    await kiosk.ended(id);
  }
}

/** The amount that cards were charged and not given back, at the terminal and online. */
function taken(): number {
  const online = [...rig.book().charges().values()].reduce((sum, { amountMinor }) => sum + amountMinor, 0);
  return online + (approvals - kiosk.terminal.reversed.length) * 500;
}

describe('while a phone pays', () => {
  it('the kiosk of a connected site checks the payment and takes none, until it has an outcome', async () => {
    const visitId = await kiosk.inside('ABX12');
    pair.api.wait(2 * HOUR_MS);
    await pair.meet();
    await paysByPhone('ABX12', 'timeout-after-booking', seededRandom(1));
    await pair.down();
    expect(dueAtKiosk(visitId)?.standing).toBe('checking');
    expect(await kiosk.order(visitId)).toEqual({ ok: false, reason: 'payment-under-way' });
    expect(await kiosk.order(visitId, { quantity: 3 })).toEqual({ ok: false, reason: 'payment-under-way' });
    pair.wait(MINUTE_MS);
    await rig.resolver.run();
    await pair.meet();
    expect(dueAtKiosk(visitId)?.standing).toBe('paid');
    expect(kiosk.site.core.stays.onlinePayments.isUnderWay(visitId, utcTime(0))).toBe(false);
  });

  it('and the line is cut, the kiosk takes a payment again once the phone must know how its own has ended', async () => {
    const visitId = await kiosk.inside('ABX12');
    pair.api.wait(2 * HOUR_MS);
    await pair.meet();
    await paysByPhone('ABX12', 'timeout-before-booking', seededRandom(1));
    await pair.down();
    kiosk.site.core.stays.onlinePayments.setConnected(false);
    pair.wait(4 * MINUTE_MS);
    expect(dueAtKiosk(visitId)?.standing).toBe('checking');
    pair.wait(2 * MINUTE_MS);
    expect(dueAtKiosk(visitId)?.standing).toBe('due');
    kiosk.site.core.stays.onlinePayments.setConnected(true);
    expect(dueAtKiosk(visitId)?.standing).toBe('checking');
  });

  it('an order whose money has not moved does not keep the kiosk from taking it', async () => {
    const visitId = await kiosk.inside('ABX12');
    pair.api.wait(2 * HOUR_MS);
    await pair.meet();
    const stay = await stayOf('ABX12');
    const payment = crypto.randomUUID();
    const card = { number: scriptedCard('form-challenge'), ccv: '123', expire: '12/35' };
    await call(PAY_PATHS.order, { payment, stay, amountMinor: 500, language: 'is', browser: BROWSER, card });
    await pair.meet();
    expect(dueAtKiosk(visitId)?.standing).toBe('due');
    await paysAtKiosk(visitId, true, seededRandom(1));
    expect(approvals).toBe(1);
  });

  it('what is at the terminal is checked on the page, and the phone pays nothing', async () => {
    const visitId = await kiosk.inside('ABX12');
    pair.api.wait(2 * HOUR_MS);
    await pair.meet();
    const stay = await stayOf('ABX12');
    const id = await kiosk.begin(visitId);
    await pair.up();
    expect((await dueOnPage(stay)).standing).toBe('checking');
    await kiosk.approve(id);
    await pair.up();
    expect((await dueOnPage(stay)).standing).toBe('paid');
  });

  it('a payment that the terminal began a moment ago, of which the cloud has not heard, comes first', async () => {
    const visitId = await kiosk.inside('ABX12');
    pair.api.wait(2 * HOUR_MS);
    await pair.meet();
    const id = await kiosk.begin(visitId);
    await paysByPhone('ABX12', 'approve', seededRandom(1));
    expect(rig.book().charges().size).toBe(0);
    await kiosk.approve(id);
    await paysByPhone('ABX12', 'approve', seededRandom(2));
    expect(rig.book().charges().size).toBe(0);
    await pair.meet();
    expect((await dueOnPage(await stayOf('ABX12'))).standing).toBe('paid');
  });
});

it(`no driver pays twice, however kiosk and phone run into each other (HLID_SEED=${SEED})`, async () => {
  const random = seededRandom(SEED);
  for (let run = 0; run < RUNS; run++) {
    const plate = `RN${100 + run}`;
    const visitId = await kiosk.inside(plate);
    pair.api.wait(2 * HOUR_MS);
    await pair.meet();
    const before = taken();
    const drivers = Array.from({ length: random.between(2, 4) }, () =>
      random.chance(0.5)
        ? paysByPhone(plate, random.pick(SCRIPTS), random)
        : paysAtKiosk(visitId, random.chance(0.8), random),
    );
    const messages = (async () => {
      for (let n = random.between(0, 4); n > 0; n--) {
        await turns(random.between(0, 5));
        await (random.chance(0.5) ? pair.up() : pair.down());
      }
    })();
    await Promise.all([...drivers, messages]);
    await pair.meet();
    pair.wait(MINUTE_MS);
    await rig.resolver.run();
    await pair.meet();
    expect(taken() - before, `run ${run}`).toBeLessThanOrEqual(500);
    const isPaid = taken() > before;
    expect(dueAtKiosk(visitId)?.standing, `run ${run}`).toBe(isPaid ? 'paid' : 'due');
    expect((await dueOnPage(await stayOf(plate))).standing, `run ${run}`).toBe(isPaid ? 'paid' : 'due');
  }
});
