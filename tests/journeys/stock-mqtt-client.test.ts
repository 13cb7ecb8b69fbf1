import { spawn, spawnSync } from 'node:child_process';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Network, startNetwork } from '../harness/network.ts';
import { waitFor } from '../harness/wait.ts';

const installed = spawnSync('sh', ['-c', 'command -v mosquitto_sub mosquitto_pub']).status === 0;

/** mosquitto_sub with a site's credentials; collects what it prints. */
function listen(network: Network, topic: string, secret = network.site.secret) {
  const { hostname, port } = new URL(network.cloud.mqttUrl());
  const child = spawn('mosquitto_sub', [
    '-h',
    hostname,
    '-p',
    port,
    '-u',
    network.site.siteId,
    '-P',
    secret,
    '-V',
    '311',
    '-q',
    '1',
    '-v',
    '-W',
    '8',
    '-t',
    topic,
  ]);
  let messages = '';
  let over = false;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => (messages += String(piece)));
  child.on('close', () => (over = true));
  return { messages: () => messages, over: () => over, stop: () => child.kill() };
}

describe.skipIf(!installed)('mosquitto_sub with the credentials of a site', () => {
  let network: Network;
  beforeAll(async () => {
    network = await startNetwork();
  });
  afterAll(() => network?.stop());

  it('receives the topics of its site', async () => {
    const { siteId } = network.site;
    const sub = listen(network, `hlid/v1/${siteId}/#`);
    await waitFor(() => sub.messages().includes('/down/head'), { what: 'the retained head of the feed' });
    await network.lane('in-1').sees('STOCK1');
    await waitFor(() => sub.messages().includes(`hlid/v1/${siteId}/up {`), { what: 'events of the site' });
    expect(sub.messages()).toContain(`hlid/v1/${siteId}/presence {"v":1,"online":true`);
    sub.stop();
  });

  it.each(['hlid/v1/another-site/#', '#', '$SYS/#', 'hlid/v1/+/up'])('is refused %s', async (topic) => {
    const sub = listen(network, topic);
    await waitFor(() => sub.over(), { what: 'the refusal' });
    expect(sub.messages()).toMatch(/denied|not authori[sz]ed|refused|rejected/i);
  });

  it('is refused with a wrong secret', async () => {
    const sub = listen(network, `hlid/v1/${network.site.siteId}/#`, 'wrong');
    await waitFor(() => sub.over(), { what: 'the refusal' });
    expect(sub.messages()).toMatch(/not authori[sz]ed|refused/i);
  });

  it('cannot publish for another site or for the cloud', async () => {
    const { siteId, secret } = network.site;
    const { hostname, port } = new URL(network.cloud.mqttUrl());
    const sub = listen(network, `hlid/v1/${siteId}/#`);
    await waitFor(() => sub.messages().includes('/down/head'), { what: 'the subscription' });
    for (const topic of [`hlid/v1/${siteId}/down/head`, 'hlid/v1/another-site/up']) {
      spawnSync('mosquitto_pub', [
        '-h',
        hostname,
        '-p',
        port,
        '-u',
        siteId,
        '-P',
        secret,
        '-V',
        '311',
        '-q',
        '1',
        '-t',
        topic,
        '-m',
        'FORGED',
      ]);
    }
    await network.lane('in-1').sees('AFTER1');
    await waitFor(() => sub.messages().includes('/up {'), { what: 'what comes after' });
    expect(sub.messages()).not.toContain('FORGED');
    sub.stop();
  });
});
