import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type CloudProgram, startOperatedCloud } from '../harness/cloud-program.ts';
import { BROKER_EXAMPLE, type DeployedBroker, startDeployedBroker } from '../harness/deployed-broker.ts';
import { fourLanes } from '../harness/edge-document.ts';
import { runEdgeTool } from '../harness/edge-tool.ts';
import { newSecret } from '../harness/new-secret.ts';
import type { Operator } from '../harness/operator.ts';
import { createSite, registerCameras } from '../harness/provision.ts';
import { type Site, sitePlan, startSite } from '../harness/site.ts';
import { waitFor } from '../harness/wait.ts';

const TOOLS = ['mosquitto', 'mosquitto_passwd', 'openssl', 'curl', 'cmp'];
const installed = TOOLS.every((tool) => spawnSync('sh', ['-c', `command -v ${tool}`]).status === 0);

const SITE = { name: 'Harbour' };

describe.skipIf(!installed)('a site that is enrolled by a code, at a stock broker outside', () => {
  const lanes = fourLanes(newSecret);
  let folder: string;
  let broker: DeployedBroker;
  let cloud: CloudProgram;
  let operator: Operator;
  let siteId: string;
  let site: Site | undefined;
  beforeAll(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hlid-enrolled-'));
    broker = await startDeployedBroker(folder, { user: 'hlid-cloud', password: newSecret() });
    // The authority of this certificate is unknown to every machine: sites get it when they enrol.
    const ca = join(folder, 'fullchain.pem');
    const config = join(folder, 'cloud.yaml');
    writeFileSync(config, `siteMqttCa: ${ca}\nbrokerTls: { ca: ${ca} }\n`);
    ({ cloud, operator } = await startOperatedCloud({
      folder: join(folder, 'cloud'),
      env: {
        HLID_CLOUD_CONFIG: config,
        HLID_BROKER_URL: broker.cloudsUrl,
        HLID_SITE_MQTT_URL: broker.sitesUrl,
      },
    }));
    siteId = (await createSite(operator, sitePlan(SITE))).siteId;
    await registerCameras(operator, siteId, lanes);
    // The login is made as deploy/broker/README.md describes.
    const token = z.looseObject({ access_token: z.string() });
    const request = { name: 'broker.example', role: 'broker' };
    const made = await operator.call(token, 'POST', '/admin/create-role-bearer-token', request);
    writeFileSync(join(folder, 'cloud-login'), `Authorization: Bearer ${made.access_token}\n`);
  });
  afterAll(async () => {
    await site?.stop();
    await cloud?.stop();
    await broker?.stop();
    rmSync(folder, { recursive: true, force: true });
  });

  /** The call that the timer makes every few seconds. */
  const askCloud = (env: Record<string, string> = {}) =>
    spawnSync(join(BROKER_EXAMPLE, 'hlid-broker-logins'), {
      encoding: 'utf8',
      env: {
        ...process.env,
        HLID_BROKER_FOLDER: folder,
        HLID_CLOUD_URL: cloud.httpUrl(),
        HLID_BROKER_RELOAD: broker.reloadCommand,
        ...env,
      },
    });
  const logins = () => readFileSync(join(folder, 'sites'), 'utf8');
  const isConnected = async () => (await operator.site(siteId)).presence.connected;

  it('logs in, and its cars come to the cloud', async () => {
    const { code } = await operator.call(
      z.looseObject({ code: z.string() }),
      'POST',
      `/sites/${siteId}/enrolment`,
    );
    const enrolled = await runEdgeTool(join(folder, 'edge'), ['enrol', code, '--cloud', cloud.httpUrl()]);
    expect(enrolled).toMatchObject({ code: 0, printed: expect.stringContaining(broker.sitesUrl) });
    site = await startSite({ ...SITE, lanes, folder: join(folder, 'edge') });
    const { edge } = site;
    expect(askCloud()).toMatchObject({ status: 0, stderr: '' });
    await waitFor(isConnected, { what: 'the site to log in', detail: edge.tail });
    await site.lane('in-1').passes('NEW123');
    await waitFor(async () => (await operator.visits({ plate: 'NEW123' })).length === 1, {
      what: 'the visit to be in the cloud',
      detail: edge.tail,
    });
  });

  it('gives the broker no secret, and reloads it only after a change', () => {
    expect(logins()).toMatch(new RegExp(`^${siteId}:\\$7\\$101\\$[\\w+/]{16}\\$[\\w+/]{86}==\\n$`));
    expect(askCloud({ HLID_BROKER_RELOAD: 'false' }).status).toBe(0);
  });

  it('keeps the list while the cloud is unreachable', () => {
    const before = logins();
    expect(askCloud({ HLID_CLOUD_URL: 'http://127.0.0.1:9' }).status).not.toBe(0);
    expect(logins()).toBe(before);
  });

  it('is dropped by the broker once it is revoked', async () => {
    expect((await operator.ask('DELETE', `/sites/${siteId}/credentials`)).status).toBe(204);
    expect(askCloud()).toMatchObject({ status: 0 });
    expect(logins()).toBe('');
    const isLinked = async () => {
      const response = await fetch(new URL('/health', site?.edge.localUrl()));
      return z.object({ link: z.object({ connected: z.boolean() }) }).parse(await response.json()).link
        .connected;
    };
    await waitFor(async () => !(await isLinked()), { what: 'the site to be dropped' });
  });
});
