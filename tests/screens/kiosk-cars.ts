import type { KioskDue } from '@hlid/protocol/kiosk-api';
import type { Page } from 'playwright-core';
import type { Parked } from './kiosk-stand-in.ts';

const HOUR_MS = 3_600_000;

const DUE: Partial<KioskDue> = {
  standing: 'due',
  amountMinor: 1450,
  lines: [
    { rule: 'free', units: 15, amountMinor: 0 },
    { rule: 'step', units: 3, minutes: 60, unitMinor: 400, amountMinor: 1200 },
    {
      rule: 'step',
      ...{ units: 1, minutes: 60, unitMinor: 250, amountMinor: 250 },
      label: { is: 'Kvöldgjald eftir klukkan átján', en: 'Evening rate after 18:00' },
    },
  ],
  dayPriceMinor: 3500,
};

/** Chooses the hours in which these cars came in, on the screen that finds a car by its picture. */
export async function chooseHours(page: Page, cars: readonly Parked[]): Promise<void> {
  await page.getByRole('combobox', { name: /Klukkan/ }).click();
  for (const hour of new Set(cars.map(({ visit }) => new Date(visit.startedAt).getUTCHours()))) {
    await page.keyboard.press('Home');
    for (let step = 0; step < hour; step++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  }
  await page.keyboard.press('Escape');
}

export function car(plate: string | null, due: Partial<KioskDue> = DUE, hoursAgo = 4.2): Parked {
  return {
    visit: {
      id: crypto.randomUUID(),
      plate,
      startedAt: new Date(Date.now() - hoursAgo * HOUR_MS).toISOString(),
      hasPicture: true,
    },
    plate,
    due,
  };
}
