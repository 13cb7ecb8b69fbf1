import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds on a page of the console, as it is now. @param rules absent: all of them */
export async function axeFaults(page: Page, rules?: readonly string[]): Promise<string[]> {
  await page.evaluate(AXE);
  return await page.evaluate(
    async (runOnly) => {
      const { axe } = window as unknown as {
        axe: {
          run(
            where: object,
            options: object,
          ): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }>;
        };
      };
      const { violations } = await axe.run(
        // React Aria's announcements come and go with what they name.
        { exclude: [['[data-live-announcer]']] },
        { resultTypes: ['violations'], ...(runOnly && { runOnly }) },
      );
      return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
    },
    rules && [...rules],
  );
}
