import { MINUTE_MS } from '../../base/durations.ts';
import { inSentence } from '../../base/in-sentence.ts';
import type { OfficeLanguage } from '../../base/language.ts';
import { formatMoney } from '../../base/money.ts';
import type { STATUS_EN } from '../../base/status-words/en.ts';
import { codeText, type Texts } from '../../base/texts.ts';
import { plateCharacters } from '../../plate/plate-doubt.ts';
import { carHere, passageOutcome } from '../../rules/passage-outcome.ts';
import type { BoardCar, BoardPassage, GateOrder, LaneBoard } from '../../site-link/site-board.ts';
import { clockText, dateText, siteWall } from '../../site-link/site-wall.ts';
import type { CodeWords } from '../codes/code-words.ts';
import { gateReasonText } from '../codes/gate-reason-text.ts';
import { durationText } from '../length-text.ts';
import type { LANE_EN } from './en.ts';

/** The language in which lanes are shown, and its texts. */
export interface LaneWords {
  language: OfficeLanguage;
  texts: Texts<typeof LANE_EN>;
  codes: CodeWords;
  status: Pick<Texts<typeof STATUS_EN>, 'lane' | 'gate' | 'gateMode' | 'passage'>;
}

/** How long something has lasted, to the second as long as that matters. */
export function lastingText(ms: number, { texts }: LaneWords): string {
  if (ms >= 2 * MINUTE_MS) return durationText(ms, texts.length);
  return texts.seconds({ n: Math.max(0, Math.floor(ms / 1000)) });
}

export function reasonText({ reason }: Pick<BoardPassage, 'reason'>, { codes }: LaneWords): string {
  return codeText(codes.decision, reason);
}

/** The outcome of a passage, in a sentence. @param gate of the lane, for its newest passage */
export function outcomeText(passage: BoardPassage, gate: LaneBoard['gate'] | null, words: LaneWords): string {
  return inSentence(words.status.passage[passageOutcome(passage, gate)]);
}

/** Flags in words; that of an unreadable plate adds nothing to the reason. */
export function flagTexts(
  { flags, reason }: Pick<BoardPassage, 'flags' | 'reason'>,
  { codes }: LaneWords,
): string[] {
  return flags
    .filter((flag) => flag !== 'unreadable-plate' || reason !== 'need-plate')
    .map((flag) => codeText(codes.flag, flag));
}

const DOUBTFUL_FROM = 0.15;

/** Places of the letters that the camera may have read wrongly. */
export function doubtfulPlaces({ plate, score }: Pick<BoardCar, 'plate' | 'score'>): number[] {
  if (plate === null) return [];
  return plateCharacters(plate, score, []).flatMap(({ doubt }, place) =>
    doubt >= DOUBTFUL_FROM ? [place] : [],
  );
}

/** The time on the site's wall, with the day where it is not today's. */
export function wallClock(
  at: string,
  { now, timeZone }: { now: number; timeZone: string },
  language: OfficeLanguage,
): string {
  const { day, time } = siteWall(new Date(at), timeZone);
  const isToday = day === siteWall(new Date(now), timeZone).day;
  return isToday ? clockText(time, language) : `${dateText(day, language)} ${clockText(time, language)}`;
}

/** The text of a person's order for a gate: its author, its end and its reason. */
export function gateOrderText(
  order: GateOrder,
  { now, timeZone }: { now: number; timeZone: string },
  words: LaneWords,
): string {
  const { texts, language, codes, status } = words;
  const { mode, by, lapsesAt, reasonCode, note, confirmed } = order;
  // A person on site has no name, only a way in.
  const name = by.startsWith('on-site:') ? null : order.name;
  const left = lapsesAt === null ? '' : lastingText(Date.parse(lapsesAt) - now, words);
  const end =
    lapsesAt === null
      ? texts.orderNoEnd
      : texts.orderUntil({ time: wallClock(lapsesAt, { now, timeZone }, language), left });
  const reason = gateReasonText({ reasonCode, note }, codes);
  return [
    codeText(status.gateMode, mode),
    texts.orderBy({ name: name ?? texts.someone }),
    ...(mode === 'automatic' ? [] : [end]),
    ...(reason === '' ? [] : [`– ${reason}`]),
    ...(confirmed ? [] : [`(${texts.unconfirmed})`]),
  ].join(' ');
}

/** The text of the gate's last report, which is a code or free text. */
export function gateErrorText(lastError: string, { texts }: LaneWords): string {
  const known: Readonly<Record<string, string | undefined>> = texts.gateErrors;
  return known[lastError] ?? texts.gateError({ text: lastError });
}

/** A lane in one sentence, for screen readers. Null: nothing happens there. */
export function laneSentence(lane: LaneBoard, words: LaneWords): string | null {
  const { texts, language, status } = words;
  const { name, state, gate } = lane;
  const held = gate.order && gate.order.mode !== 'automatic' ? codeText(status.gate, gate.order.mode) : null;
  const car = carHere(lane);
  if (car === null) return held && `${name}: ${held}.`;
  const due = car.due && texts.due({ amount: formatMoney(car.due, language) });
  const outcome = state === 'waiting' ? status.lane.waiting : outcomeText(car, gate, words);
  const parts = [car.plate ?? texts.noPlate, outcome, reasonText(car, words), due, held];
  return `${name}: ${parts.filter((part) => part !== null).join(', ')}.`;
}

/** The label of the button that opens a lane: for the car that is meant, or for whichever comes. */
export function openText(car: Pick<BoardCar, 'plate'> | null, lane: string, { texts }: LaneWords): string {
  if (car === null) return texts.openLane({ lane });
  return car.plate === null ? texts.openForUnread : texts.openFor({ plate: car.plate });
}

/** Thousands grouped as the language does; browsers come with little Icelandic. */
export function groupedNumber(n: number, language: OfficeLanguage): string {
  return String(n).replace(/\B(?=(?:\d{3})+$)/g, language === 'is' ? '.' : ',');
}
