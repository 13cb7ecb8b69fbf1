import { option } from '@hlid/protocol/command-line/command';
import { z } from 'zod';

const SecondsSchema = z
  .string()
  .refine(
    (text) => /^\d{1,6}(\.\d{1,3})?$/.test(text) && Number(text) > 0,
    'is a number of seconds, such as 5',
  )
  .transform(Number);

/** How long a command waits or watches. */
export const SECONDS = option('N', 'how many seconds', SecondsSchema);
