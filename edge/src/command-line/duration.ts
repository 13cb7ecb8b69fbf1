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

const SIGNALS = ['SIGINT', 'SIGTERM'] as const;

/** Resolves after this number of seconds (null: never), or at SIGINT or SIGTERM. */
export function waitForEnd(seconds: number | null): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      for (const signal of SIGNALS) process.off(signal, end);
      resolve();
    };
    const timer = seconds === null ? undefined : setTimeout(end, seconds * 1000);
    for (const signal of SIGNALS) process.once(signal, end);
  });
}
