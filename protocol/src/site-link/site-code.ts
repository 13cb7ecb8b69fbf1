import { z } from 'zod';

/** No letters that are read as another letter or a digit, and no vowels, so that codes make no words. */
export const SITE_CODE_CHARACTERS = '34679CDFGHJKMNPRTVWXY';

/**
 * The code that signs, screens and addresses have in place of a site's id: short, and unique in one cloud.
 */
export const SiteCodeSchema = z
  .string()
  .regex(new RegExp(`^[${SITE_CODE_CHARACTERS}]{4,8}$`))
  .meta({ id: 'SiteCode', example: '7KWM' });

/** A code as a person typed it: small letters, spaces and hyphens mean nothing. */
export function normalizeSiteCode(typed: string): string {
  return typed.replaceAll(/[\s-]/g, '').toUpperCase();
}
