import { afterEach, beforeEach, expect, it } from 'vitest';
import { waitFor } from '../stage/wait.ts';
import { type FaultyNetwork, startFaultyNetwork } from './faulty-network.ts';

let faulty: FaultyNetwork;
beforeEach(async () => {
  faulty = await startFaultyNetwork();
});
afterEach(() => faulty?.stop());

it('commands that hang in the line are told as not done, and are not done when they arrive', async () => {
  const { network, line } = faulty;
  const { relay, operator, edge, site } = network;
  const open = () => operator.ask('POST', `/sites/${site.siteId}/lanes/in-1/open`, { reason: 'A van' });
  expect((await open()).status).toBe(200);
  const openings = relay.openings(1);

  line.stall();
  const answers = await Promise.all([open(), open(), open()]);
  expect(answers.map(({ status }) => status)).toEqual([504, 504, 504]);
  line.heal();
  const expired = () => edge.logged('command.taken').filter(({ outcome }) => outcome === 'expired');
  await waitFor(() => expired().length === 3, { what: 'the late commands to be dropped', detail: edge.tail });
  expect(relay.openings(1)).toBe(openings);

  expect((await open()).status).toBe(200);
  expect(relay.openings(1)).toBe(openings + 1);
});

it('a gate whose answer was lost is not told twice, however often it is asked for', async () => {
  const { relay, operator, site } = faulty.network;
  relay.fail({ kind: 'dropped', acts: true }, 1);
  const before = relay.requests.filter(({ acted }) => acted).length;
  const answer = await operator.ask('POST', `/sites/${site.siteId}/lanes/in-1/open`, { reason: 'A van' });
  // The status line came: the gate said yes.
  expect(answer.status).toBe(200);
  relay.fail({ kind: 'silent', acts: true }, 1);
  const lost = await operator.ask('POST', `/sites/${site.siteId}/lanes/in-1/open`, { reason: 'A van' });
  expect(lost.status).toBe(504);
  expect(relay.requests.filter(({ acted }) => acted)).toHaveLength(before + 2);
});
