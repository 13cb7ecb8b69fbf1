import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { z } from 'zod';

const RULES = {
  all: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'],
  /** All that differs between light and dark. */
  colours: ['color-contrast', 'link-in-text-block'],
};
/** The announcements of React Aria come and go with what they name. */
const LEFT_OUT = { exclude: [['[data-live-announcer]']] };

const ResultsSchema = z.object({
  violations: z.array(z.object({ id: z.string(), nodes: z.array(z.object({ html: z.string() })) })),
});

/** The faults of a page as it is now, by axe, one line per rule. */
export async function axeFaults(page: Page, rules: keyof typeof RULES = 'all'): Promise<string[]> {
  // Colours that are on their way from one to another are none that a person reads.
  await page.evaluate(settleAnimations);
  const options = { runOnly: RULES[rules], resultTypes: ['violations'], iframes: false };
  const run = `axe.run(${JSON.stringify(LEFT_OUT)}, ${JSON.stringify(options)})`;
  // Once per document: reading the script takes longer than most of its rules. A script of the test's own passes any policy.
  const seen =
    (await page.evaluate(`'axe' in window && ${run}`)) || (await page.evaluate(`${axe.source}; ${run}`));
  const { violations } = ResultsSchema.parse(seen);
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

/** Waits for transitions and animations that end: what is folded away stands still until it is shown again. */
async function settleAnimations(): Promise<void> {
  const ending = document.getAnimations().filter(({ effect }) => {
    if (effect instanceof KeyframeEffect && effect.target?.checkVisibility() === false) return false;
    return Number.isFinite(Number(effect?.getComputedTiming().endTime));
  });
  await Promise.all(ending.map((animation) => animation.finished.catch(() => undefined)));
}
