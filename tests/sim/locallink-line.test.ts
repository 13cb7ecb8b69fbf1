import { afterEach, beforeEach, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { type LocallinkSim, startLocallinkTerminal } from './locallink-terminal.ts';
import { type LocallinkTill, ORDER, openLocallinkTill, watchingDriver } from './locallink-till.ts';
import { SELF_SIGNED } from './self-signed.ts';

let sim: LocallinkSim;
let till: LocallinkTill;
const standing = () => till.terminal.status();
const stands = (connection: string) =>
  waitFor(() => standing().connection === connection, {
    what: connection,
    detail: () => JSON.stringify(standing()),
  });
const paired = () => sim.calls.filter((call) => call === 'pair').length;

beforeEach(async () => {
  sim = await startLocallinkTerminal();
});
afterEach(async () => {
  await till.close();
  await sim.stop();
});

it('sends nothing to a terminal with another certificate, and shows that certificate', async () => {
  till = openLocallinkTill(sim, { trust: { sha256: '00'.repeat(32) } });
  const { problem } = await waitFor(() => standing().problem?.includes('another certificate') && standing(), {
    what: 'the certificate',
  });
  expect(problem).toContain(sim.sha256.replaceAll(':', '').toLowerCase());
  expect([standing().connection, sim.calls]).toEqual(['DISCONNECTED', []]);
});

it('trusts a signer for the name in the certificate', async () => {
  till = openLocallinkTill(sim, { trust: { ca: SELF_SIGNED.cert, name: 'camera' } });
  await till.ready();
});

it('trusts a signer for no other name', async () => {
  till = openLocallinkTill(sim, { trust: { ca: SELF_SIGNED.cert, name: 'terminal' } });
  await waitFor(() => standing().problem?.includes('altnames'), { what: 'the name' });
  expect([standing().connection, sim.calls]).toEqual(['DISCONNECTED', []]);
});

it('pairs once, and stays paired after a restart', async () => {
  till = openLocallinkTill(sim);
  await till.ready();
  const next = till.begunAnew();
  await next.ready();
  expect(paired()).toBe(1);
  await next.close();
});

it('tries a refused pairing code once, and then the next code', async () => {
  till = openLocallinkTill(sim, { pairingCode: '0000' });
  await stands('LOGINFAILED');
  const looks = sim.calls.length;
  const next = till.begunAnew({ pairingCode: '3499' });
  await next.ready();
  expect([looks, paired()]).toEqual([1, 2]);
  await next.close();
});

it('waits longer for its pairing than for other answers, since the code works once', async () => {
  sim.fail('pair', { kind: 'slow', answersAfterMs: 1000 }, 1);
  till = openLocallinkTill(sim);
  await till.ready();
  expect(paired()).toBe(1);
});

it('is not logged in if the answer to the pairing is lost, since the code works once', async () => {
  sim.fail('pair', { kind: 'dropped', acts: true, midAnswer: true }, 1);
  till = openLocallinkTill(sim);
  await stands('LOGINFAILED');
  expect(paired()).toBe(2);
});

it('is not logged in without a pairing code', async () => {
  till = openLocallinkTill(sim, { pairingCode: undefined });
  await stands('NOTLOGGEDIN');
  expect(await till.terminal.pay(ORDER, watchingDriver(() => true).events)).toMatchObject({
    kind: 'not-sent',
  });
  expect(sim.calls).toEqual([]);
});

it('reports whether the terminal is busy, faulty, away or back', async () => {
  till = openLocallinkTill(sim);
  await till.ready();
  const seen: string[] = [];
  const ignore = till.terminal.onStatus(({ connection }) => seen.push(connection));
  sim.present(null);
  sim.books.sell(100);
  await stands('ACTIVE');
  expect(standing()).toMatchObject({ code: 'TERMINAL_BUSY', problem: 'it is busy' });
  expect(await till.terminal.pay(ORDER, watchingDriver(() => true).events)).toMatchObject({
    kind: 'not-sent',
  });
  sim.books.cancel();
  await stands('CONNECTED');
  sim.fail('status', { kind: 'says', status: 200, text: '{"status":"TERMINAL_ON_FIRE"}' });
  await stands('UNKNOWN');
  sim.heal();
  await stands('CONNECTED');
  // The state lasts so short a time that only the listener is sure to see it.
  const before = seen.length;
  sim.fail('status', { kind: 'says', status: 404, text: '' }, 1);
  await waitFor(() => seen.slice(before).join() === 'UNKNOWN,CONNECTED', {
    what: 'a moment without a state',
    detail: () => seen.join(),
  });
  ignore();
  await till.terminal.stop();
  expect(standing().connection).toBe('DISCONNECTED');
  expect(seen.slice(0, 2)).toEqual(['ACTIVE', 'CONNECTED']);
});
