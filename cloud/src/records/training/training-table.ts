import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** One row in the database of a training installation, written at its first start; none in any other. */
export const trainingTable = sqliteTable('training', {
  id: integer('id').primaryKey(),
  since: text('since').notNull(),
});
