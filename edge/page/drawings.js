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

const SIGNS = {
  opened: { d: 'm5.6 10.4 3 3 5.8-6.4', 'stroke-width': '2.2' },
  'not-opened': { d: 'm6.6 6.6 6.8 6.8m0-6.8-6.8 6.8', 'stroke-width': '2.2' },
  'kept-closed': { d: 'M5.2 10h9.6', 'stroke-width': '3' },
  unconfirmed: { d: 'M7.2 7.6a2.8 2.6 0 1 1 3.9 2.4q-1.1.6-1.1 1.8m0 2.9v.1', 'stroke-width': '2' },
};

/**
 * A tick: the gate opened; a cross: it did not; a no-entry bar: it was to stay closed; a question mark: it is not known.
 *
 * @param {keyof typeof SIGNS} outcome
 */
export function verdict(outcome) {
  return drawing(
    'verdict',
    '0 0 20 20',
    ['circle', { cx: '10', cy: '10', r: '9' }],
    ['path', SIGNS[outcome]],
  );
}

/**
 * Into the car park, or out of it.
 *
 * @param {import('@hlid/protocol/lane').Direction} direction
 */
export function way(direction) {
  const arrow = direction === 'entry' ? 'M3 10h9m-3.5-4 4 4-4 4' : 'M8 10h9m-3.5-4 4 4-4 4';
  const house = direction === 'entry' ? 'M10 3h7v14h-7' : 'M10 3H3v14h7';
  return drawing('way', '0 0 20 20', ['path', { d: house }], ['path', { d: arrow }]);
}
