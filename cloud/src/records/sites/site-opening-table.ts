import { primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { compactId, compactSiteId } from '../../platform/db/compact-columns.ts';
import type { OpeningAnswer, OpeningStep } from './opening-steps.ts';

/**
 * The answers of people to the steps of opening a site. Everything else about a step is read from the site
 * itself.
 */
export const siteOpeningTable = sqliteTable(
  'site_opening',
  {
    siteId: compactSiteId('site_id').notNull(),
    step: text('step').$type<OpeningStep>().notNull(),
    answer: text('answer').$type<OpeningAnswer>().notNull(),
    /** The visit of the test car, once it is known; null for the other steps. */
    visitId: compactId('visit_id'),
    /** `account:<id>` */
    by: text('by').notNull(),
    at: text('at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.siteId, table.step] })],
);
