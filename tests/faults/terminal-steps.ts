import type { ZvtStep } from '../sim/zvt-faults.ts';

/** The steps of a payment at which a terminal may fail, in their order. */
export const TERMINAL_STEPS: readonly [ZvtStep, ...ZvtStep[]] = [
  'command',
  'accepted',
  'card',
  'approval',
  'approval-sent',
  'answered',
  'stored',
  'completed',
];
