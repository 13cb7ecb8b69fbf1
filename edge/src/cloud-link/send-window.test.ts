import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  acknowledged,
  asked,
  batchesOnTheWay,
  FRESH_WINDOW,
  hasRoom,
  type SendWindow,
  unanswered,
} from './send-window.ts';

/** A connection on which the cloud has just reported what it holds. */
function begun(committed: number): SendWindow {
  return acknowledged(asked(FRESH_WINDOW, 0), committed).window;
}

const sent = (window: SendWindow, ...ends: number[]) => ends.reduce(asked, window);

describe('a send window', () => {
  test('has no room before the cloud has spoken', () => {
    expect(hasRoom(FRESH_WINDOW)).toBe(false);
    const { window, meaning } = acknowledged(asked(FRESH_WINDOW, 0), 40);
    expect(meaning).toBe('begun');
    expect(window).toMatchObject({ committed: 40, sentTo: 40, asked: [] });
    expect(hasRoom(window)).toBe(true);
  });

  test('has room for eight batches, and for one more with each that is committed', () => {
    const full = sent(begun(0), 1, 2, 3, 4, 5, 6, 7, 8);
    expect(hasRoom(full)).toBe(false);
    const { window, meaning } = acknowledged(full, 1);
    expect(meaning).toBe('progress');
    expect(hasRoom(window)).toBe(true);
    expect(batchesOnTheWay(window)).toBe(7);
  });

  test('goes back when an answer is short of its batch, once for the whole run', () => {
    const lost = acknowledged(sent(begun(0), 100, 200, 300), 100).window;
    const first = acknowledged(lost, 100);
    expect(first.meaning).toBe('rewound');
    expect(first.window).toMatchObject({ committed: 100, sentTo: 100 });
    const again = sent(first.window, 200, 300);
    const second = acknowledged(again, 100);
    expect(second.meaning).toBe('nothing-new');
    expect(acknowledged(second.window, 200).meaning).toBe('progress');
  });

  test('takes an answer for more than its batch for what it is', () => {
    const { window, meaning } = acknowledged(sent(begun(0), 100, 200), 200);
    expect(meaning).toBe('progress');
    expect(batchesOnTheWay(window)).toBe(0);
  });

  test('goes back with a cloud that was set back', () => {
    const { window, meaning } = acknowledged(sent(begun(500), 600), 120);
    expect(meaning).toBe('set-back');
    expect(window).toMatchObject({ committed: 120, sentTo: 120 });
  });

  test('sends one batch at a time after a silence, until there is progress', () => {
    const silent = unanswered(sent(begun(0), 100, 200));
    expect(silent).toMatchObject({ sentTo: 0, asked: [] });
    const probing = asked(silent, 100);
    expect(hasRoom(probing)).toBe(false);
    expect(hasRoom(acknowledged(probing, 100).window)).toBe(true);
  });
});

test('whatever is lost or late, everything arrives once and in order, and most of it is sent once', () => {
  const fate = fc.constantFrom('arrives', 'arrives', 'arrives', 'lost', 'answer lost');
  fc.assert(
    fc.property(fc.array(fate, { maxLength: 40 }), fc.integer({ min: 1, max: 60 }), (fates, batches) => {
      const last = batches * 10;
      const fated = [...fates];
      let window = begun(0);
      let held = 0;
      let sentBatches = 0;
      let onTheWay: number[] = [];
      for (let turn = 0; held < last || window.committed !== last; turn++) {
        expect(turn).toBeLessThan(1000);
        while (hasRoom(window) && window.sentTo < last) {
          const end = Math.min(window.sentTo + 10, last);
          window = asked(window, end);
          onTheWay.push(end);
          sentBatches++;
        }
        if (onTheWay.length === 0) window = unanswered(window);
        const arriving = onTheWay;
        onTheWay = [];
        for (const end of arriving) {
          const what = fated.shift() ?? 'arrives';
          if (what === 'lost') continue;
          if (end - 10 <= held) held = Math.max(held, end);
          if (what === 'arrives') window = acknowledged(window, held).window;
          expect(window.committed).toBeLessThanOrEqual(held);
        }
      }
      const losses = fates.filter((what) => what !== 'arrives').length;
      expect(sentBatches).toBeLessThanOrEqual(batches + losses * 17);
    }),
  );
});
