import fc from 'fast-check';
import { expect, it } from 'vitest';
import { DecisionReasonSchema } from '../records/decision.ts';
import { DISPLAY_WORDS } from '../words/display/display-words.ts';
import { instructionFor, LaneInstructionSchema, type LaneScene } from './lane-instruction.ts';

const scene = (changes: Partial<LaneScene>): LaneScene => ({
  decision: null,
  gate: 'closed',
  openedOnFault: false,
  waitIsOver: false,
  pay: { kiosk: false, online: false },
  ...changes,
});
const open = { open: true, reason: 'paid' } as const;
const owes = { open: false, reason: 'need-payment' } as const;

it.each<[string, Partial<LaneScene>, string, string | null]>([
  ['nothing is decided yet', {}, 'wait', null],
  ['the gate is on its way', { decision: open, gate: 'opening' }, 'wait', 'paid'],
  ['the gate is open', { decision: open, gate: 'open' }, 'drive-on', 'paid'],
  ['the gate is open for the car before', { gate: 'open' }, 'wait', null],
  ['it owes behind a car that drives out', { decision: owes, gate: 'open' }, 'call-for-help', 'need-payment'],
  ['the gate is open without a decision', { openedOnFault: true, gate: 'open' }, 'drive-on', 'out-of-order'],
  ['the gate does not answer', { decision: open, gate: 'failing' }, 'call-for-help', 'gate-not-answering'],
  ['nothing works', { openedOnFault: true, gate: 'failing' }, 'call-for-help', 'gate-not-answering'],
  ['a gate that failed before, nothing decided', { gate: 'failing' }, 'wait', null],
  ['a person keeps it closed', { gate: 'kept-closed' }, 'call-for-help', 'closed-by-operator'],
  [
    'it owes, and a kiosk works',
    { decision: owes, pay: { kiosk: true, online: true } },
    'pay-at-kiosk',
    'need-payment',
  ],
  [
    'it owes, and pays by telephone',
    { decision: owes, pay: { kiosk: false, online: true } },
    'pay-online',
    'need-payment',
  ],
  [
    'it owes, and has stood there for too long for a payment to open',
    { decision: owes, waitIsOver: true, pay: { kiosk: true, online: true } },
    'call-for-help',
    'need-payment',
  ],
  ['it owes, and cannot pay', { decision: owes }, 'call-for-help', 'need-payment'],
  [
    'it owes at a gate that failed before',
    { decision: owes, gate: 'failing' },
    'call-for-help',
    'need-payment',
  ],
  ['the site is full', { decision: { open: false, reason: 'full' } }, 'turn-round', 'full'],
  [
    'it is on the blocklist',
    { decision: { open: false, reason: 'blocklisted' } },
    'call-for-help',
    'blocklisted',
  ],
])('when %s', (_when, changes, code, reason) => {
  expect(instructionFor(scene(changes))).toEqual({ code, reason });
});

const anyScene: fc.Arbitrary<LaneScene> = fc.record({
  decision: fc.option(
    fc.record({ open: fc.boolean(), reason: fc.constantFrom(...DecisionReasonSchema.options) }),
    { nil: null },
  ),
  gate: fc.constantFrom('closed', 'opening', 'open', 'kept-closed', 'failing'),
  openedOnFault: fc.boolean(),
  waitIsOver: fc.boolean(),
  pay: fc.record({ kiosk: fc.boolean(), online: fc.boolean() }),
});

it('always says something that has words, and lets no car drive at a gate that is not open', () => {
  fc.assert(
    fc.property(anyScene, (any) => {
      const instruction = LaneInstructionSchema.parse(instructionFor(any));
      expect(DISPLAY_WORDS.is.instruction[instruction.code]).not.toBe('');
      expect(instruction.code === 'drive-on').toBe(
        any.gate === 'open' && (any.openedOnFault || any.decision?.open === true),
      );
      // A driver who is refused must not be left without an instruction.
      if (any.decision && !any.decision.open) expect(instruction.code).not.toBe('wait');
    }),
  );
});
