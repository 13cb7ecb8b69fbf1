import { LanguageSchema } from '@hlid/protocol/base/language';
import { z } from 'zod';
import type { Unfinished } from './state/kiosk-state.ts';

const KEY = 'hlid.payment';

const UnfinishedSchema = z.strictObject({
  request: z.strictObject({
    key: z.string(),
    visitId: z.string(),
    amountMinor: z.int(),
    currency: z.string(),
    quantity: z.int().nullable(),
  }),
  language: LanguageSchema,
});

/** The payment that the page was following before it was reloaded; it contains no plates. */
export function readUnfinished(): Unfinished | null {
  try {
    return UnfinishedSchema.parse(JSON.parse(sessionStorage.getItem(KEY) ?? 'null'));
  } catch {
    return null;
  }
}

export function writeUnfinished(unfinished: Unfinished | null): void {
  if (unfinished) sessionStorage.setItem(KEY, JSON.stringify(unfinished));
  else sessionStorage.removeItem(KEY);
}
