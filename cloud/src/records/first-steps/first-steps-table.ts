import { sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { accountTable } from '../accounts/account-table.ts';

/** Accounts that have put the list of first steps away. The steps themselves are read from what there is. */
export const firstStepsAwayTable = sqliteTable('first_steps_away', {
  accountId: text('account_id')
    .primaryKey()
    .references(() => accountTable.id, { onDelete: 'cascade' }),
  at: text('at').notNull(),
});
