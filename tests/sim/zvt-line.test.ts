import { isCardNumber } from '@hlid/protocol/base/card-number';
import { afterEach, describe, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { CARDS } from './zvt-cards.ts';
import type { ZvtFaults } from './zvt-faults.ts';
import { order, startRig, witness, type ZvtRig } from './zvt-rig.ts';

let rig: ZvtRig | null = null;
afterEach(async () => {
  await rig?.close();
  rig = null;
});

async function start(...given: Parameters<typeof startRig>): Promise<ZvtRig> {
  rig = await startRig(...given);
  return rig;
}

function stands({ driver }: ZvtRig, connection: string) {
  return waitFor(() => driver.status().connection === connection, {
    what: `a terminal that is ${connection}`,
    detail: () => JSON.stringify(driver.status()),
  });
}

describe('a serial line that', () => {
  it.each<[string, Partial<ZvtFaults>]>([
    ['loses the terminal’s ACKs', { loseAcks: 2 }],
    ['delivers messages twice', { double: 5 }],
    ['corrupts two frames of ours in a row', { nak: 2 }],
  ])('%s repeats no payment and loses none', async (_what, faults) => {
    const ready = await start({ line: 'serial', answerMs: 3000 });
    await ready.ready();
    Object.assign(ready.sim.faults, faults);
    ready.sim.present(CARDS.visa);
    const seen = witness();
    expect(await ready.driver.pay(order(), seen.events)).toMatchObject({ kind: 'approved' });
    expect(seen.approvals).toHaveLength(1);
    expect(ready.sim.book.sales).toHaveLength(1);
    expect(ready.sim.faults).toMatchObject({ loseAcks: 0, nak: 0, double: 0 });
  });

  it('corrupts every frame of ours makes the outcome not sent', async () => {
    const ready = await start({ line: 'serial' });
    await ready.ready();
    ready.sim.faults.nak = 3;
    expect(await ready.driver.pay(order(), witness().events)).toMatchObject({ kind: 'not-sent' });
    expect(ready.sim.received).not.toContain('0601');
  });

  it('drops every ACK makes the outcome unknown', async () => {
    const ready = await start({ line: 'serial' });
    await ready.ready();
    ready.sim.faults.loseAcks = 3;
    ready.sim.faults.silentAt = 'command';
    expect(await ready.driver.pay(order(), witness().events)).toMatchObject({ kind: 'unknown' });
  });
});

describe('a terminal', () => {
  it('is tried at once on request after it refused the login', async () => {
    const own = await start({}, { retryMs: 3_600_000 });
    own.sim.faults.refusesLogin = true;
    await stands(own, 'LOGINFAILED');
    await own.driver.check();
    expect(own.driver.status().connection).toBe('LOGINFAILED');
    own.sim.heal();
    await own.driver.check();
    expect(own.driver.status().connection).toBe('CONNECTED');
  });

  it('is tried again after it refused the login, and reports the refusal', async () => {
    const own = await start();
    own.sim.faults.refusesLogin = true;
    await stands(own, 'LOGINFAILED');
    expect(own.driver.status()).toMatchObject({ code: '83' });
    expect(await own.driver.pay(order(), witness().events)).toMatchObject({ kind: 'not-sent' });
    own.sim.heal();
    await stands(own, 'CONNECTED');
  });

  it('is refused with another currency or another id than configured', async () => {
    const euro = await start({ currency: 978 });
    await stands(euro, 'LOGINFAILED');
    await euro.close();
    const other = await start({ terminalId: '52500009' }, { terminalId: '52500001' });
    await stands(other, 'LOGINFAILED');
    expect(other.driver.status().problem).toContain('52500009');
  });

  it('gets initialisation when it needs it, and accepts payments then', async () => {
    const own = await start();
    own.sim.faults.status = 0x51;
    own.sim.cutPower();
    await waitFor(() => own.sim.received.includes('0693'), { what: 'an initialisation' });
    await own.ready();
  });

  it('reports the reason when it is out of order', async () => {
    const own = await start();
    own.sim.faults.status = 0xdf;
    own.sim.cutPower();
    await stands(own, 'UNKNOWN');
    await waitFor(() => own.driver.status().code === 'DF', { what: 'its code' });
    expect(own.driver.status().problem).toBe('it is out of order');
  });

  it('gets a new login after each loss of its line', async () => {
    const own = await start();
    await own.ready();
    own.sim.cutPower();
    await waitFor(() => own.sim.received.filter((control) => control === '0600').length === 2, {
      what: 'another registration',
    });
    await own.ready();
  });

  it('gets a new login after a power cut behind a serial line when it reports that it has none', async () => {
    const own = await start({ line: 'serial' });
    await own.ready();
    own.sim.cutPower();
    expect(await own.driver.pay(order(), witness().events)).toMatchObject({ kind: 'not-sent' });
    await own.ready();
    own.sim.present(CARDS.visa);
    expect(await own.driver.pay(order(), witness().events)).toMatchObject({ kind: 'approved' });
  });

  it('is not treated as having no newest transaction when it does not return it', async () => {
    const own = await start();
    await own.ready();
    own.sim.faults.hidesNewest = true;
    expect(await own.driver.lastResult()).toMatchObject({ kind: 'unavailable' });
  });

  it('is logged off at the end, and a payment in progress is aborted', async () => {
    const own = await start();
    await own.ready();
    const paying = own.driver.pay(order(), witness().events);
    await waitFor(() => own.sim.waitsForCard(), { what: 'the terminal to ask for a card' });
    await own.driver.stop();
    expect(await paying).toEqual({ kind: 'cancelled', code: '6C' });
    expect(own.sim.received).toContain('0602');
    expect(own.driver.status().connection).toBe('DISCONNECTED');
  });

  it('leaves a payment unknown when it hangs while the daemon stops', async () => {
    const own = await start();
    await own.ready();
    own.sim.faults.silentAt = 'accepted';
    const paying = own.driver.pay(order(), witness().events);
    await waitFor(() => own.sim.received.includes('0601'), { what: 'the order to come' });
    await own.driver.stop();
    expect(await paying).toMatchObject({ kind: 'unknown' });
  });

  it('has its whole card numbers masked', async () => {
    const own = await start();
    await own.ready();
    own.sim.present(CARDS.unmasked);
    const seen = witness();
    const outcome = await own.driver.pay(order(), seen.events);
    expect(outcome).toMatchObject({ kind: 'approved', transaction: { card: { lastFour: '4242' } } });
    const all = JSON.stringify([outcome, seen, own.log, await own.driver.lastResult()]);
    const runs = all.match(/\d(?:[ -]?\d){12,18}/g) ?? [];
    expect(runs.filter((run) => isCardNumber(run.replace(/\D/g, '')))).toEqual([]);
  });
});
