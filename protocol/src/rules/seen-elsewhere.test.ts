import { describe, expect, it } from 'vitest';
import type { BoardPassage } from '../site-link/site-board.ts';
import { seenElsewhere } from './seen-elsewhere.ts';

const AT = '2026-11-23T08:00:00.000Z';
const secondsAgo = (seconds: number) => new Date(Date.parse(AT) - seconds * 1000).toISOString();

describe('a car that two lanes see', () => {
  const seen = (passageId: string, more: Partial<BoardPassage>): BoardPassage => ({
    passageId,
    visitId: null,
    plate: 'ABX12',
    seenAt: secondsAgo(60),
    open: true,
    reason: 'paid',
    flags: [],
    gate: 'done',
    ...more,
  });
  const lane = (id: string, direction: 'entry' | 'exit', earlier: BoardPassage[]) => ({
    id,
    direction,
    car: null,
    earlier,
  });

  it('is one line, at the lane that saw it last', () => {
    const lanes = [
      lane('out-1', 'exit', [seen('first', { visitId: 'visit', seenAt: secondsAgo(900), open: false })]),
      lane('out-2', 'exit', [seen('last', { visitId: 'visit', plate: 'ABXI2' })]),
      lane('in-1', 'entry', [seen('came', { visitId: 'visit', seenAt: secondsAgo(9000) })]),
    ];
    expect(seenElsewhere(lanes)).toEqual({ first: 'out-2' });
  });

  it('is known by its plate where it has no visit, but not for long', () => {
    const lanes = (ago: number) => [
      lane('out-1', 'exit', [seen('first', { seenAt: secondsAgo(ago) })]),
      lane('out-2', 'exit', [seen('last', {}), seen('unread', { plate: null })]),
    ];
    expect(seenElsewhere(lanes(100))).toEqual({ first: 'out-2' });
    expect(seenElsewhere(lanes(1000))).toEqual({});
  });
});
