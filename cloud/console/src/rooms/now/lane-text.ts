import { inSentence } from '@hlid/protocol/base/in-sentence';
import { plateCharacters } from '@hlid/protocol/plate/plate-doubt';
import { passageOutcome } from '@hlid/protocol/rules/passage-outcome';
import type { BoardCar, BoardPassage, LaneBoard } from '@hlid/protocol/site-link/site-board';
import { moneyText } from '../../ui/money.tsx';
import { CODES, STATUS } from '../../words/codes.ts';
import { WORDS } from './now-words.ts';

export function reasonText({ reason }: Pick<BoardPassage, 'reason'>): string {
  return CODES.decision[reason];
}

/** Flags in words; that of an unreadable plate adds nothing to the reason. */
export function flagTexts({ flags, reason }: Pick<BoardPassage, 'flags' | 'reason'>): string[] {
  return flags
    .filter((flag) => flag !== 'unreadable-plate' || reason !== 'need-plate')
    .map((flag) => CODES.flag[flag]);
}

const DOUBTFUL_FROM = 0.15;

/** Places of the letters that the camera may have read wrongly. */
export function doubtfulPlaces({ plate, score }: Pick<BoardCar, 'plate' | 'score'>): number[] {
  if (plate === null) return [];
  return plateCharacters(plate, score, []).flatMap(({ doubt }, place) =>
    doubt >= DOUBTFUL_FROM ? [place] : [],
  );
}

/** A lane in one sentence, for screen readers. Null: nothing happens there. */
export function laneSentence({ name, state, car, gate }: LaneBoard): string | null {
  const held = gate.order && gate.order.mode !== 'automatic' ? STATUS.gate[gate.order.mode] : null;
  if (state === 'idle' || car === null) return held && `${name}: ${held}.`;
  const due = car.due && WORDS.due({ amount: moneyText(car.due) });
  const said =
    state === 'waiting' ? STATUS.lane.waiting : inSentence(STATUS.passage[passageOutcome(car, gate)]);
  const parts = [car.plate ?? WORDS.noPlate, said, reasonText(car), due, held];
  return `${name}: ${parts.filter((part) => part !== null).join(', ')}.`;
}
