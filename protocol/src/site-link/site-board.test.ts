import { describe, expect, it } from 'vitest';
import { carsBeside, carsByLanes, carsOf } from './occupancy.ts';
import { countZone, laneState, waitingLanes } from './site-board.ts';

const AT = '2026-11-23T08:00:00.000Z';
const secondsAgo = (seconds: number) => new Date(Date.parse(AT) - seconds * 1000).toISOString();
const car = (cameAgo: number, seenAgo = cameAgo) => ({
  cameAt: secondsAgo(cameAgo),
  seenAt: secondsAgo(seenAgo),
});
const closed = { state: 'closed', since: secondsAgo(500) } as const;

describe('the state of a lane', () => {
  it('is idle where nothing has happened, and says since when after a car', () => {
    expect(laneState({ car: null, stands: false, gate: closed }, AT)).toEqual({ state: 'idle', since: null });
    const after = laneState({ car: car(120, 90), stands: false, gate: closed }, AT);
    expect(after).toEqual({ state: 'idle', since: secondsAgo(90) });
  });

  it('is now while a car passes, and while the gate moves', () => {
    expect(laneState({ car: car(10, 3), stands: false, gate: closed }, AT)).toEqual({
      state: 'now',
      since: secondsAgo(10),
    });
    const open = { state: 'open', since: secondsAgo(2) } as const;
    expect(laneState({ car: car(40), stands: false, gate: open }, AT)).toEqual({
      state: 'now',
      since: secondsAgo(2),
    });
  });

  it('is waiting as long as a car stands at the closed gate, since it came', () => {
    const waits = laneState({ car: car(600, 580), stands: true, gate: closed }, AT);
    expect(waits).toEqual({ state: 'waiting', since: secondsAgo(600) });
  });

  it('says nothing about cars by a gate that is held open', () => {
    const held = { state: 'held-open', since: secondsAgo(5) } as const;
    expect(laneState({ car: car(300), stands: false, gate: held }, AT).state).toBe('idle');
  });
});

it('has the longest waiting lane first', () => {
  const lane = (id: string, state: 'waiting' | 'idle', ago: number) => ({
    id,
    state,
    since: secondsAgo(ago),
  });
  const lanes = [lane('a', 'waiting', 5), lane('b', 'idle', 900), lane('c', 'waiting', 60)];
  expect(waitingLanes(lanes)).toEqual(['c', 'a']);
});

it('counts the cars of a zone by the lanes that lead into it', () => {
  const inside = [
    { laneId: 'in-1', cars: 7 },
    { laneId: 'in-2', cars: 4 },
    { laneId: null, cars: 1 },
  ];
  const site = countZone({ id: null, name: 'Harbour', capacity: 10 }, carsOf(inside));
  expect(site).toMatchObject({ inside: 12, free: 0 });
  const deck = countZone({ id: 'z', name: 'Deck', capacity: null }, carsByLanes(inside, ['in-2']));
  expect(deck).toMatchObject({ inside: 4, free: null });
  const yard = countZone({ id: 'y', name: 'Yard', capacity: 10 }, carsBeside(inside, ['in-2']));
  expect(yard).toMatchObject({ inside: 8, free: 2 });
});
