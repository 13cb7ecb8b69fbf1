import { z } from 'zod';

/** When something is worth an alarm; what is left out is as below. */
export const HealthSettingsSchema = z.strictObject({
  /** Permits and prices that were not compared with the cloud's for so long. */
  listsMaxAgeHours: z.number().positive().default(24),
  /** Events, or pictures, of which the cloud has taken none for so long. */
  waitingMaxMinutes: z.number().positive().default(60),
  /** Of the site's clock against the cloud's. */
  clockOffSeconds: z.number().min(3).default(30),
  /** Room that is left: so many megabytes, but never more than that part of the disk. */
  disk: z
    .strictObject({
      lowMegabytes: z.number().min(0).default(2048),
      lowPercent: z.number().min(0).max(100).default(10),
      fullMegabytes: z.number().min(0).default(256),
      fullPercent: z.number().min(0).max(100).default(3),
    })
    .prefault({}),
});
export type HealthSettings = z.infer<typeof HealthSettingsSchema>;
