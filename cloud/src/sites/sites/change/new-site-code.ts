import { randomInt } from 'node:crypto';
import { SITE_CODE_CHARACTERS } from '@hlid/protocol/site-link/site-code';
import type { Queries } from '../../../platform/db/db.ts';
import { eq } from '../../../platform/db/sql.ts';
import { siteTable } from '../../../records/sites/site-table.ts';

const SHORT_LENGTH = 4;
/** The number of tries with each length: if most short codes are taken, codes grow. */
const TRIES = 10;

/** A code that no site has. `draw` is a number below its argument, by chance. */
export async function newSiteCode(q: Queries, draw: (below: number) => number = randomInt): Promise<string> {
  for (let tries = 0; ; tries++) {
    const length = SHORT_LENGTH + Math.floor(tries / TRIES);
    const characters = Array.from(
      { length },
      () => SITE_CODE_CHARACTERS[draw(SITE_CODE_CHARACTERS.length)] ?? '',
    );
    const code = characters.join('');
    const [taken] = await q.select({ id: siteTable.id }).from(siteTable).where(eq(siteTable.code, code));
    if (taken === undefined) return code;
  }
}
