import type { Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { axeFaults } from './axe-faults.ts';
import { CHROMIUM_IS_HERE } from './chromium.ts';
import { type ConsoleStage, stageForGroup, startConsole } from './console-page.ts';

const EntrySchema = z.looseObject({
  status: z.string(),
  reason: z.string(),
  rules: z.array(z.looseObject({ weekdays: z.array(z.number()), from: z.string(), to: z.string() })),
});

describe.skipIf(!CHROMIUM_IS_HERE)('the room of permits', () => {
  let stage: ConsoleStage;
  const entry = async (id: string) =>
    await stage.operated.operator.call(EntrySchema, 'GET', `/visit/whitelist/${id}`);
  const toast = (page: Page, text: string) => page.locator('.toast', { hasText: text });

  stageForGroup(
    async () => {
      stage = await startConsole();
    },
    () => stage?.stop(),
  );

  it('adds, pauses, edits and deletes a permit, and takes each back', async () => {
    const page = await stage.open('all/permits');
    await page.getByText('Add the first one').waitFor();
    await page.getByRole('button', { name: 'New permit' }).click();
    const form = page.getByRole('dialog', { name: 'New permit' });
    await form.getByLabel('Plate').fill('ab-x12');
    await form.getByLabel('Reason').fill('Staff');
    await form.getByRole('button', { name: 'Add weekdays and hours' }).click();
    await form.getByRole('checkbox', { name: 'Fri' }).press(' ');
    await form.getByLabel('From').last().fill('07:00');
    expect(await axeFaults(page)).toEqual([]);

    // A refused form stays open.
    await form.getByLabel('Until').fill('2020-01-01T10:00');
    await form.getByLabel('From').first().fill('2020-01-02T10:00');
    await form.getByRole('button', { name: 'Add permit of AB-X12' }).click();
    await form.getByRole('alert').waitFor();
    await expect.poll(() => form.getByLabel('Plate').inputValue()).toBe('ab-x12');
    await form.getByLabel('Until').fill('');
    await form.getByLabel('From').first().fill('');
    await form.getByRole('button', { name: 'Add permit of AB-X12' }).click();
    await toast(page, 'ABX12 has a permit now').waitFor();
    const row = page.getByRole('row', { name: /ABX12/ });
    await expect.poll(() => row.textContent()).toContain('Mon–Thu 07:00–18:00');

    await row.getByRole('button', { name: 'Pause ABX12' }).click();
    await expect.poll(() => row.textContent()).toContain('Paused');
    await toast(page, 'is paused').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(() => row.textContent()).toContain('Valid now');
    expect(await axeFaults(page)).toEqual([]);

    await row.getByRole('rowheader').click();
    await page.getByRole('heading', { name: 'Permit of ABX12', level: 1 }).waitFor();
    const id = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    expect(await axeFaults(page)).toEqual([]);

    // Another operator changes it while the form is open: both are shown, and only the fields typed here are
    // replaced.
    await page.keyboard.press('e');
    const edit = page.getByRole('dialog', { name: 'Edit permit' });
    await edit.getByLabel('Reason').fill('Staff of the shop');
    const theirs = { reason: 'Kitchen', rules: [] };
    await stage.operated.operator.ask('PUT', `/visit/whitelist/${id}`, theirs);
    await edit.getByRole('button', { name: 'Save' }).click();
    await edit.getByRole('cell', { name: 'Kitchen' }).waitFor();
    await edit.getByRole('button', { name: 'Save' }).click();
    await toast(page, 'is changed').waitFor();
    expect(await entry(id)).toMatchObject({ reason: 'Staff of the shop', rules: [] });

    await page.getByRole('button', { name: 'Delete' }).click();
    await toast(page, 'is deleted').getByRole('button', { name: 'Undo' }).click();
    await expect.poll(async () => (await entry(id)).status).toBe('active');
    await page.context().close();
  });

  it('is filled and filtered by keys alone', async () => {
    const page = await stage.open('all/permits');
    await page.getByRole('heading', { name: 'Permits', level: 1 }).waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type('KEY11');
    await page.keyboard.press('Tab');
    await page.keyboard.type('Guest');
    await page.keyboard.press('Enter');
    await toast(page, 'KEY11 has a permit now').waitFor();
    await page.getByLabel('Plate').focus();
    await page.keyboard.type('key1');
    await expect.poll(() => new URL(page.url()).searchParams.get('plate')).toBe('key1');
    await page.getByRole('row', { name: /KEY11/ }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Permit of KEY11' }).waitFor();
    await page.keyboard.press('p');
    await toast(page, 'is paused').waitFor();
    await page.context().close();
  });
});
