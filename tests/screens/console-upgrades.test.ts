import type { EdgeUpgradeReport } from '@hlid/protocol/site-link/edge-upgrade';
import type { Locator, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { createSite, type SiteAccess } from '../harness/provision.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { type ConsoleStage, stageForGroup, startConsole } from './console-page.ts';
import { Hands, MEANS } from './hands.ts';

/** The beginning of an archive of `ar`, as every package has it: the cloud reads no more. */
const packageFile = (version: string) => ({
  name: `hlid-edge_${version}_amd64.deb`,
  mimeType: 'application/vnd.debian.binary-package',
  buffer: Buffer.from(`!<arch>\n${version} is made up. ${'x'.repeat(200_000)}`),
});
const SIGNATURE = {
  name: 'hlid-edge.deb.minisig',
  mimeType: 'text/plain',
  buffer: Buffer.from('untrusted comment: made up\nRUQ0made0up=\ntrusted comment: made up\nAAAA\n'),
};

/** Longer than the table shows at once. */
const REASON = `The new version did not work within ten minutes: ${'camera cam-in-1 does not answer, '.repeat(5)}it says.`;

const AnswerSchema = z.object({ order: z.object({ id: z.string() }).nullable() });
type Reported = Pick<NonNullable<EdgeUpgradeReport['upgrade']>, 'outcome' | 'reason'>;

describe.skipIf(!CHROMIUM_IS_HERE)('the room of upgrades', () => {
  let stage: ConsoleStage;
  let harbour: SiteAccess;

  stageForGroup(
    async () => {
      stage = await startConsole();
      const plan = { timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} };
      const { operator } = stage.operated;
      harbour = await createSite(operator, { ...plan, name: 'Harbour' });
      await createSite(operator, { ...plan, name: 'Airport' });
    },
    () => stage?.stop(),
  );

  /** A report of Harbour. @returns its order */
  const report = async (version: string, reported: Reported | null, acceptsOrders = true) => {
    const send = async (upgrade: EdgeUpgradeReport['upgrade']) => {
      const body: EdgeUpgradeReport = { version, architecture: 'amd64', acceptsOrders, upgrade };
      const answer = await fetch(`${stage.operated.cloud.httpUrl()}/edge/upgrade`, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${harbour.siteId}.${harbour.secret}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      expect(answer.status).toBe(200);
      return AnswerSchema.parse(await answer.json()).order;
    };
    const order = await send(null);
    if (order === null || reported === null) return order;
    return await send({ orderId: order.id, ...reported, at: new Date().toISOString() });
  };
  const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text });
  const dialog = (page: Page) => page.getByRole('dialog');
  const row = (page: Page, name: string): Locator =>
    page.getByRole('grid').getByRole('row', { name: new RegExp(name) });
  const fits = async (page: Page) => {
    const beyond = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    expect(beyond).toBeLessThanOrEqual(0);
  };

  it('says what comes before the first rollout, and explains a wrong file and a skipped site, in Icelandic', async () => {
    const page = await stage.open('all/upgrades', {
      language: 'is',
      viewport: { width: 390, height: 844 },
    });
    await page.getByText('sudo hlid upgrade trust hlid.pub').waitFor();
    await expect.poll(() => page.locator('.first-steps li').count()).toBe(3);
    expect(await axeFaults(page)).toEqual([]);
    await fits(page);

    await page.getByRole('tab', { name: 'Pakkar' }).click();
    await page.getByText('Engir pakkar').waitFor();
    await page.getByRole('button', { name: 'Bæta við pakka' }).click();
    await page.getByLabel('Pakki').setInputFiles({ ...packageFile('0.2.9'), name: 'hlid.deb' });
    await page.getByText('Skráin heitir hlid.deb.').waitFor();
    await page.getByLabel('Undirskrift').setInputFiles({ ...SIGNATURE, buffer: Buffer.from('no') });
    await page.getByText('er ekki undirskrift').waitFor();
    const add = dialog(page).getByRole('button', { name: /^Bæta við/ });
    await expect.poll(() => add.isDisabled()).toBe(true);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByLabel('Undirskrift').setInputFiles(SIGNATURE);
    // A mistake that only the cloud can detect is shown beside its field.
    await page
      .getByLabel('Pakki')
      .setInputFiles({ ...packageFile('0.2.9'), buffer: Buffer.from('no package') });
    await add.click();
    await dialog(page).locator('.mistake', { hasText: 'Skráin er ekki Debian-pakki.' }).waitFor();
    await page.getByLabel('Pakki').setInputFiles(packageFile('0.2.9'));
    await add.click();
    await toast(page, '0.2.9 hefur bæst við.').waitFor();
    await row(page, '0.2.9').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await fits(page);

    await page.getByRole('button', { name: 'Hefja uppfærslu' }).click();
    await dialog(page).getByText('Hringur 2 hefst strax, með 2 stæðum.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await dialog(page).getByRole('button', { name: 'Uppfæra 2 stæði í 0.2.9' }).click();
    await toast(page, 'Uppfærsla í 0.2.9 er hafin.').waitFor();
    await page.getByText('Hringur 2: 0 af 2 stæðum lokið.').waitFor();
    expect(await report('0.2.0', null, false)).toBeNull();
    await page.getByText('Í bið: ekkert stæði í hring 2 tók við útgáfunni.').waitFor();
    await row(page, 'Harbour').getByText('Stæðið treystir engum lykli').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await fits(page);
    await page.getByRole('button', { name: 'Stöðva' }).click();
    await dialog(page).getByRole('button', { name: 'Stöðva uppfærslu í 0.2.9' }).click();
    await page.getByText('Sú síðasta: 0.2.9, stöðvuð.').waitFor();
    await page.context().close();
  });

  it('asks for a fresh proof before a package is sent, and once only', async () => {
    const page = await stage.open('all/upgrades?tab=packages');
    // The proof that the login gave has expired, as some minutes after it.
    await page.route('**/session', async (route) => {
      if (route.request().method() !== 'GET') return await route.fallback();
      const response = await route.fetch();
      const session = z.looseObject({}).parse(await response.json());
      await route.fulfill({ response, json: { ...session, steppedUpUntil: null } });
    });
    const sent: string[] = [];
    page.on('request', (request) => sent.push(`${request.method()} ${new URL(request.url()).pathname}`));
    await page.getByRole('button', { name: 'Add a package' }).click();
    await page.getByLabel('Package', { exact: true }).setInputFiles(packageFile('0.2.8'));
    await page.getByLabel('Signature').setInputFiles(SIGNATURE);
    await page.getByRole('button', { name: 'Add 0.2.8' }).click();
    await page.getByLabel('Password').fill(stage.operated.operatorLogin.password);
    expect(sent).not.toContain('POST /edge-packages');
    await page.keyboard.press('Enter');
    await toast(page, '0.2.8 is added.').waitFor();
    expect(sent.filter((one) => one === 'POST /edge-packages')).toHaveLength(1);
    await page.context().close();
  });

  it('sets the ring of a site', async () => {
    const page = await stage.open(`${harbour.siteId}/sites`);
    const ring = page.getByLabel('Upgrade ring');
    await expect.poll(() => ring.inputValue()).toBe('2');
    await ring.fill('1');
    await ring.press('Tab');
    await page.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'Saved').waitFor();
    const { body } = await stage.operated.operator.ask('GET', `/sites/${harbour.siteId}`);
    expect(body).toMatchObject({ upgradeRing: 1 });
    await page.context().close();
  });

  it.each(MEANS)(
    'starts a rollout, sees a site go back, resumes, tries again and ends: %s',
    async (means) => {
      await stage.operated.operator.ask('PUT', `/sites/${harbour.siteId}`, { upgradeRing: 1 });
      const version = means === 'mouse' ? '0.3.0' : '0.4.0';
      const page = await stage.open('all/devices');
      const hands = new Hands(page, means);
      const press = (name: string | RegExp) => hands.press(page.getByRole('button', { name }));
      const confirm = (name: string) => hands.press(dialog(page).getByRole('button', { name, exact: true }));
      await hands.goTo('Upgrades');
      await hands.tab('Packages');
      await press('Add a package');
      await page.getByLabel('Package', { exact: true }).setInputFiles(packageFile(version));
      await page.getByLabel('Signature').setInputFiles(SIGNATURE);
      await confirm(`Add ${version}`);
      await toast(page, `${version} is added.`).waitFor();
      await row(page, version).getByText('200 kB').or(row(page, version).getByText('0.2 MB')).waitFor();

      await press('Start a rollout');
      await hands.choose(dialog(page).getByLabel('Version'), version);
      const plan = dialog(page).getByRole('region', { name: 'What will happen' });
      await plan.getByText('Ring 1 begins now, with 1 site. 24 hours after a ring is over').waitFor();
      await hands.choose(dialog(page).getByLabel('Which sites'), 'Chosen sites');
      await plan.getByText('No site is chosen.').waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await hands.choose(dialog(page).getByLabel('Which sites'), 'All sites');
      await plan.getByText('ring 2 with 1 site').waitFor();
      await confirm(`Upgrade 2 sites to ${version}`);
      await toast(page, `The rollout of ${version} has started.`).waitFor();
      const state = page.getByRole('region', { name: `Rollout of ${version}` }).getByRole('status');
      await state.getByText('Ring 1 of 2: 0 of 1 site done.').waitFor();

      await report('0.2.0', { outcome: 'installing', reason: null });
      await row(page, 'Harbour').getByText('Installing').waitFor();
      await report('0.2.0', { outcome: 'went-back', reason: REASON });
      await state.getByText(`Paused: Harbour went back to 0.2.0: ${REASON}`).waitFor();
      await press('Whole reason: Harbour');
      await dialog(page).getByText(REASON).waitFor();
      expect(await axeFaults(page)).toEqual([]);
      await page.keyboard.press('Escape');
      expect(await axeFaults(page)).toEqual([]);
      // A package that is needed stays.
      await hands.tab('Packages');
      await press(`Delete ${version} for amd64`);
      await confirm(`Delete ${version} for amd64`);
      await dialog(page).getByRole('alert').getByText('needs this package').waitFor();
      await page.keyboard.press('Escape');
      await hands.tab('Under way');

      await press('Resume');
      await dialog(page).getByText('The site that failed stays as it is').waitFor();
      await confirm(`Resume the rollout of ${version}`);
      await state.getByText(/^Ring 1 is over\. Ring 2 begins on .+ at the earliest\.$/).waitFor();
      await press('Try again: Harbour');
      await toast(page, 'Harbour gets another order.').waitFor();
      await row(page, 'Harbour').getByText('Not begun').waitFor();
      await report('0.2.0', null);
      await report(version, { outcome: 'done', reason: null });
      await row(page, 'Harbour').getByText('Done').waitFor();
      await expect.poll(() => row(page, 'Harbour').textContent()).toContain(`0.2.0 → ${version}`);
      expect(await axeFaults(page)).toEqual([]);

      await press('End');
      await confirm(`End the rollout of ${version}`);
      await page.getByText(`The last one: ${version}, ended.`).waitFor();
      await hands.tab('Former rollouts');
      await hands.open(row(page, version).filter({ hasText: 'Ended' }));
      await page.getByRole('heading', { name: `Rollout of ${version}`, level: 1 }).waitFor();
      await row(page, 'Airport').getByText('Withdrawn').waitFor();
      expect(await page.getByRole('button', { name: /Try again|Pause|Resume|End/ }).count()).toBe(0);
      expect(await axeFaults(page)).toEqual([]);
      await page.context().close();
    },
  );
});
