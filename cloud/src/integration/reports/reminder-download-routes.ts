import { createRoute, z } from '@hono/zod-openapi';
import { readCollectionFile } from '../../books/reminders/make-collection-file.ts';
import { ReminderStateSchema } from '../../books/reminders/reminder.ts';
import { reminderPages } from '../../books/reminders/shown-reminders.ts';
import { ownRows } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { notFound, REFUSALS } from '../../platform/http/errors.ts';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { IdParamSchema } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { commonTimeZone } from '../../records/sites/choose-site.ts';
import { collectionChangesFile, collectionFile } from './collection-file.ts';
import { FILE_RESPONSES, fileFormat, fileName, sendPieces, tableOptions } from './file-answer.ts';
import { reminderFile } from './reminder-file.ts';

const { format: kindOption, separator: separatorOption } = tableOptions;

const downloadRoute = createRoute({
  method: 'get',
  path: '/collection-files/{id}/download',
  tags: ['Reminders'],
  summary: 'Download a file for a collector, or what has changed since',
  description:
    'One invoice in each row, with columns that do not change. The invoices are the same bytes at any time, until the names ' +
    'are erased with those of the invoices.',
  request: {
    params: IdParamSchema,
    query: z.strictObject({
      format: kindOption,
      separator: separatorOption,
      rows: z
        .enum(['invoices', 'changes'])
        .default('invoices')
        .describe('What was handed over, or what the collector has to be told now.'),
    }),
  },
  responses: { ...FILE_RESPONSES, ...REFUSALS.notFound },
});

const remindersRoute = createRoute({
  method: 'get',
  path: '/reminders/download',
  tags: ['Reminders'],
  summary: 'Export reminders as a spreadsheet',
  request: {
    query: z.strictObject({
      siteId: IdSchema.optional(),
      state: ReminderStateSchema.optional(),
      ...tableOptions,
    }),
  },
  responses: FILE_RESPONSES,
});

/** Files of reminders, and of what was handed to collectors. */
export function reminderDownloadRoutes({ db, clock, log }: Pick<CloudContext, 'db' | 'clock' | 'log'>) {
  return createRouter()
    .openapi(remindersRoute, async (c) => {
      const { format, language, separator, ...filters } = c.req.valid('query');
      const { at } = actorOf(c, clock);
      const own = ownRows(callerOf(c, 'account'));
      const timeZone = await db.read((q) => commonTimeZone(q));
      const file = { format: fileFormat(format, separator), timeZone };
      return await sendPieces(c, log, fileName('reminders', [at], format), () =>
        reminderFile(reminderPages(db, filters, own, at), language, file),
      );
    })
    .openapi(downloadRoute, async (c) => {
      const { format, separator, rows } = c.req.valid('query');
      const { at } = actorOf(c, clock);
      const read = await db.read((q) => readCollectionFile(q, c.req.valid('param').id, at));
      if (read === null) return notFound(c, 'collection-file');
      const file = fileFormat(format, separator);
      if (rows === 'invoices') {
        const name = fileName('collection', [read.file.day], format);
        return await sendPieces(c, log, name, () => collectionFile(read.items, file));
      }
      const name = fileName('collection-changes', [read.file.day, at], format);
      return await sendPieces(c, log, name, () => collectionChangesFile(read.items, file));
    });
}
