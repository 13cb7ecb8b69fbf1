import { randomUUID } from 'node:crypto';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { type Command, CommandReplySchema, CommandSchema } from '@hlid/protocol/site-link/commands';
import { siteTopics } from '@hlid/protocol/site-link/topics';
import mqtt, { type MqttClient } from 'mqtt';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startCloud } from '../harness/cloud-program.ts';
import { runEdgeTool } from '../harness/edge-tool.ts';
import { MOSQUITTO_INSTALLED, type Mosquitto, startMosquitto } from '../harness/mosquitto.ts';
import { type Network, startNetwork } from '../harness/network.ts';
import { logIn, type Operator } from '../harness/operator.ts';
import { waitFor } from '../harness/wait.ts';

const REASON = { reasonCode: 'event', note: 'A funeral procession' };

/** An operator's command to a lane, and its answer. */
async function sendCommand(operator: Operator, siteId: string, what: string) {
  const { status, body } = await operator.ask('POST', `/sites/${siteId}/${what}`, REASON);
  return { status, body };
}

describe('an operator who moves gates remotely', () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork();
  });
  afterAll(() => network?.stop());

  const at = (what: string) => sendCommand(network.operator, network.site.siteId, what);
  const gates = async () => {
    const response = await fetch(new URL('/health', network.edge.localUrl()));
    const { lanes, concerns } = (await response.json()) as {
      lanes: { id: string; gate: { state: string } }[];
      concerns: { device: string; problem: string }[];
    };
    return { concerns, state: (id: string) => lanes.find((lane) => lane.id === id)?.gate.state };
  };

  it('opens one, and the relay shows it', async () => {
    const before = network.relay.openings(1);
    const { status, body } = await at('lanes/in-1/open');
    expect([status, body]).toMatchObject([
      200,
      { outcome: 'done', lanes: [{ laneId: 'in-1', outcome: 'done' }] },
    ]);
    expect(network.relay.openings(1)).toBe(before + 1);
  });

  it('holds one open over a restart while cars are read and charged as usual, and releases it', async () => {
    expect(await at('lanes/in-1/hold')).toMatchObject({ status: 200 });
    expect(network.relay.isOn(1)).toBe(true);
    const openings = network.relay.openings(1);
    expect(await network.lane('in-1').passes('HOLD1')).toMatchObject({ open: true, reason: 'welcome' });
    expect(network.relay.openings(1)).toBe(openings);
    await network.edge.restart();
    await waitFor(async () => (await gates()).state('in-1') === 'held-open', {
      what: 'the gate to be held again',
    });
    await network.settled();
    expect(await at('lanes/in-1/release')).toMatchObject({ status: 200 });
    expect(network.relay.isOn(1)).toBe(false);
    await network.settled();
    expect(await network.operator.visits({ plate: 'HOLD1' })).toHaveLength(1);
  });

  it('keeps one closed: a car is shown why, and let in once the lane is open again', async () => {
    expect(await at('lanes/in-2/close')).toMatchObject({ status: 200 });
    const openings = network.relay.openings(2);
    expect(await network.lane('in-2').passes('SHUT22')).toMatchObject({
      open: false,
      reason: 'closed-by-operator',
      visitId: null,
    });
    expect((await gates()).concerns).toContainEqual({
      device: 'gate:in-2',
      problem: expect.stringMatching(/^kept closed by .* \(Event: A funeral procession\)$/),
    });
    expect(await at('lanes/in-2/release')).toMatchObject({ status: 200 });
    await network.lane('in-2').opensAfter(openings);
    await network.settled();
    expect(await network.operator.visits({ plate: 'SHUT22' })).toHaveLength(1);
  });

  it('opens all of them in an emergency, and ends that', async () => {
    expect(await at('gates/hold')).toMatchObject({ status: 200, body: { lanes: { length: 4 } } });
    expect([1, 2, 3, 4].every(network.relay.isOn)).toBe(true);
    expect((await gates()).concerns).toContainEqual({ device: 'gates', problem: 'all held open' });
    expect(await at('gates/release')).toMatchObject({ status: 200 });
    expect([1, 2, 3, 4].some(network.relay.isOn)).toBe(false);
  });

  it('sees that a technician at the site holds a gate by the command line', async () => {
    const onSite = async (...words: string[]) =>
      (await runEdgeTool(network.folders.edge, words)).printed.trim();
    expect(await onSite('gate', 'hold', 'out-1', '--text', '--reason', 'an ambulance')).toBe('out-1: done');
    expect(network.relay.isOn(3)).toBe(true);
    expect(await onSite('gate', 'list', '--text')).toMatch(
      /^out-1 +Exit 1 +exit +held-open +by technician .*: an ambulance$/m,
    );
    // An operator may release it, no matter who holds it.
    expect(await at('lanes/out-1/release')).toMatchObject({ status: 200 });
    const pulsed = JSON.parse(await onSite('gate', 'pulse', 'out-1'));
    expect(pulsed).toEqual({ lanes: [{ laneId: 'out-1', outcome: 'done' }] });
  });

  it('is shown what the gate did not do', async () => {
    network.relay.fail({ kind: 'refusing' }, 1);
    expect(await at('lanes/in-1/open')).toMatchObject({ status: 502 });
    expect(await at('lanes/in-7/open')).toMatchObject({ status: 404 });
    network.relay.fail({ kind: 'silent', acts: false }, 1);
    const silent = await at('lanes/in-1/open');
    expect(silent.status).toBe(504);
  });

  it('sees at once that a site is offline, and no command waits for it when it comes back', async () => {
    const openings = network.relay.openings(1);
    await network.edge.stop();
    await waitFor(async () => !(await network.operator.site(network.site.siteId)).presence.connected, {
      what: 'the cloud to know that the site is away',
    });
    const { status } = await at('lanes/in-1/open');
    expect(status).toBe(503);
    await network.edge.start();
    await network.settled();
    expect(network.relay.openings(1)).toBe(openings);
  });
});

describe.skipIf(!MOSQUITTO_INSTALLED)('commands on a broker that clouds share', () => {
  let broker: Mosquitto;
  let network: Network;
  let listener: MqttClient;
  let second: { operator: Operator; stop: () => Promise<unknown> };
  const received: Command[] = [];
  const answered: string[] = [];

  beforeAll(async () => {
    broker = await startMosquitto();
    const env = { HLID_BROKER_URL: broker.url };
    network = await startNetwork({ cloudEnv: env, mqttLine: () => broker.url });
    const { apiKey, operatorLogin } = network;
    const cloud = await startCloud({
      folder: network.folders.cloud,
      apiKey,
      operator: operatorLogin,
      env,
    });
    const access = { cloudUrl: cloud.httpUrl(), apiKey, ...operatorLogin };
    second = { operator: await logIn(access), stop: () => cloud.stop() };
    const topics = siteTopics(network.site.siteId);
    listener = await mqtt.connectAsync(broker.url, { protocolVersion: 4 });
    listener.on('message', (topic, payload) => {
      const message: unknown = JSON.parse(payload.toString());
      if (topic === topics.command) received.push(CommandSchema.parse(message));
      else {
        const { id, outcome } = CommandReplySchema.parse(message);
        answered.push(`${id} ${outcome}`);
      }
    });
    await listener.subscribeAsync([topics.command, topics.commandReply], { qos: 1 });
  });
  afterAll(async () => {
    await listener?.endAsync();
    await second?.stop();
    await network?.stop();
    await broker?.stop();
  });

  const publish = (command: Command) =>
    listener.publishAsync(siteTopics(network.site.siteId).command, JSON.stringify(command), { qos: 1 });

  it('are answered to the cloud that asked, whichever it is', async () => {
    const { siteId } = network.site;
    const before = network.relay.openings(1);
    const asked = Array.from({ length: 10 }, (_, n) =>
      sendCommand(n % 2 === 0 ? network.operator : second.operator, siteId, 'lanes/in-1/open'),
    );
    const answers = await Promise.all(asked);
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
    expect(network.relay.openings(1)).toBe(before + 10);
  });

  it('have no effect when they are repeated or late', async () => {
    const { siteId } = network.site;
    expect(await sendCommand(network.operator, siteId, 'lanes/in-2/open')).toMatchObject({ status: 200 });
    const taken = received.at(-1);
    if (!taken) throw new Error('no command was heard');
    const openings = network.relay.openings(2);
    await publish(taken);
    const now = Date.now();
    await publish({ ...taken, sentAt: utcTime(now), expiresAt: utcTime(now + 1000) });
    const late = {
      ...taken,
      id: randomUUID(),
      sentAt: utcTime(now - 60_000),
      expiresAt: utcTime(now - 59_000),
    };
    await publish(late);
    await waitFor(() => answered.includes(`${late.id} expired`), { what: 'the late one to be refused' });
    expect(network.relay.openings(2)).toBe(openings);
    expect(answered.filter((answer) => answer.startsWith(taken.id))).toHaveLength(1);
  });
});
