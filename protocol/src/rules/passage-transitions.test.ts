import { describe, expect, it } from 'vitest';
import type { PlateRead } from '../plate/plate-read.ts';
import type { Decision } from '../records/decision.ts';
import {
  alertsOf,
  beginPassage,
  hasNewDecision,
  joinPassage,
  type PassageCourse,
  seenPlate,
} from './passage-transitions.ts';

const NOW = '2026-11-21T08:30:00.000Z';
const LATER = '2026-11-21T08:30:02.000Z';

function readOf(plate: string | null, changes: Partial<PlateRead> = {}): PlateRead {
  return {
    plate,
    plateRaw: plate ?? '',
    score: plate === null ? 0 : 0.9,
    country: null,
    direction: 'approaching',
    capturedAt: null,
    eventKey: 'first',
    relatedKeys: [],
    candidates: [],
    late: false,
    parked: false,
    ...changes,
  };
}

const begun = (read: PlateRead): PassageCourse =>
  beginPassage({ id: 'p1', laneId: 'in-1', readId: 'r1' }, read, NOW);
const keysOf = ({ keys }: PassageCourse): string[] => [...keys];
const numbered = (count: number, name = 'key'): string[] =>
  Array.from({ length: count }, (_, nth) => `${name}-${nth}`);

describe('beginPassage', () => {
  it('is closed, of no visit, and known by the keys of its read', () => {
    const passage = begun(readOf('AB123', { relatedKeys: ['group-1'] }));
    expect(passage).toMatchObject({ plate: 'AB123', score: 0.9, firstSeenAt: NOW, lastSeenAt: NOW });
    expect(passage).toMatchObject({ visitId: null, decision: { open: false, visit: { kind: 'none' } } });
    expect(keysOf(passage)).toEqual(['group-1', 'first']);
  });
});

describe('joinPassage', () => {
  it('takes the better plate, and stays in view', () => {
    const joined = joinPassage(
      begun(readOf('A8123', { score: 0.8 })),
      readOf('AB123', { eventKey: 'b' }),
      LATER,
    );
    expect(joined).toMatchObject({ plate: 'AB123', score: 0.9, firstSeenAt: NOW, lastSeenAt: LATER });
  });

  it('keeps its plate against a worse one, and the better score of the same', () => {
    const passage = begun(readOf('AB123'));
    expect(joinPassage(passage, readOf('A8123', { score: 0.8 }), LATER)).toMatchObject({
      plate: 'AB123',
      score: 0.9,
    });
    expect(joinPassage(passage, readOf('AB123', { score: 0.95 }), LATER).score).toBe(0.95);
    expect(joinPassage(passage, readOf('AB123', { score: 0.7 }), LATER).score).toBe(0.9);
  });

  it.each([
    [
      'two reads against a better one',
      [
        ['A8123', 0.95],
        ['AB123', 0.8],
        ['AB123', 0.8],
      ],
      'AB123',
      0.8,
    ],
    [
      'the better of two that are one each',
      [
        ['A8123', 0.8],
        ['AB123', 0.81],
      ],
      'AB123',
      0.81,
    ],
    [
      'the first of two that weigh the same',
      [
        ['A8123', 0.8],
        ['AB123', 0.8],
      ],
      'A8123',
      0.8,
    ],
    [
      'a read that names no plate for none',
      [
        ['AB123', 0.8],
        [null, 0],
      ],
      'AB123',
      0.8,
    ],
    [
      'the first plate for none',
      [
        [null, 0],
        ['AB123', 0.3],
      ],
      'AB123',
      0.3,
    ],
  ] as [string, [string | null, number][], string, number][])(
    'elects by score and count: %s',
    (_what, [first, ...others], plate, score) => {
      const [name, sure] = first ?? [null, 0];
      const passage = others.reduce(
        (joined, [other, otherScore], nth) =>
          joinPassage(joined, readOf(other, { score: otherScore, eventKey: `read-${nth}` }), LATER),
        begun(readOf(name, { score: sure })),
      );
      expect(passage).toMatchObject({ plate, score });
    },
  );

  it('counts a read that stands for several frames as so many', () => {
    const frames = { relatedKeys: numbered(4, 'frame') };
    const previews = joinPassage(begun(readOf('A8123')), readOf('A8123', { eventKey: 'b' }), LATER);
    expect(joinPassage(previews, readOf('AB123', { eventKey: 'c', ...frames }), LATER).plate).toBe('AB123');
  });

  it('keeps the heaviest of many misreadings, and the newest', () => {
    const passage = numbered(60, 'NOISE').reduce(
      (joined, plate, nth) => joinPassage(joined, readOf(plate, { eventKey: `n-${nth}`, score: 0.5 }), LATER),
      begun(readOf('AB123')),
    );
    expect(passage.votes).toHaveLength(20);
    expect(passage.votes[0]?.plate).toBe('AB123');
    expect(passage.votes.at(-1)?.plate).toBe('NOISE-59');
  });

  it('is not kept in view by what comes late', () => {
    expect(joinPassage(begun(readOf('A8123')), readOf('AB123', { late: true }), null).lastSeenAt).toBe(NOW);
  });

  it('keeps what else its owner knows of it, and the passage that was there as it was', () => {
    const before = { ...begun(readOf('AB123')), gate: 'done' };
    const after = joinPassage(before, readOf('AB123', { eventKey: 'second' }), LATER);
    expect(after.gate).toBe('done');
    expect(keysOf(before)).toEqual(['first']);
  });

  it('keeps the newest sixty keys of a car that stands in view for hours', () => {
    let passage = begun(readOf('AB123', { eventKey: 'frame-0' }));
    for (let nth = 1; nth < 100; nth++) {
      passage = joinPassage(passage, readOf('AB123', { eventKey: `frame-${nth}` }), LATER);
    }
    expect(passage.keys.size).toBe(60);
    expect(keysOf(passage)[0]).toBe('frame-40');
  });

  it('has nothing pushed out by keys that it knows already', () => {
    const first = begun(readOf('AB123', { eventKey: 'preview', relatedKeys: numbered(50) }));
    const second = joinPassage(
      first,
      readOf('AB123', { eventKey: 'final', relatedKeys: numbered(50) }),
      LATER,
    );
    expect(new Set(second.keys)).toEqual(new Set([...numbered(50), 'preview', 'final']));
  });

  it('keeps longest what was seen last, even where it was known before', () => {
    const first = begun(readOf('AB123', { eventKey: 'again', relatedKeys: numbered(59) }));
    const second = joinPassage(first, readOf('AB123', { eventKey: 'again' }), LATER);
    const third = joinPassage(
      second,
      readOf('AB123', { eventKey: 'z', relatedKeys: numbered(58, 'other') }),
      LATER,
    );
    expect(keysOf(third).slice(0, 2)).toEqual(['again', 'other-0']);
  });

  it('never loses the key of the event itself to a crowd of related ones', () => {
    expect(begun(readOf('AB123', { relatedKeys: numbered(200) })).keys.has('first')).toBe(true);
  });
});

describe('seenPlate', () => {
  it('is as sure as the best read of its plate, unless other plates have more than a third of the votes', () => {
    let passage = begun(readOf('AB123'));
    expect(seenPlate(passage, ['A8123'])).toEqual({
      plate: 'AB123',
      score: 0.9,
      candidates: ['AB123', 'A8123'],
    });
    passage = joinPassage(passage, readOf('AB124', { eventKey: 'b' }), LATER);
    expect(seenPlate(passage, []).score).toBeCloseTo(0.675);
    expect(seenPlate(passage, []).candidates).toEqual(['AB123', 'AB124']);
    passage = joinPassage(passage, readOf('AB123', { eventKey: 'c' }), LATER);
    expect(seenPlate(passage, []).score).toBeCloseTo(0.9);
  });

  it('is no plate where none was read', () => {
    expect(seenPlate(begun(readOf(null)), [])).toEqual({ plate: null, score: 0, candidates: [] });
  });
});

describe('hasNewDecision', () => {
  const passage = begun(readOf('AB123'));
  const welcome: Decision = { ...passage.decision, open: true, reason: 'welcome' };

  it('is for another decision or another visit, not for another plate', () => {
    expect(hasNewDecision({ ...passage, decision: welcome }, passage)).toBe(true);
    expect(hasNewDecision({ ...passage, visitId: 'v1' }, passage)).toBe(true);
    expect(hasNewDecision({ ...passage, plate: 'XY999', decision: { ...passage.decision } }, passage)).toBe(
      false,
    );
  });
});

describe('alertsOf', () => {
  const { decision } = begun(readOf('AB123'));

  it('reports a blocklisted vehicle, and one with a similar plate', () => {
    expect(alertsOf(decision)).toEqual([]);
    expect(alertsOf({ ...decision, reason: 'blocklisted' })).toEqual(['blocklisted']);
    expect(alertsOf({ ...decision, flags: ['blocklist-lookalike'] })).toEqual(['blocklist-lookalike']);
  });
});
