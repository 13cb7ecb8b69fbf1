import { z } from '@hono/zod-openapi';
import { VisitQuerySchema } from '../visits/list/visit-filters.ts';

const { shape } = VisitQuerySchema;

/** The query of the reports on visits: a period, and filters that the list of visits has too. */
export const VisitReportQuerySchema = z.strictObject({
  ...VisitQuerySchema.omit({ date: true, collection: true }).shape,
  'date.from': shape['date.from'].unwrap().describe('The first day or moment on which a visit started.'),
  'date.to': shape['date.to']
    .unwrap()
    .describe('The last one; a day is included, as it is where the site is.'),
});
export type VisitReportQuery = z.infer<typeof VisitReportQuerySchema>;
