import type { KioskDue } from '@hlid/protocol/pages/kiosk-api';
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
      units: 1,
      minutes: 60,
      unitMinor: 250,
      amountMinor: 250,
      label: { is: 'Kvöldgjald eftir klukkan átján', en: 'Evening rate after 18:00' },
    },
  ],
  dayPriceMinor: 3500,
};

/**
 * Chooses when these cars came in, on the screen that finds a car by its picture. It chooses the day of the
 * first one, which was yesterday for a test that runs soon after midnight, and the hours of those of the same
 * day.
 */
export async function chooseHours(page: Page, cars: readonly Parked[]): Promise<void> {
  const days = cars.map(({ visit }) => dayNumber(Date.parse(visit.startedAt)));
  const [day = 0] = days;
  const daysAgo = dayNumber(Date.now()) - day;
  if (daysAgo > 0) {
    await page.getByRole('combobox', { name: /Dagur/ }).click();
    await page.getByRole('option').nth(daysAgo).click();
  }
  await page.getByRole('combobox', { name: /Klukkan/ }).click();
  const sameDay = cars.filter((_, place) => days[place] === day);
  for (const hour of new Set(sameDay.map(({ visit }) => new Date(visit.startedAt).getUTCHours()))) {
    await page.keyboard.press('Home');
    for (let step = 0; step < hour; step++) await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
  }
  await page.keyboard.press('Escape');
}

/** The test's site is in Iceland, where the clock shows UTC. */
function dayNumber(ms: number): number {
  return Math.floor(ms / (24 * HOUR_MS));
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
