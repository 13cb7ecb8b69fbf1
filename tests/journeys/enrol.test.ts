import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { type CloudProgram, startOperatedCloud } from '../harness/cloud-program.ts';
import { fourLanes } from '../harness/edge-document.ts';
import { runEdgeTool } from '../harness/edge-tool.ts';
import { newSecret } from '../harness/new-secret.ts';
import type { Operator } from '../harness/operator.ts';
import { createSite, registerCameras } from '../harness/provision.ts';
import { type Site, sitePlan, startSite } from '../harness/site.ts';
import { waitFor } from '../harness/wait.ts';

const SITE = { name: 'Harbour' };
const CodeSchema = z.looseObject({ code: z.string() });

describe('a technician who installs an edge', () => {
  const lanes = fourLanes(newSecret);
  let folder: string;
  let cloud: CloudProgram;
  let operator: Operator;
  let siteId: string;
  let site: Site | undefined;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'hlid-enrol-'));
    ({ cloud, operator } = await startOperatedCloud({ folder: join(folder, 'cloud') }));
    siteId = (await createSite(operator, sitePlan(SITE))).siteId;
    await registerCameras(operator, siteId, lanes);
  });
  afterAll(async () => {
    await site?.stop();
    await cloud?.stop();
    await rm(folder, { recursive: true, force: true });
  });

  const newCode = async () => (await operator.call(CodeSchema, 'POST', `/sites/${siteId}/enrolment`)).code;
  const enrol = (machine: string, code: string, ...more: string[]) =>
    runEdgeTool(join(folder, machine), ['enrol', code, '--cloud', cloud.httpUrl(), ...more]);
  const isConnected = async () => (await operator.site(siteId)).presence.connected;

  it('types the code from the operator, and the machine is enrolled', async () => {
    const spoken = (await newCode()).toLowerCase().replace('-', ' ');
    const { code, printed, complaint } = await enrol('edge', spoken, '--json');
    expect([code, complaint]).toEqual([0, '']);
    const reported = JSON.parse(printed);
    expect(reported).toMatchObject({ ok: true, siteId, name: 'Harbour', currency: 'ISK', restart: false });
    expect(reported.cameras).toHaveLength(lanes.length);
    expect(new URL(reported.mqttUrl).port).toBe(new URL(cloud.mqttUrl()).port);
  });

  it('starts the daemon with a configuration without secrets, and cars come in', async () => {
    site = await startSite({ ...SITE, lanes, folder: join(folder, 'edge') });
    const { edge } = site;
    expect(readFileSync(join(folder, 'edge', 'edge.yaml'), 'utf8')).not.toMatch(/^cloud:/m);
    await waitFor(isConnected, { what: 'the site to log in', detail: edge.tail });
    expect(await site.lane('in-1').passes('NEW123')).toMatchObject({ open: true });
    await waitFor(async () => (await operator.visits({ plate: 'NEW123' })).length === 1, {
      what: 'the visit to be in the cloud',
      detail: edge.tail,
    });
  });

  it('sees what works and what does not', async () => {
    const { code, printed } = await runEdgeTool(join(folder, 'edge'), ['status', '--text']);
    expect(printed).toMatch(/^Harbour: /);
    expect(code).toBeLessThan(2);
    const stopped = await runEdgeTool(join(folder, 'no-daemon'), ['status']);
    expect(stopped).toMatchObject({ code: 1, complaint: expect.stringContaining('No daemon runs on') });
  });

  it('replaces the machine, and the old one is locked out at once', async () => {
    const code = await newCode();
    const next = await enrol('next-edge', code, '--text');
    expect([next.code, next.printed]).toEqual([0, expect.stringContaining('now the edge of Harbour')]);
    await waitFor(async () => !(await isConnected()), { what: 'the old link to be cut' });
    const thief = await enrol('third-edge', code);
    expect(thief).toMatchObject({ code: 1, complaint: expect.stringContaining('used already') });
    const log = z.looseObject({ data: z.array(z.looseObject({ action: z.string() })) });
    const { data } = await operator.call(log, 'GET', '/audit');
    const enrolments = data.filter(({ action }) => action === 'site.enrol');
    expect(enrolments).toMatchObject([
      { subjectId: siteId, after: { status: 'active', address: expect.stringContaining('127.0.0.1') } },
      {},
    ]);
  });
});
