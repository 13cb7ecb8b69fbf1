import { z } from '@hono/zod-openapi';

/** The query parameter of every report that includes archived sites. */
export const ArchivedQuerySchema = z
  .enum(['all'])
  .optional()
  .describe(
    'Archived sites count too. Without it, totals of several sites leave them out; a report of one site shows it, ' +
      'archived or not.',
  );
