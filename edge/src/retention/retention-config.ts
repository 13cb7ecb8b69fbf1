import { z } from 'zod';

const days = (max: number) => z.int().min(1).max(max);

/** How long the site keeps its rows; what is not reported to the cloud stays longer. */
export const RetentionSchema = z.strictObject({
  /** Reads and passages. */
  readDays: days(90).default(30),
  /** Visits that are over and settled, with what settled them. */
  visitDays: days(365).default(30),
  /** Visits that are over and wait for a person; and those that never end, after their beginning. */
  unsettledDays: days(730).default(180),
});
export type RetentionConfig = z.infer<typeof RetentionSchema>;
