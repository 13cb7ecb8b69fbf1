import { read, write } from '../driver-storage.ts';

const KEY = 'hlid.objection';

/**
 * The key of the dispute that this page shows. The address loses it at once, so the tab keeps it over a reload; storage
 * may be forbidden.
 *
 * @param given by the address
 */
export function keptLink(given: string | null): string | null {
  if (given === null) return read(() => sessionStorage.getItem(KEY));
  read(() => write(sessionStorage, KEY, given));
  return given;
}
