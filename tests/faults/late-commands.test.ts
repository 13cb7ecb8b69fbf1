import { afterAll, beforeAll, expect, it } from 'vitest';
import { waitFor } from '../harness/wait.ts';
import { type FaultyNetwork, startFaultyNetwork } from './faulty-network.ts';

const LATENCY_MS = 2000;

let network: FaultyNetwork;
beforeAll(async () => {
  network = await startFaultyNetwork();
});
afterAll(() => network?.stop());

const open = () => {
  const { operator, site } = network;
  return operator.ask('POST', `/sites/${site.siteId}/lanes/in-1/open`, { reasonCode: 'guest' });
};
const expired = () =>
  network.edge.logged('command.taken').filter(({ outcome }) => outcome === 'expired').length;

it('reports commands that are stuck in the line as not done, and ignores them when they arrive', async () => {
  const { line, relay, edge } = network;
  expect((await open()).status).toBe(200);
  const openings = relay.openings(1);

  line.stall();
  const answers = await Promise.all([open(), open(), open()]);
  expect(answers.map(({ status }) => status)).toEqual([504, 504, 504]);
  line.heal();
  await waitFor(() => expired() === 3, { what: 'the late commands to be dropped', detail: edge.tail });
  expect(relay.openings(1)).toBe(openings);

  expect((await open()).status).toBe(200);
  expect(relay.openings(1)).toBe(openings + 1);
});

it(`late commands are not carried out on a line that takes ${LATENCY_MS} ms each way either`, async () => {
  const { line } = network;
  const openings = network.relay.openings(1);
  const before = expired();
  line.slow(LATENCY_MS);
  const answers = await Promise.all([open(), open()]);
  expect(answers.map(({ status }) => status)).toEqual([504, 504]);
  await waitFor(() => expired() === before + 2, {
    what: 'the late commands to be dropped',
    detail: network.edge.tail,
  });
  expect(network.relay.openings(1)).toBe(openings);
  line.heal();
  expect((await open()).status).toBe(200);
});

it('sends no second command to a gate whose response was lost, however often an operator asks', async () => {
  const { relay } = network;
  relay.fail({ kind: 'dropped', acts: true }, 1);
  const before = relay.requests.filter(({ acted }) => acted).length;
  // The status line came: the gate confirmed.
  expect((await open()).status).toBe(200);
  relay.fail({ kind: 'silent', acts: true }, 1);
  expect((await open()).status).toBe(504);
  expect(relay.requests.filter(({ acted }) => acted)).toHaveLength(before + 2);
});
