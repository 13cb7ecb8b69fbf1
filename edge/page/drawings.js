import { drawing } from './element.js';

/** A barrier whose arm the style sheet lifts, by `data-gate` of the card around it. */
export function barrier() {
  return drawing(
    'barrier',
    '0 0 48 32',
    ['rect', { class: 'post', x: '4', y: '14', width: '7', height: '16', rx: '1.5' }],
    ['rect', { class: 'arm', x: '6', y: '15', width: '40', height: '4.5', rx: '2.25' }],
    [
      'path',
      { class: 'arm stripes', d: 'M16 15h6v4.5h-6zM28 15h6v4.5h-6zM40 15h3.75a2.25 2.25 0 0 1 0 4.5H40z' },
    ],
  );
}

/**
 * A tick for a gate that opened, a no-entry bar for one that stayed closed.
 *
 * @param {boolean} open
 */
export function verdict(open) {
  const sign = open
    ? { d: 'm5.6 10.4 3 3 5.8-6.4', fill: 'none', 'stroke-width': '2.2', 'stroke-linecap': 'round' }
    : { d: 'M5.2 10h9.6', 'stroke-width': '3', 'stroke-linecap': 'round' };
  return drawing('verdict', '0 0 20 20', ['circle', { cx: '10', cy: '10', r: '9' }], ['path', sign]);
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
