import { DEFAULT_LANGUAGE } from '@hlid/protocol/base/language';
import { KIOSK_PATHS } from '@hlid/protocol/pages/kiosk-paths';
import { DICTIONARY } from './words/words.ts';

/** An edge on the same machine answers in milliseconds; after that time the page shows that it waits for it. */
const TIMEOUT_MS = 400;

// The request of the page's first screen. It is sent before the rest of the page is evaluated, since main.tsx
// imports this file first.

export const FIRST_SITE = fetch(KIOSK_PATHS.site, {
  cache: 'no-store',
  signal: AbortSignal.timeout(TIMEOUT_MS),
});
// The result is read later; until then a failure must not count as unhandled.
FIRST_SITE.catch(() => undefined);

// Most sites have this language.
void DICTIONARY.loadSurely(DEFAULT_LANGUAGE);
