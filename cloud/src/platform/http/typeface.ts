import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { WORKSPACE } from '../workspace.ts';

/** The assets of the built payment page, which the cloud serves. */
const ASSETS = fileURLToPath(new URL('pay-page/dist-page/assets/', WORKSPACE));

/**
 * The `@font-face` rules of the payment page, for papers: one typeface for all pages, and in files that a browser saves as
 * PDF. Empty where that page is not built: papers are shown in a font of the system.
 */
export const TYPEFACE_RULES = (existsSync(ASSETS) ? readdirSync(ASSETS) : [])
  .filter((name) => name.endsWith('.css'))
  .flatMap((name) => readFileSync(ASSETS + name, 'utf8').match(/@font-face\s*\{[^}]*\}/g) ?? [])
  .join('\n');
