import { z } from 'zod';
import { MAX_SCREEN_TEXT } from './kiosk-paths.ts';

// Apart from kiosk-api.ts: the page sends these, and does not read them.

/** Limit of a picture of the screen, in base64. */
export const MAX_SCREEN_PICTURE = 2_000_000;

/** The picture of the screen that the shell has taken, or the text on it where the page runs in a browser. */
export const KioskScreenSchema = z.union([
  z.strictObject({ jpeg: z.base64().max(MAX_SCREEN_PICTURE) }),
  z.strictObject({ text: z.string().max(MAX_SCREEN_TEXT) }),
]);
