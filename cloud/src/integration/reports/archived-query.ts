import { z } from '@hono/zod-openapi';

/** Of every report: whether sites count that were archived. */
export const ArchivedQuerySchema = z
  .enum(['all'])
  .optional()
  .describe(
    'Archived sites count too. Without it, totals of several sites leave them out; a report of one site shows it, ' +
      'archived or not.',
  );
