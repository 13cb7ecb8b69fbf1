import { describe, expect, it } from 'vitest';
import {
  matchAhead,
  rowHeightOf,
  rowsToDraw,
  SCROLL_THROTTLE_IOS_MS,
  SCROLL_THROTTLE_MS,
  TYPE_AHEAD_MS,
  toggled,
  typedAhead,
} from './select-rules.ts';

describe("the specification's constants of select lists", () => {
  it('are these', () => {
    expect([rowHeightOf({}), rowHeightOf({ dense: true })]).toEqual([48, 24]);
    expect({ SCROLL_THROTTLE_MS, SCROLL_THROTTLE_IOS_MS, TYPE_AHEAD_MS }).toEqual({
      SCROLL_THROTTLE_MS: 35,
      SCROLL_THROTTLE_IOS_MS: 120,
      TYPE_AHEAD_MS: 1500,
    });
  });
});

describe('rowsToDraw', () => {
  it.each([
    [0, { first: 0, end: 15 }],
    [4800, { first: 93, end: 115 }],
    [1_000_000, { first: 9986, end: 10_000 }],
  ])('of 10,000 draws a few around %d pixels', (scrollTop, rows) => {
    expect(rowsToDraw({ scrollTop, height: 7 * 48, rowHeight: 48, count: 10_000 })).toEqual(rows);
  });

  it('draws all of a short list', () => {
    expect(rowsToDraw({ scrollTop: 0, height: 96, rowHeight: 48, count: 2 })).toEqual({ first: 0, end: 2 });
  });
});

describe('toggled', () => {
  it('adds and takes away, and takes no more than maxValues', () => {
    expect(toggled(['a'], 'b', 3)).toEqual(['a', 'b']);
    expect(toggled(['a', 'b'], 'a', 3)).toEqual(['b']);
    const full = ['a', 'b', 'c'];
    expect(toggled(full, 'd', 3)).toBe(full);
    expect(toggled(['a'], 'b', 1)).toEqual(['b']);
  });
});

describe('typing ahead', () => {
  const START = { text: '', at: Number.NEGATIVE_INFINITY };

  it('collects keys for 1500 ms after the last one', () => {
    const first = typedAhead(START, 'F', 0);
    expect(typedAhead(first, 'i', 1499).text).toBe('fi');
    expect(typedAhead(first, 'i', 1500).text).toBe('i');
  });

  it('takes a space only to go on', () => {
    expect(typedAhead(START, ' ', 0).text).toBe('');
    expect(typedAhead({ text: 'í', at: 0 }, ' ', 10).text).toBe('í ');
  });

  it('goes from one match to the next by one key again and again', () => {
    const days = ['mánudagur', 'þriðjudagur', 'miðvikudagur'];
    const once = typedAhead(START, 'm', 0);
    const twice = typedAhead(once, 'm', 200);
    expect([once.text, twice.text]).toEqual(['m', 'm']);
    expect(matchAhead(days, 'm', 0)).toBe(2);
    expect(matchAhead(days, 'm', 2)).toBe(0);
  });

  it('finds characters in their order, the first one first, and goes round', () => {
    const days = ['Today', 'Yesterday', 'Thursday 19 November'];
    expect(matchAhead(days, 'th9', 0)).toBe(2);
    expect(matchAhead(days, 'toy', 2)).toBe(0);
    expect(matchAhead(days, 'od', 0)).toBe(-1);
    expect(matchAhead(['a.c'], 'a.', 0)).toBe(0);
    expect(matchAhead([], 'a', 0)).toBe(-1);
  });
});
