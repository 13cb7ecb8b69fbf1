import { drawing } from './element.js';

/** A barrier whose arm the style sheet lifts, by `data-gate` of the card around it. */
export function barrier() {
  return drawing(
    'barrier',
    '0 0 52 42',
    ['rect', { class: 'post', x: '3', y: '25', width: '8', height: '16', rx: '1.5' }],
    [
      'g',
      { class: 'arm' },
      ['rect', { x: '5', y: '26', width: '44', height: '5', rx: '2.5' }],
      ['path', { d: 'M15 26.5h7v4h-7zM29 26.5h7v4h-7zM43 26.5h3a2 2 0 0 1 0 4h-3z' }],
    ],
  );
}

/** From lucide (ISC licence), as in kiosk and console: log-in, log-out, check, x, minus, circle-help without its circle. */
const ICONS = {
  entry: ['m10 17 5-5-5-5', 'M15 12H3', 'M15 3h4a2 2 0 0 1 2 2v14a2 2 0 0 1-2 2h-4'],
  exit: ['m16 17 5-5-5-5', 'M21 12H9', 'M9 21H5a2 2 0 0 1-2-2V5a2 2 0 0 1 2-2h4'],
  check: ['M20 6 9 17l-5-5'],
  cross: ['M18 6 6 18', 'm6 6 12 12'],
  minus: ['M5 12h14'],
  question: ['M9.09 9a3 3 0 0 1 5.83 1c0 2-3 3-3 3', 'M12 17h.01'],
};

/** @param {keyof typeof ICONS} name */
export function icon(name) {
  return drawing(
    'icon',
    '0 0 24 24',
    ...(ICONS[name] ?? []).map((d) => /** @type {import('./element.js').Shape} */ (['path', { d }])),
  );
}

const SIGNS = /** @type {const} */ ({
  opened: 'check',
  opening: 'check',
  'let-through': 'check',
  'opened-by-hand': 'check',
  'not-opened': 'cross',
  'kept-closed': 'minus',
  unconfirmed: 'question',
});

/**
 * A tick: the gate opened, or stood open; a cross: it did not; a bar: it was to stay closed; a question mark: it is not known.
 *
 * @param {keyof typeof SIGNS} outcome
 */
export function verdict(outcome) {
  return icon(SIGNS[outcome]);
}
