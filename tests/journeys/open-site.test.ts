import { copyFile, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readConfig } from '@hlid/edge/config/read-config';
import { runInShell } from '@hlid/edge/test/shell';
import { deadline } from '@hlid/protocol/test/deadline';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { z } from 'zod';
import { buildConsole, buildKioskPage } from '../harness/build-pages.ts';
import { type OperatedCloud, startOperatedCloud } from '../harness/cloud-program.ts';
import { fourLanes } from '../harness/edge-document.ts';
import { runEdgeTool } from '../harness/edge-tool.ts';
import { newSecret } from '../harness/new-secret.ts';
import { addDefaultProducts } from '../harness/provision.ts';
import { type Site, sitePlan, startSite } from '../harness/site.ts';
import { axeFaults } from '../screens/axe-faults.ts';
import { CHROMIUM_IS_HERE } from '../screens/chromium.ts';
import { type ConsoleStage, showConsole } from '../screens/console-page.ts';
import { Hands, MEANS, type Means } from '../screens/hands.ts';
import { type OnvifDeviceSim, startOnvifDevice } from '../sim/onvif-device.ts';
import { startRelay } from '../sim/relay.ts';
import { startZvtTerminal, type ZvtTerminal } from '../sim/zvt-terminal.ts';

const OpeningSchema = z.looseObject({
  steps: z.array(z.looseObject({ step: z.string(), state: z.string() })),
});
const TrafficSchema = z.looseObject({ total: z.looseObject({ arrivals: z.int(), departures: z.int() }) });
/** Changes at the site come to the page within seconds. */
const SOON = { timeout: deadline(30_000) };
/** What the package of the edge installs as configuration. */
const FIRST_CONFIG = new URL('../../deploy/edge/first.yaml', import.meta.url);
const CAMERA = { user: 'hlid', password: 'parking-1' };

/** A person at the console who opens a site, and is interrupted after each step: the page goes on elsewhere. */
class Opener {
  readonly #stage: ConsoleStage;
  readonly #means: Means;
  #page: Page;
  siteId = '';
  /** The number of acts by hand: fields, buttons and steps. */
  acts = 0;
  /** The number of answers in the setup of the computer, most of them by Enter alone. */
  answers = 0;

  constructor(stage: ConsoleStage, means: Means, page: Page) {
    this.#stage = stage;
    this.#means = means;
    this.#page = page;
  }

  get page(): Page {
    return this.#page;
  }

  get hands(): Hands {
    this.acts++;
    return new Hands(this.#page, this.#means);
  }

  panel(step: string) {
    return this.#page.locator(`#step-${step}`);
  }

  /** Another browser on another computer, at the first step that is not done. */
  async goesOnElsewhere(step: string): Promise<void> {
    await this.#page.context().close();
    this.#page = await this.#stage.open(`${this.siteId}/opening`);
    await this.panel(step).locator('> p').first().waitFor(SOON);
  }

  /** Opens a step that is not the next one. */
  async opens(step: string): Promise<void> {
    await this.hands.press(this.#page.locator(`button[aria-controls="step-${step}"]`));
    await this.panel(step).locator('> p').first().waitFor();
  }

  async press(step: string, name: string | RegExp): Promise<void> {
    await this.hands.press(this.panel(step).getByRole('button', { name }));
  }

  async type(step: string, label: string, text: string): Promise<void> {
    await this.hands.type(this.panel(step).getByLabel(label, { exact: true }), text);
  }

  async shows(step: string, text: string): Promise<void> {
    await this.panel(step).getByText(text).first().waitFor(SOON);
  }
}

describe.skipIf(!CHROMIUM_IS_HERE)('a person with only the console and a box of devices', () => {
  let folder: string;
  let operated: OperatedCloud;
  let stage: ConsoleStage;
  let device: OnvifDeviceSim;
  let terminal: ZvtTerminal;
  let site: Site | undefined;

  beforeAll(async () => {
    await buildConsole(console.warn);
    await buildKioskPage(() => undefined);
    folder = await mkdtemp(join(tmpdir(), 'hlid-opening-'));
    operated = await startOperatedCloud({ folder: join(folder, 'cloud') });
    stage = await showConsole(operated, async () => void (await operated.cloud.stop()));
    await addDefaultProducts(operated.operator);
    device = await startOnvifDevice({ ...CAMERA, discovery: { port: 0, group: null } });
    terminal = await startZvtTerminal({ line: 'serial', paceMs: 20, bankMs: 50 });
  });
  afterAll(async () => {
    await site?.stop();
    await stage?.stop();
    await terminal?.close();
    await device?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  const opening = async (siteId: string) =>
    (await operated.operator.call(OpeningSchema, 'GET', `/sites/${siteId}/opening`)).steps;

  async function makesSite(means: Means, name: string): Promise<Opener> {
    const page = await stage.open('all/sites');
    const hands = new Hands(page, means);
    await hands.press(page.getByRole('button', { name: 'New site' }));
    await hands.type(page.getByRole('dialog').getByLabel('Name'), name);
    await hands.press(page.getByRole('button', { name: `Create ${name}` }));
    await page.getByRole('heading', { name: `Open ${name}`, level: 1 }).waitFor();
    const opener = new Opener(stage, means, page);
    opener.acts = 3;
    opener.siteId = new URL(page.url()).pathname.split('/')[2] ?? '';
    return opener;
  }

  /** Types the facts about every site: its address, the number of cars that fit, and the seller. */
  async function describesSite(who: Opener): Promise<void> {
    await who.type('about', 'Address of the car park', 'Geirsgata 1, Reykjavík');
    await who.type('about', 'Opening hours', 'Always open');
    await who.press('about', 'Save');
    await who.shows('about', 'Everything is there.');
    await who.goesOnElsewhere('zones');
    await who.type('zones', 'Capacity', '40');
    await who.press('zones', 'Save');
    await who.shows('zones', 'Everything is there.');
    await who.goesOnElsewhere('seller');
    await who.type('seller', 'Name', 'Höfn ehf.');
    await who.type('seller', 'Registration number (kennitala)', '5001012880');
    await who.press('seller', 'Save');
    await who.shows('seller', 'The VAT number of the seller is missing.');
    await who.goesOnElsewhere('seller');
    await who.press('seller', 'The seller is not registered for VAT');
    await who.shows('seller', 'The seller is not registered for VAT.');
    await who.goesOnElsewhere('edge');
  }

  /** Publishes a price by a kind of tariff, without leaving the page, and confirms its VAT. */
  async function setsPrices(who: Opener): Promise<void> {
    await who.shows('tariff', 'Check the VAT rate of the prices.');
    await who.press('tariff', 'New price from a template');
    const panel = who.panel('tariff');
    await who.hands.choose(panel.getByRole('combobox', { name: /^Choose a kind of tariff/ }), 'Day ticket');
    await who.type('tariff', 'A day', '1350');
    await who.hands.choose(panel.getByRole('combobox', { name: /^VAT/ }), 'VAT is in the price');
    await who.type('tariff', 'VAT in percent', '24');
    const stays = panel.getByRole('table', { name: 'What stays cost' }).locator('tbody tr');
    await expect.poll(() => stays.count(), SOON).toBe(12);
    await expect.poll(() => stays.locator('td.number').nth(3).textContent()).toMatch(/1,350/);
    await who.press('tariff', 'Publish these prices');
    await panel.getByRole('row', { name: /Parking.*24%.*here only/ }).waitFor(SOON);
    await who.press('tariff', 'The VAT rate is right');
    await who.shows('tariff', 'Everything is there.');
  }

  /** Sets up the computer at the site, from the file of its package, and returns how many answers that took. */
  async function setsComputerUp(): Promise<number> {
    const own = await mkdtemp(join(folder, 'setup-'));
    await copyFile(FIRST_CONFIG, join(own, 'edge.yaml'));
    const relay = await startRelay();
    const opensBy = (output: number) => `||| http | ${relay.url}/relay/${output}/pulse |||`;
    const readsBy = `| 1 | onvif || ${CAMERA.user} | ${CAMERA.password}`;
    const answers = [
      'Harbour ||',
      `${opensBy(1)} | ${opensBy(2)} |`,
      `| yes | ${readsBy} || ${readsBy} |`,
      `serial | ${terminal.config.serial?.path} |`,
      'yes ||| 555 1234 | -',
      '| no | yes',
    ].flatMap((some) => some.split('|').map((one) => one.trim()));
    const { code, printed } = await runInShell(['setup', '--language', 'en'], {
      input: Buffer.from(answers.map((one) => `${one}\n`).join('')),
      environment: { HLID_DATA_DIR: own, HLID_ONVIF_PROBE: `127.0.0.1:${device.discoveryPort}` },
    });
    await relay.stop();
    expect(code, printed.join('\n')).toBe(0);
    const { lanes, cameras, terminal: till } = readConfig({ HLID_DATA_DIR: own });
    expect(lanes.map(({ id, gate }) => [id, gate.kind])).toEqual([
      ['in-1', 'http'],
      ['out-1', 'http'],
    ]);
    expect(cameras.map(({ onvif }) => onvif?.url)).toEqual([device.url, device.url]);
    expect(till).toMatchObject({ kind: 'zvt', serial: terminal.config.serial });
    return answers.length;
  }

  async function putsSignsUp(who: Opener): Promise<void> {
    const sign = who.panel('signs').getByRole('img');
    await expect.poll(() => sign.evaluate((one: HTMLImageElement) => one.naturalWidth)).toBeGreaterThan(0);
    await who.press('signs', 'The signs are up');
    await who.shows('signs', 'Everything is there.');
  }

  it.each(MEANS)('opens a site with a computer, by %s, interrupted at each step', async (means) => {
    const who = await makesSite(means, means === 'mouse' ? 'Harbour' : 'Airport');
    const { siteId } = who;
    await describesSite(who);
    await who.press('edge', /^With a computer/);
    await who.shows('edge', 'A computer at the site decides at its gates.');
    await who.goesOnElsewhere('enrolment');

    await who.press('enrolment', 'Make a code');
    await who.panel('enrolment').getByRole('timer').waitFor();
    const code = (await who.panel('enrolment').locator('.copyable-text').nth(1).textContent()) ?? '';
    await who.goesOnElsewhere('enrolment');
    await who.shows('enrolment', 'was shown where it was made');
    who.answers = await setsComputerUp();
    const edgeFolder = join(folder, `edge-${means}`);
    const words = ['enrol', code, '--cloud', operated.cloud.httpUrl()];
    expect(await runEdgeTool(edgeFolder, words)).toMatchObject({ code: 0 });
    await who.shows('enrolment', 'The computer has its credentials.');
    const lanes = fourLanes(newSecret)
      .filter(({ id }) => id.endsWith('-1'))
      .map((lane, at) => ({ ...lane, output: at + 1 }));
    const { href: url } = new URL('/snapshot.jpg', device.url);
    site = await startSite({
      ...sitePlan({ name: 'As the cloud says' }),
      lanes,
      folder: edgeFolder,
      snapshot: () => ({ url, ...CAMERA }),
      terminal: { ...terminal.config, id: 'kiosk-1' },
    });
    await who.shows('enrolment', 'Everything is there.');
    await who.goesOnElsewhere('cameras');

    // Each camera shows what it sees. Its first read comes with the test car.
    const cameras = who.panel('cameras').locator('.opening-things > li');
    await expect.poll(() => cameras.count(), SOON).toBe(2);
    await who.hands.press(cameras.first().getByRole('button', { name: 'Take a picture' }));
    await cameras.first().locator('.picture img').waitFor(SOON);
    await who.shows('cameras', 'Waiting for the first read');
    await who.goesOnElsewhere('cameras');
    await who.opens('lanes');
    await who.shows('lanes', 'Everything is there.');
    await expect.poll(() => who.panel('lanes').getByRole('row').count()).toBe(3);

    await who.opens('gates');
    for (const { id, name } of lanes) {
      const before = site.lane(id).openings();
      await who.press('gates', `Open once: ${name}`);
      await who.hands.press(who.page.getByRole('dialog').getByRole('button', { name: `Open once: ${name}` }));
      await site.lane(id).opensAfter(before);
      await who.page.getByRole('dialog').waitFor({ state: 'hidden' });
    }
    await who.shows('gates', 'Everything is there.');
    await who.goesOnElsewhere('cameras');

    await who.opens('terminal');
    await who.shows('terminal', 'Everything is there.');
    await who.opens('tariff');
    await setsPrices(who);
    await who.goesOnElsewhere('cameras');
    await who.opens('signs');
    await putsSignsUp(who);
    await who.goesOnElsewhere('cameras');

    await who.opens('kiosk');
    // With a card terminal there has to be one.
    await who.shows('kiosk', 'The computer at the site has not reported it yet.');
    const kiosk = await stage.browser.newPage();
    await kiosk.goto(`${site.edge.localUrl()}/kiosk/`);
    await who.shows('kiosk', 'Everything is there.');
    if (means === 'mouse') expect(await axeFaults(who.page)).toEqual([]);
    await who.goesOnElsewhere('cameras');

    await who.opens('test-car');
    await who.type('test-car', 'Plate of the test car', 'TES 12');
    await who.press('test-car', 'Begin the test');
    await who.shows('test-car', 'Waiting for the test car to come in.');
    await site.lane('in-1').passes('TES12');
    await who.shows('test-car', 'The test car is inside.');
    await who.goesOnElsewhere('cameras');
    await who.opens('test-car');
    await who.shows('test-car', 'Now drive out.');
    expect(await site.lane('out-1').passes('TES12')).toMatchObject({ open: true, reason: 'nothing-due' });
    await who.shows('test-car', 'The test car has left.');
    await who.goesOnElsewhere('test-car');
    if (means === 'mouse') expect(await axeFaults(who.page)).toEqual([]);
    await who.press('test-car', 'Void the visit');
    await who.shows('test-car', 'The visit of the test car is voided.');
    await who.goesOnElsewhere('live');
    await who.press('live', 'The site is open');
    await who.shows('live', 'The site is open for drivers.');
    expect((await opening(siteId)).filter(({ state }) => state !== 'done')).toEqual([]);
    // Each act at the console within a minute, each answer at the computer within twenty seconds: under an hour.
    expect(who.acts + who.answers / 3).toBeLessThan(60);
    await who.page.context().close();

    // The visit is in the history, and in no report.
    const [visit] = await operated.operator.visits({ plate: 'TES12' });
    expect(visit).toMatchObject({ status: 'completed', paymentStatus: 'void' });
    const today = new Date().toISOString().slice(0, 10);
    const path = `/reports/traffic?siteId=${siteId}&date.from=${today}&date.to=${today}`;
    expect((await operated.operator.call(TrafficSchema, 'GET', path)).total).toMatchObject({
      arrivals: 0,
      departures: 0,
    });
    // A device that stops working opens its step again.
    await kiosk.close();
    await site.stop();
    site = undefined;
    await expect
      .poll(async () => (await opening(siteId)).find(({ step }) => step === 'enrolment')?.state, SOON)
      .toBe('again');
  });

  it('opens a site without a computer by fewer steps', async () => {
    const who = await makesSite('mouse', 'Meadow');
    await describesSite(who);
    await who.press('edge', /^Without a computer/);
    await who.shows('edge', 'Cameras post to the cloud');
    await who.goesOnElsewhere('cameras');
    const addresses: string[] = [];
    for (const [name, at] of [
      ['Way in', 'Entrance'],
      ['Way out', 'Exit'],
    ] as const) {
      await who.press('cameras', 'Add a camera');
      const dialog = who.page.getByRole('dialog');
      await who.hands.type(dialog.getByLabel('Name'), name);
      await who.hands.choose(dialog.getByLabel(/^At/), at);
      await who.hands.type(dialog.getByLabel('Id at the site'), name.replace(' ', '-').toLowerCase());
      await who.hands.press(dialog.getByRole('button', { name: `Create ${name}` }));
      await dialog.waitFor({ state: 'hidden' });
      await who.press('cameras', `Make an address for ${name}`);
      const card = who.panel('cameras').locator('.opening-things > li').filter({ hasText: name });
      addresses.push((await card.locator('.copyable-text').textContent()) ?? '');
      await who.goesOnElsewhere('cameras');
    }
    await who.opens('tariff');
    await setsPrices(who);
    await who.opens('signs');
    await putsSignsUp(who);
    await who.opens('test-car');
    await who.type('test-car', 'Plate of the test car', 'TES34');
    await who.press('test-car', 'Begin the test');
    for (const [at, address] of addresses.entries()) {
      await who.shows('test-car', at === 0 ? 'Waiting for the test car' : 'The test car is inside.');
      await drivesPast(address, 'TES34');
    }
    await who.shows('test-car', 'The test car has left.');
    await who.press('test-car', 'Void the visit');
    await who.shows('test-car', 'The visit of the test car is voided.');
    await who.goesOnElsewhere('live');
    await who.press('live', 'The site is open');
    await who.shows('live', 'The site is open for drivers.');
    expect((await opening(who.siteId)).map(({ step }) => step)).toHaveLength(9);
    await who.page.context().close();
  });

  /** A camera that posts to the cloud sees a car. */
  async function drivesPast(address: string, plate: string): Promise<void> {
    const at = Date.now();
    const answer = await fetch(address.replace('{type}', 'open-alpr'), {
      method: 'POST',
      redirect: 'manual',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        data_type: 'alpr_results',
        version: 2,
        epoch_time: at,
        uuid: `${plate}-${at}`,
        camera_id: 1,
        agent_uid: 'MEADOW',
        img_width: 1280,
        img_height: 720,
        results: [{ plate, confidence: 93.5, candidates: [] }],
      }),
    });
    expect(answer.status).toBe(303);
  }
});
