import { element } from './element.js';

/**
 * A plate as it looks on a car; its style sheet is shared with kiosk and console.
 *
 * @param {string | null} plate
 * @param {string} unread shown where no plate was read
 */
export function plateSign(plate, unread) {
  if (plate === null) return element('span', { class: 'plate unread' }, unread);
  return element('span', { class: 'plate' }, element('span', { class: 'plate-letters' }, plate));
}
