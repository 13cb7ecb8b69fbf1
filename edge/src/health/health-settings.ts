import { z } from 'zod';

/** The limits of alarms. */
export const HealthSettingsSchema = z.strictObject({
  /** Of permits and prices that were not compared with the cloud's. */
  listsMaxAgeHours: z.number().positive().default(24),
  /** Of waiting events, or pictures, of which the cloud has accepted none. */
  waitingMaxMinutes: z.number().positive().default(60),
  /** The difference between the clocks of site and cloud. */
  clockOffSeconds: z.number().min(3).default(30),
  /** Free space: so many megabytes, but at most this part of the disk. */
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
