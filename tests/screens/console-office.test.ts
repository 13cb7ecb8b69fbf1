import { randomUUID } from 'node:crypto';
import type { DeviceKind, DeviceState } from '@hlid/protocol/records/device';
import {
  type CommandReply,
  type DeviceCommand,
  type FoundCamera,
  isAboutDevices,
  SiteCommandSchema,
} from '@hlid/protocol/site-link/commands';
import { PROTOCOL_VERSION } from '@hlid/protocol/site-link/envelope';
import { siteTopics } from '@hlid/protocol/site-link/topics';
import mqtt, { type MqttClient } from 'mqtt';
import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import type { CloudProgram } from '../harness/cloud-program.ts';
import { IdViewSchema } from '../harness/cloud-views.ts';
import { fourLanes } from '../harness/edge-document.ts';
import { newSecret } from '../harness/new-secret.ts';
import { addZone, createSite, registerCameras, type SiteAccess } from '../harness/provision.ts';
import { TINY_JPEG } from '../sim/jpeg.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { type ConsoleStage, stageForGroup, startConsole } from './console-page.ts';

const ListSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

/** A site as the cloud's broker sees it. */
interface ConnectedSite {
  reports(deviceId: string, state: DeviceState, kind?: DeviceKind): Promise<unknown>;
  disconnect(): Promise<void>;
}

const FOUND: FoundCamera = {
  address: 'http://10.0.0.9/onvif/device_service',
  name: 'North gate',
  maker: 'Maker',
  model: 'M-1',
  profiles: ['M', 'T'],
  configured: [],
};

async function connectSite(
  { mqttUrl, httpUrl }: Pick<CloudProgram, 'mqttUrl' | 'httpUrl'>,
  { siteId, secret }: SiteAccess,
): Promise<ConnectedSite> {
  const topics = siteTopics(siteId);
  const epoch = randomUUID();
  const login = { clientId: `${siteId}-edge`, username: siteId, password: secret };
  const client: MqttClient = await mqtt.connectAsync(mqttUrl(), login);
  const send = (topic: string, body: object) =>
    client.publishAsync(topic, JSON.stringify({ v: PROTOCOL_VERSION, ...body }), { qos: 1 });
  const now = () => new Date().toISOString();
  let seq = 0;
  client.on('message', (_topic, payload) => {
    void answerOf(JSON.parse(payload.toString())).then((reply) => send(topics.commandReply, reply));
  });
  await client.subscribeAsync(topics.command, { qos: 1 });
  const answerOf = async (message: unknown) => {
    const command = SiteCommandSchema.parse(message);
    const usual = { id: command.id, outcome: 'done', lanes: [], echo: null, at: now() } as const;
    return { ...usual, ...(isAboutDevices(command) && (await answers(command))) };
  };
  /** The camera gives its picture, the gate is away, and the network has one camera. */
  const answers = async ({ id, action }: DeviceCommand): Promise<Partial<CommandReply>> => {
    if (action === 'try-again') return { device: { state: 'unreachable', since: now(), detail: 'no route' } };
    if (action === 'find-cameras') return { cameras: [FOUND] };
    await fetch(`${httpUrl()}/edge/camera-pictures/${id}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${siteId}.${secret}`, 'content-type': 'image/jpeg' },
      body: Buffer.from(TINY_JPEG, 'base64'),
    });
    return { cameraId: 'cam-in-1' };
  };
  await send(topics.presence, {
    online: true,
    epoch,
    seq,
    acknowledged: 0,
    feedAt: 0,
    feedMark: null,
    software: 'test',
    at: now(),
  });
  return {
    reports: (deviceId, state, kind = 'gate') => {
      const body = { type: 'device.changed', kind, deviceId, state, detail: '', since: now() };
      return send(topics.up, { epoch, events: [{ seq: ++seq, at: now(), body }] });
    },
    disconnect: () => client.endAsync(),
  };
}

describe.skipIf(!CHROMIUM_IS_HERE)('the rooms of sites, devices and the office', () => {
  let stage: ConsoleStage;
  let access: SiteAccess;
  const ask = (method: string, path: string, body?: object) =>
    stage.operated.operator.ask(method, path, body);
  const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text });
  const heading = (page: Page, name: string) => page.getByRole('heading', { name, level: 1 });
  const firstId = async (path: string) => {
    const { data } = await stage.operated.operator.call(ListSchema, 'GET', path);
    return data[0]?.id ?? '';
  };

  stageForGroup(
    async () => {
      stage = await startConsole();
      const { operator } = stage.operated;
      const plan = { name: 'Harbour', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} };
      access = await createSite(operator, plan);
      await addZone(operator, access.siteId, 'Cellar');
      await registerCameras(operator, access.siteId, fourLanes(newSecret));
    },
    () => stage?.stop(),
  );

  it('follow the devices of a site, and say what to do', async () => {
    const page = await stage.open(`${access.siteId}/devices`);
    await page.getByText('has not reported any devices').waitFor();
    const site = await connectSite(stage.operated.cloud, access);
    await site.reports('in-1', 'ok');
    await site.reports('out-1', 'ok');
    await expect.poll(() => firstId(`/sites/${access.siteId}/devices`)).toBe('in-1');
    await page.reload();
    const row = page.getByRole('row', { name: /Gate in-1/ });
    await expect.poll(() => row.textContent()).toContain('in order');
    await site.reports('in-1', 'unreachable');
    await expect.poll(() => row.textContent()).toContain('relay’s power');
    // Devices that need a person come first.
    await expect.poll(() => page.getByRole('row').nth(1).textContent()).toContain('Gate in-1');
    expect(await axeFaults(page)).toEqual([]);

    await row.focus();
    await page.keyboard.press('Enter');
    await heading(page, 'Gate in-1').waitFor();
    await expect.poll(() => page.getByRole('grid').getByRole('row').count()).toBe(3);
    expect(await axeFaults(page)).toEqual([]);
    await page.reload();
    await heading(page, 'Gate in-1').waitFor();
    await page.keyboard.press('t');
    await page.getByText('Checked just now:').waitFor();
    await page.getByText('no route').waitFor();

    await site.reports('cam-in-1', 'ok', 'camera');
    await expect.poll(() => firstId(`/sites/${access.siteId}/devices`)).toBe('cam-in-1');
    await page.goto(`${stage.address}/console/${access.siteId}/devices/camera/cam-in-1`);
    await page.getByRole('button', { name: 'Take a picture' }).focus();
    await page.keyboard.press('Enter');
    const picture = page.getByRole('button', { name: 'Enlarge: cam-in-1 now' }).getByRole('presentation');
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBe(1);
    expect(await axeFaults(page)).toEqual([]);
    await site.disconnect();
    await page.getByRole('button', { name: 'Take another picture' }).click();
    await page.getByRole('alert').getByText('the site is not connected').waitFor();
    await page.context().close();
  });

  it('find the cameras of a site, and fill the form with the one that is chosen', async () => {
    const site = await connectSite(stage.operated.cloud, access);
    const page = await stage.open(`${access.siteId}/cameras`);
    await page.getByRole('button', { name: 'New camera' }).click();
    await page.getByRole('button', { name: 'Find cameras at the site' }).focus();
    await page.keyboard.press('Enter');
    await page.getByText('1 device answered.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Choose North gate' }).click();
    await expect.poll(() => page.getByLabel('Name').inputValue()).toBe('North gate');
    await expect.poll(() => page.getByLabel('Maker').inputValue()).toBe('Maker');
    await expect.poll(() => page.getByLabel('Id at the site').inputValue()).toBe('cam-10-0-0-9');
    await site.disconnect();
    await page.context().close();
  });

  it('make an enrolment code that runs out, and a new secret that is shown once', async () => {
    const page = await stage.open(`${access.siteId}/devices?tab=connection`);
    await page.getByRole('button', { name: 'Make a code' }).click();
    const made = page.getByRole('dialog', { name: 'Enrol a computer' });
    const left = await made.getByRole('timer').textContent();
    expect(left).toMatch(/Valid for \d+:\d\d/);
    await expect.poll(() => made.getByRole('timer').textContent()).not.toBe(left);
    await expect.poll(() => made.getByText(/hlid enrol \w{4}-\w{4} --cloud http/).count()).toBe(1);
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Escape');

    await page.getByRole('button', { name: 'Renew the secret' }).click();
    await page.getByRole('button', { name: 'Renew the secret of Harbour' }).click();
    const secret = page.getByRole('dialog').locator('code');
    await secret.waitFor();
    await page.getByRole('button', { name: 'Close' }).last().click();
    await expect.poll(() => secret.count()).toBe(0);
    await page.context().close();
  });

  it('edit a camera by keys, and show what another person saved meanwhile', async () => {
    const page = await stage.open(`${access.siteId}/cameras`);
    const row = page.getByRole('row', { name: /Entrance 1/ });
    await row.focus();
    await page.keyboard.press('Enter');
    await heading(page, 'Entrance 1').waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await page.getByLabel('Dropped texts').fill('EXIT*\nTAXI');
    expect(await axeFaults(page)).toEqual([]);
    expect((await ask('PUT', `/cameras/${id}`, { name: 'North entrance' })).status).toBe(303);
    await page.getByLabel('Dropped texts').press('Tab');
    await page.keyboard.press('Enter');
    const conflict = page.getByRole('alert');
    await conflict.getByRole('cell', { name: 'North entrance' }).waitFor();
    await expect.poll(() => page.getByLabel('Dropped texts').inputValue()).toBe('EXIT*\nTAXI');
    expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel('Name').fill('North entrance');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved').waitFor();
    expect((await ask('GET', `/cameras/${id}`)).body).toMatchObject({
      name: 'North entrance',
      config: { filters: ['EXIT*', 'TAXI'] },
    });
    await page.context().close();
  });

  it('correct the cars inside a zone with a reason, and keep the input of what is refused', async () => {
    const page = await stage.open(`${access.siteId}/zones/${await firstId('/zones')}`);
    await heading(page, 'Cellar').waitFor();
    await page.getByRole('button', { name: 'Correct' }).click();
    await page.getByLabel('Cars inside, as counted').fill('12');
    await page.getByLabel('Reason').fill('Counted on the round');
    await page.getByRole('button', { name: 'Set Cellar to 12 inside' }).click();
    await toast(page, 'The count is corrected').waitFor();
    await page.getByRole('row', { name: /Counted on the round/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);

    await page.goto(`${stage.address}/console/${access.siteId}/sites`);
    await page.getByLabel('Time zone').fill('Reykjavik');
    await page.getByLabel('Free minutes after entry').fill('20');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('alert').waitFor();
    await expect.poll(() => page.getByLabel('Time zone').inputValue()).toBe('Reykjavik');
    await page.getByLabel('Time zone').fill('Europe/Oslo');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved').waitFor();
    expect((await ask('GET', `/sites/${access.siteId}`)).body).toMatchObject({
      timeZone: 'Europe/Oslo',
      settings: { entryGraceMinutes: 20 },
    });
    expect(await axeFaults(page)).toEqual([]);
    await page.context().close();
  });

  it('tell in the audit log who changed what from what', async () => {
    await ask('PUT', `/zones/${await firstId('/zones')}`, { settings: { capacity: 77 } });
    const page = await stage.open('all/audit?subject=zone');
    const row = page.getByRole('row', { name: /Zone Cellar: changed/ });
    await expect.poll(() => row.first().textContent()).toContain('Capacity: 400 → 77');
    await expect.poll(() => row.first().textContent()).toContain(stage.operated.operatorLogin.id);
    expect(await page.getByRole('row', { name: /Camera/ }).count()).toBe(0);
    await row.first().focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByRole('rowheader', { name: 'Capacity' }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'All of this' }).click();
    await expect.poll(() => new URL(page.url()).searchParams.has('subjectId')).toBe(true);
    await page.context().close();
  });

  it('make a webhook whose secret is shown once, pause it, take that back, and delete it', async () => {
    const page = await stage.open('all/webhooks');
    await page.getByRole('button', { name: 'New webhook' }).click();
    const form = page.getByRole('dialog', { name: 'New webhook' });
    await form.getByLabel('Name').fill('Books');
    await form.getByLabel('Address').fill('http://127.0.0.1/');
    await form.getByRole('checkbox', { name: 'All events' }).press(' ');
    await form.getByRole('checkbox', { name: 'An invoice is issued' }).press(' ');
    await form.getByRole('button', { name: 'Create Books' }).click();
    await form.getByRole('alert').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await form.getByLabel('Address').fill('https://books.example/hlid');
    await form.getByRole('button', { name: 'Create Books' }).click();
    await page
      .getByRole('dialog', { name: 'Books is there' })
      .getByText(/^whsec_/)
      .waitFor();
    await page.getByRole('button', { name: 'Deliveries' }).click();
    await heading(page, 'Books').waitFor();
    expect(await page.getByText(/whsec_/).count()).toBe(0);
    await page.getByRole('button', { name: 'Pause' }).click();
    await toast(page, 'Paused').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Active', { exact: true }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete Books' }).click();
    await page.getByText('There are no webhooks').waitFor();
    await page.context().close();
  });

  it('show the data of one plate, and erase it once its plate is typed again', async () => {
    await stage.operated.operator.addPermit('ERASE1');
    const page = await stage.open('all/privacy');
    await page.getByRole('textbox', { name: 'Plate' }).fill('erase1');
    await page.keyboard.press('Enter');
    await page.getByRole('row', { name: /Permits/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Save as a file' }).click();
    expect((await saved).suggestedFilename()).toBe('ERASE1.json');
    await page.getByRole('button', { name: 'Erase the data' }).click();
    const erase = page.getByRole('button', { name: 'Erase all data of ERASE1' });
    await expect.poll(() => erase.isDisabled()).toBe(true);
    await page.getByLabel('Type ERASE1 to confirm').fill('erase1');
    await erase.click();
    await toast(page, 'was erased').waitFor();
    await page.getByRole('tab', { name: 'Retention' }).click();
    await page.getByRole('row', { name: /Request for one plate/ }).waitFor();
    expect(new URL(page.url()).searchParams.get('tab')).toBe('retention');
    expect(await axeFaults(page)).toEqual([]);
    await page.context().close();
  });

  it('list mail with the columns that a person chooses, and hide login links', async () => {
    const { cloud, apiKey, operatorLogin } = stage.operated;
    const asked = await fetch(new URL('/accounts/recover-password', cloud.httpUrl()), {
      method: 'POST',
      headers: { 'x-api-key': apiKey, 'content-type': 'application/json' },
      body: JSON.stringify({ email: operatorLogin.id }),
    });
    expect(asked.status).toBe(202);
    const page = await stage.open('all/mail?status=waiting');
    const row = page.getByRole('row', { name: /Waiting/ });
    await row.waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Columns' }).press('Enter');
    await page.getByRole('menuitemcheckbox', { name: 'Last error' }).press('Enter');
    await page.keyboard.press('Escape');
    await page.getByRole('columnheader', { name: 'Last error' }).waitFor();
    await page.reload();
    await page.getByRole('columnheader', { name: 'Last error' }).waitFor();
    await row.focus();
    await page.keyboard.press('Enter');
    await page.getByText('holds a login link').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    // Its link has run out: the cloud sends no such mail again.
    expect(await page.getByRole('button', { name: /Send again/ }).count()).toBe(0);
    await page.context().close();
  });

  it('show a customer zones without anything to change, on a telephone', async () => {
    const login = { email: 'anna@example.is', password: newSecret() };
    await stage.operated.operator.call(IdViewSchema, 'POST', '/accounts', {
      account: { role: 'customer', status: 'active', name: 'Anna' },
      customer: { name: 'Bílaleigan ehf.', language: 'is' },
      authentication: login,
    });
    const page = await stage.open('all/zones', {
      login: { id: login.email, password: login.password },
      viewport: { width: 360, height: 740 },
      language: 'is',
    });
    await page.getByRole('row', { name: /Cellar/ }).waitFor();
    expect(await page.getByRole('button', { name: 'Nýtt svæði' }).count()).toBe(0);
    expect(await page.getByRole('link', { name: /Tæki|Persónuvernd/ }).count()).toBe(0);
    // Rows are cards, and still a table for screen readers.
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360);
    expect(await axeFaults(page)).toEqual([]);
    await page.context().close();
  });
});
