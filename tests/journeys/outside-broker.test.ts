import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DeployedBroker, startDeployedBroker } from '../harness/deployed-broker.ts';
import { type Network, startNetwork } from '../harness/network.ts';
import { newSecret } from '../harness/new-secret.ts';
import { waitFor } from '../harness/wait.ts';

/** The broker, its clients, and what makes passwords and certificates for it. */
const TOOLS = ['mosquitto', 'mosquitto_passwd', 'mosquitto_sub', 'mosquitto_pub', 'openssl', 'stdbuf'];
const installed = TOOLS.every((tool) => run('sh', ['-c', `command -v ${tool}`]) === 0);

const CLOUDS = { user: 'hlid-cloud', password: newSecret() };
const OTHER_SITE = { user: 'another-site', password: newSecret() };

let folder: string;
let broker: DeployedBroker;
let network: Network;

function run(command: string, words: readonly string[]): number | null {
  return spawnSync(command, words, { stdio: 'ignore' }).status;
}

/** The options with which a stock client reaches the broker, without a login. */
function connect(port: number): string[] {
  const tls = ['-h', 'localhost', '--cafile', join(folder, 'fullchain.pem')];
  return [...tls, '-p', String(port), '-V', '311', '-q', '1'];
}

/** The same with a login; by default at the sites' listener. */
function login(user: string, password: string, port = broker.ports.sites): string[] {
  return [...connect(port), '-u', user, '-P', password];
}

function listen(as: readonly string[], ...topics: string[]) {
  const named = topics.flatMap((topic) => ['-t', topic]);
  // It buffers output that does not go to a terminal, unless configured.
  const child = spawn('stdbuf', ['-oL', 'mosquitto_sub', ...as, '-v', '-d', ...named]);
  let messages = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => (messages += String(piece)));
  return {
    messages: () => messages,
    subscribed: () =>
      waitFor(() => messages.includes('Subscribed'), { what: 'a subscription', detail: () => messages }),
    stop: () => child.kill(),
  };
}

function publish(as: readonly string[], topic: string, message: string): void {
  spawnSync('mosquitto_pub', [...as, '-t', topic, '-m', message]);
}

const asCloud = () => login(CLOUDS.user, CLOUDS.password, broker.ports.clouds);
const asOtherSite = () => login(OTHER_SITE.user, OTHER_SITE.password);

describe.skipIf(!installed)('a stock broker with the configuration of deploy/broker', () => {
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hlid-broker-'));
    broker = await startDeployedBroker(folder, CLOUDS);
    broker.setPassword('sites', OTHER_SITE);
    const ca = { NODE_EXTRA_CA_CERTS: join(folder, 'fullchain.pem') };
    network = await startNetwork({
      cloudEnv: { ...ca, HLID_BROKER_URL: broker.cloudsUrl },
      edgeEnv: ca,
      mqttLine: () => broker.sitesUrl,
      onSite({ siteId, secret }) {
        broker.setPassword('sites', { user: siteId, password: secret });
        broker.reload();
      },
    });
  });
  afterAll(async () => {
    await network?.stop();
    await broker?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  it('carries a visit up and a permit down', async () => {
    await network.operator.addPermit('BROKER');
    await network.settled();
    expect(await network.lane('in-1').passes('BROKER')).toMatchObject({ open: true, reason: 'permit' });
    await network.settled();
    expect(await network.operator.visits({ plate: 'BROKER' })).toHaveLength(1);
  });

  it('lets a site subscribe to its own topics only', async () => {
    const { siteId } = network.site;
    const other = listen(asOtherSite(), 'hlid/#', `hlid/v1/${siteId}/#`, 'hlid/v1/+/up');
    await other.subscribed();
    const cloud = listen(asCloud(), `hlid/v1/${siteId}/up`);
    await cloud.subscribed();
    await network.lane('in-1').sees('SECRET');
    await waitFor(() => cloud.messages().includes('SECRET'), { what: 'the event at the cloud' });
    publish(asCloud(), `hlid/v1/${OTHER_SITE.user}/down`, 'TO-IT');
    await waitFor(() => other.messages().includes('TO-IT'), { what: 'a word to it', detail: other.messages });
    expect(other.messages()).not.toMatch(new RegExp(`^hlid/v1/${siteId}/`, 'm'));
    other.stop();
    cloud.stop();
  });

  it('lets a site publish only what sites publish, and for itself', async () => {
    const { siteId } = network.site;
    const cloud = listen(asCloud(), 'hlid/#');
    await cloud.subscribed();
    const forged = [`hlid/v1/${siteId}/up`, `hlid/v1/${OTHER_SITE.user}/down/head`, 'hlid/cloud/announced'];
    for (const topic of forged) publish(asOtherSite(), topic, 'FORGED');
    publish(asOtherSite(), `hlid/v1/${OTHER_SITE.user}/cmd/reply`, 'ALLOWED');
    await waitFor(() => cloud.messages().includes('ALLOWED'), { what: 'what is allowed' });
    expect(cloud.messages()).not.toContain('FORGED');
    cloud.stop();
  });

  it('gives each message of a site to one of those who share the subscription', async () => {
    const shared = '$share/probe/hlid/v1/+/up';
    const both = [listen(asCloud(), shared), listen(asCloud(), shared)];
    for (const one of both) await one.subscribed();
    const messages = Array.from({ length: 6 }, (_, n) => `SHARED-${n}-`);
    for (const message of messages) publish(asOtherSite(), `hlid/v1/${OTHER_SITE.user}/up`, message);
    const received = () =>
      both.flatMap((one) => messages.filter((message) => one.messages().includes(message)));
    await waitFor(() => received().length >= messages.length, { what: 'all messages' });
    expect(received().sort()).toEqual(messages);
    for (const one of both) {
      expect(one.messages()).toContain('SHARED-');
      one.stop();
    }
  });

  it.each([
    ['a wrong password', () => login(OTHER_SITE.user, 'wrong')],
    ['nobody', () => connect(broker.ports.sites)],
    [
      "a site's login where clouds log in",
      () => login(OTHER_SITE.user, OTHER_SITE.password, broker.ports.clouds),
    ],
    ["the clouds' login where sites do", () => login(CLOUDS.user, CLOUDS.password)],
  ])('refuses %s', async (_what, as) => {
    const refused = listen(as(), 'hlid/#');
    await waitFor(() => /not authori[sz]ed/i.test(refused.messages()), {
      what: 'no',
      detail: refused.messages,
    });
    refused.stop();
  });

  it('does not let a client take another’s place by its client id', async () => {
    const thief = listen([...asOtherSite(), '-i', `${network.site.siteId}-edge`], 'hlid/#');
    await thief.subscribed();
    await network.settled();
    expect(network.edge.logged('link.lost')).toEqual([]);
    thief.stop();
  });

  it('does not let a site take messages from the clouds by sharing their subscription', async () => {
    const thief = listen(asOtherSite(), '$share/hlid-cloud/hlid/v1/+/up');
    await thief.subscribed();
    for (const plate of ['KXM12', 'BRT84', 'FOV39']) {
      await network.lane('in-1').passes(plate);
      await network.settled();
    }
    // A lost message is sent again.
    expect(network.edge.logged('outbox.retry')).toEqual([]);
    thief.stop();
  });

  it("serves a revoked site until the broker's list changes, and the cloud rejects its messages", async () => {
    const { siteId } = network.site;
    await network.settled();
    expect((await network.operator.ask('DELETE', `/sites/${siteId}/credentials`)).status).toBe(204);
    const cloud = listen(asCloud(), `hlid/v1/${siteId}/up`);
    await cloud.subscribed();
    await network.lane('in-1').sees('REVOKED');
    await waitFor(() => cloud.messages().includes('REVOKED'), { what: 'the site at the broker' });
    cloud.stop();

    expect(run('mosquitto_passwd', ['-D', join(folder, 'sites'), siteId])).toBe(0);
    broker.reload();
    const health = async () => {
      const response = await fetch(new URL('/health', network.edge.localUrl()));
      return (await response.json()) as { link: { connected: boolean } | null };
    };
    await waitFor(async () => (await health()).link?.connected === false, { what: 'the site to be dropped' });
    expect(await network.operator.visits({ plate: 'REVOKED' })).toEqual([]);
  });
});
