import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Pictures without a photo: on their way into the store, or to be erased from it. */
export const loosePictureTable = sqliteTable(
  'loose_picture',
  {
    key: text('key').primaryKey(),
    since: text('since').notNull(),
  },
  (table) => [index('loose_picture_by_age').on(table.since)],
);
