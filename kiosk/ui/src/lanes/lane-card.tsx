import { formatMoney } from '@hlid/protocol/base/money';
import { codeText } from '@hlid/protocol/base/texts';
import { carHere, passageOutcome } from '@hlid/protocol/rules/passage-outcome';
import { seenElsewhere } from '@hlid/protocol/rules/seen-elsewhere';
import type { BoardCar, BoardPassage, LaneBoard } from '@hlid/protocol/site-link/site-board';
import {
  doubtfulPlaces,
  flagTexts,
  gateErrorText,
  gateOrderText,
  lastingText,
  outcomeText,
  reasonText,
  wallClock,
} from '@hlid/protocol/words/lanes/lane-texts';
import { durationText } from '@hlid/protocol/words/length-text';
import { Check, CircleHelp, LogIn, LogOut, Minus, X } from 'lucide-react';
import type { ReactNode, RefObject } from 'react';
import { Badge, type Tone } from '../badge.tsx';
import { PlateSign } from '../plate-sign.tsx';
import { Barrier } from './barrier.tsx';
import { LaneActs, type LaneActsProps } from './lane-acts.tsx';
import { useLaneWords } from './lane-words.tsx';
import './lanes.css';

/** A lane as it is shown. */
interface ShownLane {
  lane: LaneBoard;
  /** All lanes of its site: a car that another lane has seen since is one line there. */
  lanes: readonly LaneBoard[];
  /** The time of the site's clock, as `Date.now()`. */
  now: number;
  timeZone: string;
  /** False: it is not known what happens there now, and no command reaches it. */
  isFresh: boolean;
  /** The picture of the car that stands there. */
  pictureOf?: (car: BoardCar, name: string) => ReactNode;
  /** The content after the texts about that car. */
  moreAbout?: (car: BoardCar) => ReactNode;
}

interface LaneCardProps extends ShownLane, Pick<LaneActsProps, 'onCommand' | 'closes' | 'allows' | 'more'> {
  /** 1 to 9: the key that chooses it. */
  number?: number | null;
  isChosen?: boolean;
  onChoose?: () => void;
  /** The content below its passages. */
  children?: ReactNode;
  /** The card, to be focused. */
  ref?: RefObject<HTMLElement | null> | ((card: HTMLElement) => () => void);
}

/** The state of a lane, and the commands for its gate: in the console and on the lanes page of a site. */
export function LaneCard({
  number = null,
  isChosen = false,
  onChoose,
  onCommand,
  closes,
  allows,
  more,
  children,
  ref,
  ...shown
}: LaneCardProps) {
  const { texts } = useLaneWords();
  const { lane, isFresh } = shown;
  const { name, direction, state, car, earlier } = lane;
  const Direction = direction === 'exit' ? LogOut : LogIn;
  const here = carHere(lane);
  const before = here !== null || car === null ? earlier : [car, ...earlier];
  return (
    <article
      ref={ref}
      className={`lane card ${isFresh ? state : 'old'}`}
      aria-label={name}
      aria-current={isChosen ? 'true' : undefined}
      tabIndex={-1}
      onFocus={onChoose}
    >
      <header>
        {number !== null && <kbd>{number}</kbd>}
        <Direction size={16} aria-hidden="true" />
        <span className="unseen">{codeText(texts.directions, direction)}</span>
        <h3>{name}</h3>
        <StateBadge {...shown} isHere={here !== null} />
      </header>
      <LaneActs
        lane={lane}
        isFresh={isFresh}
        onCommand={onCommand}
        closes={closes}
        allows={allows}
        more={more}
      />
      <div className="lane-body">
        <Gate {...shown} />
        {here !== null && <Car {...shown} car={here} />}
        <Passages {...shown} passages={before} max={here === null ? SHOWN_PASSAGES : BUSY_PASSAGES} />
        {children}
      </div>
    </article>
  );
}

function StateBadge({ lane: { state, since }, now, isFresh, isHere }: ShownLane & { isHere: boolean }) {
  const words = useLaneWords();
  const status = words.status.lane;
  const time = since === null ? null : lastingText(now - Date.parse(since), words);
  const tone: Tone = !isFresh || state === 'idle' ? 'neutral' : state === 'waiting' ? 'caution' : 'accent';
  if (state === 'waiting') {
    return <Badge tone={tone}>{time === null ? status.waiting : words.texts.waitingSince({ time })}</Badge>;
  }
  if (state !== 'idle') return <Badge tone={tone}>{isHere ? status.now : words.texts.gateMoves}</Badge>;
  return (
    <span className="quiet-text">
      {time === null ? words.texts.idleNever : words.texts.idleSince({ time })}
    </span>
  );
}

function Car({ car, lane, now, pictureOf, moreAbout }: ShownLane & { car: BoardCar }) {
  const words = useLaneWords();
  const { texts, language } = words;
  const name = texts.pictureOf({ plate: car.plate ?? texts.noPlate, lane: lane.name });
  const stayed = car.enteredAt === null ? null : durationText(now - Date.parse(car.enteredAt), texts.length);
  return (
    <div className="lane-car" key={car.passageId}>
      {pictureOf?.(car, name)}
      <div className="lane-what">
        <PlateSign
          plate={car.plate}
          large
          unread={texts.noPlate}
          doubtful={{ places: doubtfulPlaces(car), text: texts.doubtful }}
        />
        <p>
          <strong title={car.reason}>{reasonText(car, words)}</strong> · {outcomeText(car, lane.gate, words)}
        </p>
        {flagTexts(car, words).map((text) => (
          <p key={text} className="caution-text">
            {text}
          </p>
        ))}
        {car.due && <p className="lane-due">{texts.due({ amount: formatMoney(car.due, language) })}</p>}
        {lane.direction === 'exit' && stayed !== null && (
          <p className="quiet-text">{texts.stay({ time: stayed })}</p>
        )}
        {moreAbout?.(car)}
      </div>
    </div>
  );
}

const OPEN_STATES = ['open', 'opening', 'held-open'];

function Gate({ lane: { gate }, now, timeZone, isFresh }: ShownLane) {
  const words = useLaneWords();
  const { state, order, lastError } = gate;
  const tone: Tone = !isFresh
    ? 'neutral'
    : OPEN_STATES.includes(state)
      ? 'positive'
      : state === 'kept-closed' || state === 'unknown'
        ? 'caution'
        : 'neutral';
  return (
    <div className="lane-gate">
      {state !== 'none' && <Barrier state={state} />}
      <Badge tone={tone}>{codeText(words.status.gate, state)}</Badge>
      {order && <p>{gateOrderText(order, { now, timeZone }, words)}</p>}
      {lastError !== null && <p className="caution-text">{gateErrorText(lastError, words)}</p>}
    </div>
  );
}

/**
 * The number of passages on a card with a car: it leaves room for fewer, so that the card stays as high as it
 * is.
 */
const BUSY_PASSAGES = 1;
const SHOWN_PASSAGES = 5;

/** A tick: the gate opened, or stood open; a cross: it did not; a bar: it was to stay closed; a question mark: it is not known. */
const VERDICTS = {
  opened: Check,
  opening: Check,
  'let-through': Check,
  'opened-by-hand': Check,
  'not-opened': X,
  'kept-closed': Minus,
  unconfirmed: CircleHelp,
};

/** The cars before, without those that another lane has seen since. */
function Passages({
  lane,
  lanes,
  now,
  timeZone,
  passages,
  max,
}: ShownLane & { passages: readonly BoardPassage[]; max: number }) {
  const words = useLaneWords();
  const { texts } = words;
  const seenAt = seenElsewhere(lanes);
  const shown = passages.filter(({ passageId }) => seenAt[passageId] === undefined).slice(0, max);
  if (shown.length === 0) return null;
  return (
    <ol className="lane-passages" aria-label={`${lane.name}: ${texts.earlier}`}>
      {shown.map((passage) => {
        const outcome = passageOutcome(passage);
        const Verdict = VERDICTS[outcome];
        const also = lanesBefore(passage, { lane, lanes, seenAt }).map((name) =>
          texts.alsoAt({ lane: name }),
        );
        const notes = [...flagTexts(passage, words), ...also];
        return (
          <li key={`${passage.passageId} ${passage.seenAt}`} className={outcome}>
            <Verdict size={16} aria-hidden="true" />
            <PlateSign plate={passage.plate} unread={texts.noPlate} />
            <span>
              <span title={passage.reason}>{reasonText(passage, words)}</span> ·{' '}
              {outcomeText(passage, null, words)}
              {notes.length > 0 && <span className="caution-text"> · {notes.join(' · ')}</span>}
            </span>
            <time
              dateTime={passage.seenAt}
              title={wallClock(passage.seenAt, { now, timeZone }, words.language)}
            >
              {lastingText(now - Date.parse(passage.seenAt), words)}
            </time>
          </li>
        );
      })}
    </ol>
  );
}

/** The names of the other lanes that saw the car of a passage before. */
function lanesBefore(
  { visitId, plate }: BoardPassage,
  { lane, lanes, seenAt }: { lane: LaneBoard; lanes: readonly LaneBoard[]; seenAt: Record<string, string> },
): string[] {
  return lanes.flatMap(({ name, car, earlier }) => {
    const isSeen = [...(car ? [car] : []), ...earlier].some(
      (one) =>
        seenAt[one.passageId] === lane.id &&
        (one.visitId === null ? one.plate === plate : one.visitId === visitId),
    );
    return isSeen ? [name] : [];
  });
}
