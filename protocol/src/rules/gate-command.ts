import { GATE_REASONS, type GateReason } from '../records/gate-reason.ts';
import {
  HOLD_MINUTES,
  MAX_EXIT_CLOSED_MINUTES,
  USUAL_CLOSE_MINUTES,
  USUAL_HOLD_MINUTES,
} from '../records/gate-times.ts';
import type { Direction } from '../records/lane.ts';
import type { CommandAction } from '../site-link/commands.ts';
import type { BoardCar } from '../site-link/site-board.ts';

/** The usual reasons by what is done to a gate, the likeliest first. */
const USUAL_REASONS: Readonly<Record<CommandAction, readonly GateReason[]>> = {
  open: ['guest', 'unreadable-plate', 'wrong-plate', 'cannot-pay', 'paid-elsewhere', 'delivery'],
  hold: ['event', 'works', 'emergency', 'device-fault'],
  close: ['works', 'event', 'emergency', 'device-fault'],
  release: ['works', 'event', 'test'],
};

/** The reason and settings that a person gives with a command for a gate. */
export interface CommandInput {
  reasonCode: GateReason;
  note: string;
  /** When a hold or a closing lapses; null: it has no end. */
  lapseMinutes: number | null;
}

/** All reasons, the usual ones first. */
export function reasonsFor(action: CommandAction): GateReason[] {
  const usual = USUAL_REASONS[action];
  return [...usual, ...GATE_REASONS.filter((reason) => !usual.includes(reason))];
}

/** The first values of a form. @param car the one for which a gate is opened; null: none is meant */
export function usualInput(
  action: CommandAction,
  car: Partial<Pick<BoardCar, 'plate' | 'reason'>> | null,
): CommandInput {
  return {
    reasonCode: usualReason(action, car),
    note: '',
    lapseMinutes: action === 'close' ? USUAL_CLOSE_MINUTES : USUAL_HOLD_MINUTES,
  };
}

function usualReason(
  action: CommandAction,
  car: Partial<Pick<BoardCar, 'plate' | 'reason'>> | null,
): GateReason {
  if (action === 'open' && car?.plate === null) return 'unreadable-plate';
  if (action === 'open' && car?.reason === 'need-payment') return 'cannot-pay';
  return USUAL_REASONS[action][0] ?? 'other';
}

/** An exit is kept closed for a short time only, and always with an end: a forgotten closing must not trap a car. */
export function isShortClosing(action: CommandAction, direction: Direction): boolean {
  return action === 'close' && direction === 'exit';
}

/** The minutes after which a hold or a closing may end. */
export function endChoices(action: CommandAction, direction: Direction): number[] {
  const isShort = isShortClosing(action, direction);
  return HOLD_MINUTES.filter((minutes) => !isShort || minutes <= MAX_EXIT_CLOSED_MINUTES);
}

/** The reason `other` needs a note. */
export function needsNote({ reasonCode }: CommandInput): boolean {
  return reasonCode === 'other';
}
