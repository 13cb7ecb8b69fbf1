import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { IdViewSchema } from '../harness/cloud-views.ts';
import { newSecret } from '../harness/new-secret.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { type ConsoleStage, stageForGroup, startConsole } from './console-page.ts';

describe.skipIf(!CHROMIUM_IS_HERE)('the rooms of accounts and of the own login', () => {
  let stage: ConsoleStage;
  const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text });
  stageForGroup(
    async () => {
      stage = await startConsole();
    },
    () => stage?.stop(),
  );

  it('creates an operator of some rights, who sees the rooms of these and logs out when revoked', async () => {
    const page = await stage.open('all/accounts');
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
    await page.keyboard.press('n');
    const form = page.getByRole('dialog', { name: 'New account' });
    const password = newSecret();
    await page.keyboard.type('Birna');
    await form.getByLabel('Role').selectOption('Operator');
    await form.getByLabel('Work').selectOption('Accountant: money');
    await expect.poll(() => form.getByRole('checkbox', { name: 'Money' }).isChecked()).toBe(true);
    await form.getByLabel('Work').selectOption('Manager: everything');
    await form.getByRole('checkbox', { name: 'Everything' }).press(' ');
    await expect.poll(() => form.getByLabel('Work').inputValue()).toBe('own');
    for (const permission of ['Money', 'Prices', 'People']) {
      await form.getByRole('checkbox', { name: permission }).press(' ');
    }
    await form.getByLabel('Mail address').fill('birna@example.is');
    await form.getByLabel('Password').fill('short');
    expect(await axeFaults(page)).toEqual([]);
    await form.getByRole('button', { name: 'Create account of Birna' }).click();
    // A refused form stays open.
    await form.getByRole('alert').waitFor();
    await expect.poll(() => form.getByLabel('Name').inputValue()).toBe('Birna');
    await form.getByLabel('Password').fill(password);
    await form.getByRole('button', { name: 'Create account of Birna' }).click();
    await page.getByRole('heading', { name: 'Account of Birna' }).waitFor();
    await expect
      .poll(() => page.getByText('Lanes and gates, Visits and permits, Sites and devices').count())
      .toBe(1);
    expect(await axeFaults(page)).toEqual([]);

    const hers = await stage.open('all/permits', { login: { id: 'birna@example.is', password } });
    await hers.getByRole('heading', { name: 'Permits', level: 1 }).waitFor();
    expect(await hers.getByRole('link', { name: 'Accounts' }).count()).toBe(0);

    await page.getByRole('tab', { name: 'Sessions' }).click();
    const session = page.getByRole('row', { name: /Chrome/ });
    await expect.poll(() => session.textContent()).toContain('Password');
    expect(await axeFaults(page)).toEqual([]);
    await session.getByRole('button', { name: /End session on Chrome/ }).click();
    await toast(page, 'The session has ended').waitFor();
    // Its stream ends with it, and the login is there without anything being pressed.
    await hers.getByLabel('Password').waitFor();
    await hers.context().close();

    await page.clock.install();
    await page.getByRole('button', { name: 'Leave …' }).click();
    const leaving = page.getByRole('dialog', { name: 'Let Birna leave' });
    await leaving.getByText('It has given no permit that is valid now or later.').waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await leaving.getByRole('button', { name: 'Let Birna leave' }).click();
    await toast(page, 'can no longer log in').waitFor();
    await page.getByRole('button', { name: 'Activate' }).click();
    const undo = toast(page, 'can log in again').getByRole('button', { name: 'Undo' });
    // A notice with the focus or the pointer does not go away.
    await undo.focus();
    await page.clock.fastForward(60_000);
    await undo.hover();
    await page.getByRole('tab', { name: 'Sessions' }).focus();
    await page.clock.fastForward(60_000);
    await undo.click();
    await toast(page, 'Undone').waitFor();
    await page.mouse.move(0, 0);
    await page.clock.fastForward(6000);
    await toast(page, 'Undone').waitFor({ state: 'detached' });
    await page.getByRole('tab', { name: 'Logins' }).click();
    await page
      .getByRole('cell', { name: 'birna@example.is' })
      .or(page.getByRole('rowheader'))
      .first()
      .waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Delete', exact: true }).first().click();
    await page.getByRole('dialog').getByRole('button', { name: 'Delete account of Birna' }).click();
    await page.getByRole('heading', { name: 'Accounts', level: 1 }).waitFor();
    await expect.poll(() => page.getByRole('row', { name: /Birna/ }).count()).toBe(0);
    await page.context().close();
  });

  it('lets a person of a partner invite others of it, and let them leave', async () => {
    const { operator } = stage.operated;
    const password = newSecret();
    const customer = { name: 'Hótelið ehf.', language: 'is' };
    const { id: customerId } = await operator.call(IdViewSchema, 'POST', '/customers', { customer });
    const options = { managesStaff: true, maxPermits: 3 };
    const account = { role: 'partner', status: 'active', name: 'Dóra', customerId, options };
    const authentication = { email: 'dora@example.is', password };
    await operator.call(IdViewSchema, 'POST', '/accounts', { account, authentication });
    const page = await stage.open('all/accounts', { login: { id: authentication.email, password } });
    await page.getByRole('heading', { name: 'My people', level: 1 }).waitFor();
    await page.getByRole('button', { name: 'Invite a person' }).click();
    const form = page.getByRole('dialog', { name: 'Invite a person' });
    await form.getByLabel('Name').fill('Jón');
    await form.getByLabel('Mail address').fill('dora@example.is');
    await form.getByRole('button', { name: 'Invite Jón' }).click();
    await form.getByText('an account logs in by this address already').first().waitFor();
    await form.getByLabel('Mail address').fill('jon@example.is');
    expect(await axeFaults(page)).toEqual([]);
    await form.getByRole('button', { name: 'Invite Jón' }).click();
    await toast(page, 'An invitation is on its way to jon@example.is').waitFor();
    await page.getByRole('link', { name: 'Jón' }).click();
    await page.getByRole('heading', { name: 'Account of Jón' }).waitFor();
    await page.getByRole('button', { name: 'Invite again' }).click();
    const again = page.getByRole('dialog', { name: 'Invite again' });
    await again.getByLabel('Mail address').fill('jon@example.is');
    await again.getByRole('button', { name: 'Invite again' }).click();
    await again.waitFor({ state: 'detached' });
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Leave …' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Let Jón leave' }).click();
    await toast(page, 'can no longer log in').waitFor();
    await page.context().close();
  });

  it('lets a customer look after the own login on a telephone', async () => {
    const { operator } = stage.operated;
    const password = newSecret();
    const account = { role: 'customer', status: 'active', name: 'Anna' };
    const login = { email: 'anna@example.is', password };
    await operator.call(IdViewSchema, 'POST', '/accounts', { account, authentication: login });
    const page = await stage.open('all/login', {
      login: { id: login.email, password },
      viewport: { width: 360, height: 740 },
    });
    await page.getByRole('heading', { name: 'My login' }).waitFor();
    const devices = await page.context().newCDPSession(page);
    await devices.send('WebAuthn.enable');
    await devices.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
      },
    });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    const form = page.getByRole('dialog', { name: 'Add a passkey' });
    await form.getByLabel('Name of this device').fill('Telephone');
    await page.keyboard.press('Enter');
    const codes = page.getByRole('dialog', { name: 'Recovery codes' });
    await codes.getByRole('listitem').first().waitFor();
    await expect.poll(() => codes.getByRole('listitem').count()).toBe(10);
    await codes.getByRole('button', { name: 'I have kept them' }).click();
    await page.getByRole('row', { name: /Telephone/ }).waitFor();
    await expect.poll(() => page.getByText('10 left').count()).toBe(1);
    expect(await axeFaults(page)).toEqual([]);
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(360);

    await page.getByRole('button', { name: 'Change password' }).click();
    const change = page.getByRole('dialog', { name: 'Change password' });
    await change.getByLabel('Present password').fill('not this one');
    await change.getByLabel('New password').fill(newSecret());
    await page.keyboard.press('Enter');
    await expect.poll(() => change.getByRole('alert').textContent()).toContain('not right');
    await change.getByLabel('Present password').fill(password);
    await page.keyboard.press('Enter');
    // Every session has ended, this one too.
    await page.getByRole('button', { name: 'Log in' }).waitFor();
    await page.context().close();
  });
});
