import { createLog } from '@hlid/node/log';
import { defineCommand, EXIT, option, textOption } from '@hlid/protocol/command-line/command';
import { z } from 'zod';
import { readConfig } from '../../platform/config.ts';

const MonthSchema = z.iso
  .date()
  .or(z.string().regex(/^\d{4}-\d\d$/))
  .transform((text) => text.slice(0, 'YYYY-MM'.length))
  .refine((month) => !Number.isNaN(Date.parse(`${month}-01`)), 'a month is written as 2026-11');

export const totalsRecount = defineCommand({
  name: 'totals recount',
  options: {
    month: option('YYYY-MM', 'the month, by UTC', MonthSchema),
    site: textOption('ID', 'only this site'),
  },
  summary: 'Count the visits of a month again for the reports',
  about:
    'Reports read totals that are kept with each visit. After a fault, or a change of visits past the cloud, this counts ' +
    'the visits of a month again. What comes from reads, decisions and devices stays as it was counted. It can run ' +
    'beside the cloud.',
  examples: ['totals recount --month 2026-11'],
  async run({ json, options: { month, site } }, { environment, print, complain }) {
    if (month === null) {
      complain('name a month with --month');
      return EXIT.wrongUsage;
    }
    // Help need not load the database.
    const [{ openDatabase }, { recountMonth }, { monthOf }, { siteTable }] = await Promise.all([
      import('../../platform/db/open-database.ts'),
      import('../../records/totals/recount.ts'),
      import('../../records/totals/stay-totals.ts'),
      import('../../records/sites/site-table.ts'),
    ]);
    const db = await openDatabase(readConfig(environment), createLog('cloud', 'silent'));
    try {
      const all = await db.read((q) => q.select({ id: siteTable.id }).from(siteTable));
      const sites = all.filter(({ id }) => site === null || id === site);
      if (sites.length === 0) {
        complain(site === null ? 'there is no site' : `there is no site ${site}`);
        return EXIT.failed;
      }
      const number = monthOf(`${month}-01T00:00:00.000Z`);
      for (const { id: siteId } of sites) {
        await db.write(({ q }) => recountMonth(q, { siteId, month: number }));
      }
      if (json) print(JSON.stringify({ ok: true, month, sites: sites.map(({ id }) => id) }));
      else
        print(`${month} is counted again for ${sites.length === 1 ? 'one site' : `${sites.length} sites`}.`);
      return EXIT.done;
    } finally {
      await db.close();
    }
  },
});
