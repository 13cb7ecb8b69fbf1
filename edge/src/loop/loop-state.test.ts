import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  afterLoopEvent,
  type LoopEvent,
  type LoopOutcome,
  NO_LOOPS,
  TURNED_BACK_AFTER_MS,
} from './loop-state.ts';

type Step =
  | { arrival?: boolean | null; passed?: boolean | null; heldOpen?: boolean; after?: number }
  | { opens: string | null; after?: number }
  | { failed: string | null; after?: number }
  | { after: number };

/** The outcomes of a series of events; each comes `after` milliseconds after the one before. */
function inputs(steps: readonly Step[]): LoopOutcome[] {
  let state = afterLoopEvent(NO_LOOPS, loops(false, false), 0).state;
  let atMs = 0;
  return steps.flatMap((step) => {
    atMs += step.after ?? 100;
    const { outcomes, state: next } = afterLoopEvent(state, eventOf(step, state), atMs);
    state = next;
    return outcomes;
  });
}

function eventOf(step: Step, { arrival, passed }: typeof NO_LOOPS): LoopEvent {
  if ('opens' in step) return { kind: 'opening', passageId: step.opens };
  if ('failed' in step) return { kind: 'not-opened', passageId: step.failed };
  if (!('arrival' in step || 'passed' in step)) return { kind: 'time' };
  const now = {
    arrival: step.arrival === undefined ? arrival : step.arrival,
    passed: step.passed === undefined ? passed : step.passed,
  };
  return loops(now.arrival, now.passed, step.heldOpen);
}

function loops(arrival: boolean | null, passed: boolean | null, heldOpen = false): LoopEvent {
  return { kind: 'loops', arrival, passed, heldOpen };
}

const drivesThrough = (passageId: string): Step[] => [
  { arrival: true },
  { opens: passageId },
  { arrival: false },
  { passed: true, after: 1500 },
  { passed: false },
];

it('follows a car through', () => {
  expect(inputs(drivesThrough('one'))).toEqual([
    { kind: 'arrived' },
    { kind: 'left' },
    { kind: 'passed', passageId: 'one' },
  ]);
});

it('counts cars that each have their opening, however close', () => {
  const outcomes = inputs([
    { arrival: true },
    { opens: 'one' },
    { opens: 'two' },
    { arrival: false },
    { passed: true },
    { arrival: true },
    { passed: false },
    { passed: true },
  ]);
  expect(outcomes.filter(({ kind }) => kind === 'passed')).toEqual([
    { kind: 'passed', passageId: 'one' },
    { kind: 'passed', passageId: 'two' },
  ]);
  expect(outcomes.some(({ kind }) => kind === 'alert')).toBe(false);
});

it.each<[string, Step[]]>([
  ['behind a car that was let through', [...drivesThrough('one'), { passed: true, after: 1000 }]],
  ['at a gate that did not open', [{ arrival: true }, { opens: 'one' }, { failed: 'one' }, { passed: true }]],
  ['at a closed gate', [{ arrival: true }, { passed: true }]],
])('calls it tailgating when a car goes through without an opening of its own, %s', (_where, steps) => {
  expect(inputs(steps)).toContainEqual({ kind: 'alert', alert: 'tailgating' });
});

it('calls it the wrong way when a car is behind the gate that was not before it', () => {
  const wrongWay = { kind: 'alert', alert: 'wrong-way' };
  expect(inputs([{ passed: true }, { arrival: true }])).toEqual([wrongWay, { kind: 'arrived' }]);
  expect(
    inputs([
      { arrival: null, passed: false },
      { passed: true, after: 60_000 },
    ]),
  ).toEqual([wrongWay]);
  expect(inputs([...drivesThrough('one'), { passed: true, after: 60_000 }])).toContainEqual(wrongWay);
});

it('calls nobody anything while the gate is held open', () => {
  expect(inputs([{ passed: true, heldOpen: true }])).toEqual([]);
});

it('notices a car that turns back, once, and only when it has had the time to drive through', () => {
  const back: Step[] = [{ arrival: true }, { opens: 'one' }, { arrival: false }];
  const turned = { kind: 'turned-back', passageId: 'one' };
  expect(inputs([...back, { after: TURNED_BACK_AFTER_MS - 1 }])).not.toContainEqual(turned);
  const outcomes = inputs([...back, { after: TURNED_BACK_AFTER_MS }, { after: 1000 }]);
  expect(outcomes.filter(({ kind }) => kind === 'turned-back')).toEqual([turned]);
  expect(inputs([...drivesThrough('one'), { after: TURNED_BACK_AFTER_MS }])).not.toContainEqual(turned);
});

it('accuses nobody for what it learns after its device was away', () => {
  const away: Step[] = [
    { arrival: null, passed: null },
    { arrival: false, passed: true, after: 90_000 },
  ];
  expect(inputs([...drivesThrough('one'), ...away])).not.toContainEqual(
    expect.objectContaining({ kind: 'alert' }),
  );
});

const anyStep = fc.oneof(
  fc.record({
    arrival: fc.constantFrom(true, false, null),
    passed: fc.constantFrom(true, false, null),
    heldOpen: fc.boolean(),
    after: fc.nat(20_000),
  }),
  fc.record({ opens: fc.constantFrom('a', 'b', 'c', null), after: fc.nat(20_000) }),
  fc.record({ failed: fc.constantFrom('a', 'b', 'c', null), after: fc.nat(20_000) }),
  fc.record({ after: fc.nat(20_000) }),
);

it('ends each opening at most once, and none that was not, whatever the loops say', () => {
  fc.assert(
    fc.property(fc.array(anyStep, { maxLength: 60 }), (steps) => {
      const openings = new Map<string | null, number>();
      for (const step of steps) {
        if ('opens' in step) openings.set(step.opens, (openings.get(step.opens) ?? 0) + 1);
      }
      for (const outcomes of inputs(steps)) {
        if (outcomes.kind !== 'passed' && outcomes.kind !== 'turned-back') continue;
        const left = (openings.get(outcomes.passageId) ?? 0) - 1;
        expect(left).toBeGreaterThanOrEqual(0);
        openings.set(outcomes.passageId, left);
      }
    }),
  );
});
