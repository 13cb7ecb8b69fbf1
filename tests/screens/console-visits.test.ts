import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { IdViewSchema } from '../harness/cloud-views.ts';
import { addDefaultProducts, createSite } from '../harness/provision.ts';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { type ConsoleStage, stageForGroup, startConsole } from './console-page.ts';

describe.skipIf(!CHROMIUM_IS_HERE)('the room of visits', () => {
  let stage: ConsoleStage;
  let siteId: string;
  const visits = new Map<string, string>();
  const visitOf = async (plate: string) => await stage.operated.operator.visit(visits.get(plate) ?? '');
  const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text });

  stageForGroup(
    async () => {
      stage = await startConsole();
      const { operator } = stage.operated;
      const plan = { name: 'Hafnartorg', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} };
      siteId = (await createSite(operator, plan)).siteId;
      await addDefaultProducts(operator);
      const hours = (back: number) => new Date(Date.now() - back * 3_600_000).toISOString();
      for (const [at, plate] of ['ABX12', 'KLM34', 'RST78', 'TUV90', 'ÞÓR55', 'DEF56', 'UVW67'].entries()) {
        const body = { plate, siteId, startedOn: hours(30 - at) };
        visits.set(plate, (await operator.call(IdViewSchema, 'POST', '/visits', body)).id);
      }
    },
    () => stage?.stop(),
  );

  it('finds a car by a misheard plate and settles it by keys alone', async () => {
    const page = await stage.open('all/visits');
    await page.getByRole('heading', { name: 'Visits', level: 1 }).waitFor();
    await page.keyboard.press('/');
    const field = page.getByRole('combobox', { name: /Find a plate/ });
    await field.waitFor();
    await page.keyboard.type('abx1z');
    const option = page.getByRole('option', { name: /ABX12/ });
    await option.waitFor();
    await expect.poll(() => option.textContent()).toContain('2 for Z');
    await expect.poll(() => option.textContent()).toContain('Inside');
    await expect.poll(() => option.locator('.plate u').textContent()).toBe('2');
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Visit of ABX12' }).waitFor();
    await page.getByText('If it left now').first().waitFor();
    expect(await axeFaults(page)).toEqual([]);

    await page.keyboard.press('s');
    const dialog = page.getByRole('dialog', { name: 'Settle' });
    await dialog.getByRole('button', { name: /^Settle ISK/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.keyboard.press('Tab');
    await dialog.getByLabel('Received as').selectOption('cash');
    await dialog.getByLabel('Reason').focus();
    await page.keyboard.type('Paid in cash');
    await page.keyboard.press('Enter');
    await toast(page, 'is settled').waitFor();
    expect(await visitOf('ABX12')).toMatchObject({ paymentStatus: 'kiosk' });
    // The timeline follows, and names who did it.
    await page.getByRole('listitem').filter({ hasText: 'Paid in cash' }).waitFor();
    await page.keyboard.press('p');
    await page.getByRole('dialog', { name: 'How the price is made' }).waitFor();
    await page.goto(`${stage.address}/console/all/visits?status=open`);
    await page.getByText('Due in total').waitFor();
    await page.context().close();
  });

  it('finds on a page of its own', async () => {
    const page = await stage.open('all/find?q=def5');
    await page.getByRole('option', { name: /DEF56/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('combobox', { name: /Find a plate/ }).fill('zzz99');
    await page.getByText('Nothing found', { exact: true }).waitFor();
    // Typed without Icelandic keys.
    await page.getByRole('combobox', { name: /Find a plate/ }).fill('thor55');
    await page.getByRole('option', { name: /ÞÓR55/ }).waitFor();
    await page.getByRole('combobox', { name: /Find a plate/ }).fill('þór5');
    await page.getByRole('option', { name: /ÞÓR55/ }).click();
    await page.getByRole('heading', { name: 'Visit of ÞÓR55' }).waitFor();
    await page.context().close();
  });

  it('shows the second of two operators what the first changed, and keeps what was typed', async () => {
    const page = await stage.open(`all/visits/${visits.get('KLM34')}`);
    await page.getByRole('heading', { name: 'Visit of KLM34' }).waitFor();
    await page.keyboard.press('e');
    const edit = page.getByRole('dialog', { name: 'Edit' });
    await edit.getByLabel('Plate').fill('klm39');
    await edit.getByLabel('Reason').fill('Seen from the window');
    const theirs = { plate: 'KLM35', reason: 'Mud' };
    await stage.operated.operator.ask('PUT', `/visit/${visits.get('KLM34')}`, theirs);
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.getByRole('cell', { name: 'KLM35' }).waitFor();
    await expect.poll(() => edit.getByLabel('Plate').inputValue()).toBe('klm39');
    expect(await axeFaults(page)).toEqual([]);
    expect(await visitOf('KLM34')).toMatchObject({ plate: 'KLM35' });
    await edit.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'is changed').getByRole('button', { name: 'Undo' }).click();
    await toast(page, 'Undone').waitFor();
    expect(await visitOf('KLM34')).toMatchObject({ plate: 'KLM34' });
    await page.context().close();
  });

  it('voids with a reason, takes it back, and goes on to the next of the list', async () => {
    const page = await stage.open('all/visits?prefix=rst');
    await page.getByRole('row', { name: /RST78/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Visit of RST78' }).waitFor();
    await page.keyboard.press('v');
    const dialog = page.getByRole('dialog', { name: 'Void' });
    await dialog.getByRole('button', { name: /^Void visit of RST78/ }).waitFor();
    await dialog.getByLabel('Reason').fill('The barrier was broken');
    await page.keyboard.press('Enter');
    const undo = toast(page, 'is voided').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    expect(await visitOf('RST78')).toMatchObject({ status: 'completed', paymentStatus: 'void' });
    await undo.click();
    await toast(page, 'Undone').waitFor();
    expect(await visitOf('RST78')).toMatchObject({ status: 'new', endedOn: null, paymentStatus: null });

    // Reopening has an undo too.
    await stage.operated.operator.settle(visits.get('RST78') ?? '', 'void', 'Again');
    await page.getByRole('button', { name: 'Reopen' }).click();
    await page.getByRole('dialog', { name: 'Reopen' }).getByLabel('Reason').fill('It is inside');
    await page.keyboard.press('Enter');
    await toast(page, 'open again').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await visitOf('RST78')).paymentStatus).toBe('void');

    await page.goto(`${stage.address}/console/all/visits/${visits.get('TUV90')}?status=open&order=oldest`);
    await page.getByRole('heading', { name: 'Visit of TUV90' }).waitFor();
    await page.getByRole('button', { name: 'Next visit' }).waitFor();
    await page.keyboard.press('j');
    await page.getByRole('heading', { name: 'Visit of ÞÓR55' }).waitFor();
    await page.keyboard.press('k');
    await page.getByRole('heading', { name: 'Visit of TUV90' }).waitFor();
    await page.context().close();
  });

  it('splits a visit and makes it free, and takes both back', async () => {
    const page = await stage.open(`all/visits/${visits.get('DEF56')}`);
    await page.getByRole('heading', { name: 'Visit of DEF56' }).waitFor();
    await page.keyboard.press('d');
    const split = page.getByRole('dialog', { name: 'Split' });
    const at = new Date(Date.now() - 10 * 3_600_000).toISOString();
    await split.getByLabel('Second visit begins').fill('2020-01-01T10:00');
    await split.getByLabel('Reason').fill('Seen outside');
    await page.keyboard.press('Enter');
    const refusal = split.getByRole('alert');
    await expect.poll(() => refusal.textContent()).toMatch(/between its start and \d+\s\w+ \d\d:\d\d$/);
    // The site's clock is the one of UTC.
    await split.getByLabel('Second visit begins').fill(at.slice(0, 16));
    await split.getByLabel('Reason').fill('Seen outside');
    await page.keyboard.press('Enter');
    const undo = toast(page, 'is split').getByRole('button', { name: 'Undo' });
    await undo.waitFor();
    expect((await visitOf('DEF56')).endedOn).toContain(at.slice(0, 16));
    await undo.click();
    await expect.poll(async () => (await visitOf('DEF56')).endedOn).toBeNull();

    await page.getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Free visit' }).click();
    const permit = page.getByRole('dialog', { name: 'Free visit' });
    await permit.getByLabel('Reason').fill('Guest');
    await permit.getByRole('button', { name: 'Make the visit of DEF56 free' }).click();
    await page.getByText('Free by permit').first().waitFor();
    await toast(page, 'is free').getByRole('button', { name: 'Undo' }).click();
    await page.getByText('Payment due').first().waitFor();
    await page.context().close();
  });

  it('acts on many, lists what failed, and saves what is filtered as a view', async () => {
    await stage.operated.operator.settle(visits.get('UVW67') ?? '', 'void', 'Left by the other gate');
    const page = await stage.open('all/visits?status=open');
    await page.getByRole('row', { name: /TUV90/ }).waitFor();
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Save view' }).click();
    const save = page.getByRole('dialog', { name: 'Save view' });
    await save.getByLabel('Name').fill('Inside now');
    await page.keyboard.press('Enter');
    const views = page.getByRole('navigation', { name: 'Saved views' });
    await views.getByRole('link', { name: 'Inside now' }).waitFor();
    await expect.poll(() => views.locator('[aria-current=page]').textContent()).toBe('Inside now');
    await views.getByRole('link', { name: 'All visits' }).click();
    await page.getByRole('row', { name: /UVW67/ }).waitFor();

    const box = (plate: string) => page.getByRole('row', { name: plate }).getByRole('checkbox');
    for (const plate of [/UVW67/, /TUV90/])
      await page
        .getByRole('row', { name: plate })
        .focus()
        .then(() => page.keyboard.press('Space'));
    await expect.poll(() => box('TUV90').isChecked()).toBe(true);
    await page.getByRole('button', { name: 'Settle …' }).click();
    const ask = page.getByRole('dialog', { name: 'Settle 2 visits' });
    await ask.getByLabel('How').selectOption('whitelisted');
    await ask.getByLabel('Reason').fill('Power cut');
    const submit = ask.getByRole('button', { name: /^Settle 2 visits/ });
    const count = ask.getByLabel('Type the number of visits: 2');
    await count.fill('3');
    await expect.poll(() => submit.isDisabled()).toBe(true);
    await count.fill('2');
    await page.keyboard.press('Enter');
    await page.getByText('Finished').waitFor();
    const failures = page.getByRole('region', { name: '1 failed' });
    await expect.poll(() => failures.textContent()).toContain('UVW67');
    expect(await axeFaults(page)).toEqual([]);
    expect(await visitOf('TUV90')).toMatchObject({ paymentStatus: 'whitelisted' });
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click();

    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('button', { name: 'CSV' }).click(),
    ]);
    expect(download.suggestedFilename()).toMatch(/\.csv$/);
    await views.getByRole('link', { name: 'Inside now' }).click();
    await views.getByRole('button', { name: 'Change view Inside now' }).click();
    await page.getByRole('menuitem', { name: 'Delete view' }).click();
    await toast(page, 'is deleted').waitFor();
    await page.context().close();
  });

  it('says why a column cannot be sorted while the cloud has more rows', async () => {
    const { operator } = stage.operated;
    const plan = { name: 'Faxaflói', timeZone: 'Atlantic/Reykjavik', currency: 'ISK', settings: {} };
    const { siteId: full } = await createSite(operator, plan);
    for (let n = 10; n < 70; n++) {
      const startedOn = new Date(Date.now() - n * 3_600_000).toISOString();
      await operator.call(IdViewSchema, 'POST', '/visits', { plate: `FUL${n}`, siteId: full, startedOn });
    }
    const page = await stage.open(`${full}/visits`);
    const due = page.getByRole('columnheader', { name: 'Due' });
    await expect.poll(() => due.getAttribute('title')).toMatch(/when all rows are here/);
    expect(await due.getByRole('button').count()).toBe(0);
    expect(await axeFaults(page)).toEqual([]);
    await page.getByRole('button', { name: 'Show more' }).click();
    await due.getByRole('button').click();
    await expect.poll(() => due.getAttribute('aria-sort')).toBe('ascending');
    await expect.poll(() => due.getAttribute('title')).toBeNull();
    await page.context().close();
  });
});
