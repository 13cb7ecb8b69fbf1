import type { Language } from '@hlid/protocol/base/language';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { TRAINING_DOCUMENT } from '@hlid/protocol/words/training-mark/training-document';
import type { Queries } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { trainingTable as t } from './training-table.ts';

const ONLY = 1;

/** Whether the car parks of this database are simulated. */
export async function isTrainingDatabase(q: Queries): Promise<boolean> {
  return (await q.select({ id: t.id }).from(t).where(eq(t.id, ONLY)).get()) !== undefined;
}

export async function markAsTraining(q: Queries, at: UtcTime): Promise<void> {
  await q.insert(t).values({ id: ONLY, since: at }).onConflictDoNothing();
}

/** The mark of the documents and mails of this database; null: they are real. */
export async function documentMark(q: Queries, language: Language): Promise<string | null> {
  return (await isTrainingDatabase(q)) ? TRAINING_DOCUMENT[language] : null;
}
