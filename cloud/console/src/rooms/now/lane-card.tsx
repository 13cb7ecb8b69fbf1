import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { inSentence } from '@hlid/protocol/base/in-sentence';
import { carToOpenFor, passageOutcome } from '@hlid/protocol/rules/passage-outcome';
import type { BoardCar, BoardPassage, LaneBoard } from '@hlid/protocol/site-link/site-board';
import { clockText, siteWall } from '@hlid/protocol/site-link/site-wall';
import { gateReasonText } from '@hlid/protocol/words/codes/gate-reason-text';
import { PlateSign } from '@hlid/ui/plate-sign';
import { Link } from '@tanstack/react-router';
import { Camera, LogIn, LogOut } from 'lucide-react';
import type { RefObject } from 'react';
import { may, useSession } from '../../shell/session.ts';
import { Badge, type Tone } from '../../ui/badge.tsx';
import { Button, IconButton } from '../../ui/button.tsx';
import { moneyText } from '../../ui/money.tsx';
import { PhotoPicture } from '../../ui/picture.tsx';
import { durationText, wallText } from '../../ui/time.tsx';
import { CODES, STATUS } from '../../words/codes.ts';
import { LANGUAGE } from '../../words/words.ts';
import type { LaneVerb } from './gate-commands.ts';
import { doubtfulPlaces, flagTexts, reasonText } from './lane-text.ts';
import { WORDS } from './now-words.ts';

/** A lane as it is shown. */
interface ShownLane {
  siteId: string;
  lane: LaneBoard;
  /** The time of the site's clock, as `Date.now()`. */
  now: number;
  timeZone: string;
  /** False: it is not known what happens there now, and no command reaches it. */
  isFresh: boolean;
  /** 1 to 9: the key that chooses it. */
  number: number | null;
}

/** What a person does at a lane: a command for its gate, or a picture taken now. */
export type LaneAct = LaneVerb | 'picture';

interface Props extends ShownLane {
  isChosen: boolean;
  onChoose: () => void;
  onCommand: (verb: LaneAct) => void;
  /** The card, to be focused by its key. */
  ref?: RefObject<HTMLElement | null>;
}

/** How long something has lasted, to the second as long as that matters. */
export function lastingText(ms: number): string {
  return ms < 2 * MINUTE_MS ? WORDS.seconds({ n: Math.max(0, Math.floor(ms / 1000)) }) : durationText(ms);
}

export function LaneCard({ isChosen, onChoose, onCommand, ref, ...shown }: Props) {
  const { lane, isFresh, number } = shown;
  const { name, direction, state, car, earlier } = lane;
  const Direction = direction === 'entry' ? LogIn : LogOut;
  const isBusy = state !== 'idle' && car !== null;
  const before = isBusy || car === null ? earlier : [car, ...earlier];
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
        <h3>
          {name} <span className="unseen">{WORDS.directions[direction]}</span>
        </h3>
        <StateBadge {...shown} />
      </header>
      <Acts {...shown} onCommand={onCommand} />
      <div className="lane-body">
        <Gate {...shown} />
        {isBusy && <Car {...shown} car={car} />}
        <Passages {...shown} passages={before.slice(0, isBusy ? BUSY_PASSAGES : SHOWN_PASSAGES)} />
      </div>
    </article>
  );
}

function StateBadge({ lane: { state, since }, now, isFresh }: ShownLane) {
  const time = since === null ? null : lastingText(now - Date.parse(since));
  const tone: Tone = !isFresh || state === 'idle' ? 'neutral' : state === 'waiting' ? 'caution' : 'accent';
  if (state === 'now') return <Badge tone={tone}>{STATUS.lane.now}</Badge>;
  if (state === 'waiting') {
    return <Badge tone={tone}>{time === null ? STATUS.lane.waiting : WORDS.waitingSince({ time })}</Badge>;
  }
  return <span className="quiet-text">{time === null ? WORDS.idleNever : WORDS.idleSince({ time })}</span>;
}

function Car({ car, lane, now, siteId }: ShownLane & { car: BoardCar }) {
  const session = useSession();
  const name = WORDS.pictureOf({ plate: car.plate ?? WORDS.noPlate, lane: lane.name });
  const stayed = car.enteredAt === null ? null : durationText(now - Date.parse(car.enteredAt));
  const maySee = may(session, 'visits');
  return (
    <div className="lane-car">
      {maySee && car.picture === 'there' && <PhotoPicture photoId={car.photoId} name={name} />}
      {maySee && car.picture === 'coming' && (
        <span className="picture medium missing">{WORDS.pictureComing}</span>
      )}
      <div className="lane-what">
        <PlateSign
          plate={car.plate}
          large
          unread={WORDS.noPlate}
          doubtful={{ places: doubtfulPlaces(car), text: WORDS.doubtful }}
        />
        <p>
          <strong>{reasonText(car)}</strong> · {inSentence(STATUS.passage[passageOutcome(car, lane.gate)])}
        </p>
        {flagTexts(car).map((text) => (
          <p key={text} className="caution-text">
            {text}
          </p>
        ))}
        {car.due && <p className="lane-due">{WORDS.due({ amount: moneyText(car.due) })}</p>}
        {lane.direction === 'exit' && stayed !== null && (
          <p className="quiet-text">{WORDS.stay({ time: stayed })}</p>
        )}
        {maySee && car.visitId !== null && (
          <Link
            to={`/${siteId}/visits/${car.visitId}`}
            aria-label={`${WORDS.visit}: ${car.plate ?? WORDS.noPlate}`}
          >
            {WORDS.visit}
          </Link>
        )}
      </div>
    </div>
  );
}

function Gate({ lane: { gate }, now, timeZone, isFresh }: ShownLane) {
  const isOpen = gate.state === 'open' || gate.state === 'opening' || gate.state === 'held-open';
  const tone = !isFresh
    ? 'neutral'
    : isOpen
      ? 'positive'
      : gate.state === 'kept-closed'
        ? 'caution'
        : 'neutral';
  const { order } = gate;
  const why = order && gateReasonText(order, CODES);
  return (
    <div className="lane-gate">
      <Badge tone={tone}>{STATUS.gate[gate.state]}</Badge>
      {order && (
        <p>
          {STATUS.gateMode[order.mode]} {WORDS.orderBy({ name: order.name ?? WORDS.someone })}{' '}
          {order.mode !== 'automatic' &&
            (order.lapsesAt === null
              ? WORDS.orderNoEnd
              : WORDS.orderUntil({
                  time: endText(order.lapsesAt, now, timeZone),
                  left: lastingText(Date.parse(order.lapsesAt) - now),
                }))}
          {why && ` – ${why}`}
          {!order.confirmed && ` (${WORDS.unconfirmed})`}
        </p>
      )}
      {gate.lastError !== null && <p className="caution-text">{WORDS.gateError({ text: gate.lastError })}</p>}
    </div>
  );
}

/** The time on the site's wall, with the day where it is not today's. */
function endText(at: string, now: number, timeZone: string): string {
  const { day, time } = siteWall(new Date(at), timeZone);
  const isToday = day === siteWall(new Date(now), timeZone).day;
  return isToday ? clockText(time, LANGUAGE) : wallText(at, timeZone);
}

/** Every button has a place of its own, whatever happens at the lane: nothing moves under a pointer. */
function Acts({ lane, isFresh, onCommand }: ShownLane & Pick<Props, 'onCommand'>) {
  const { name, state, gate } = lane;
  const meant = carToOpenFor(lane);
  const opens =
    meant === null
      ? WORDS.openLane({ lane: name })
      : meant.plate === null
        ? WORDS.openForUnread
        : WORDS.openFor({ plate: meant.plate });
  const held = gate.order !== null && gate.order.mode !== 'automatic';
  return (
    <div className="lane-acts">
      <Button
        look={state === 'waiting' ? 'primary' : 'plain'}
        aria-label={opens}
        isDisabled={!isFresh}
        onPress={() => onCommand('open')}
      >
        {meant === null ? WORDS.open : opens}
      </Button>
      <Button
        aria-label={`${held ? WORDS.release : WORDS.hold}: ${name}`}
        isDisabled={!isFresh}
        onPress={() => onCommand(held ? 'release' : 'hold')}
      >
        {held ? WORDS.release : WORDS.hold}
      </Button>
      <Button
        aria-label={`${WORDS.close}: ${name}`}
        isDisabled={!isFresh || held}
        onPress={() => onCommand('close')}
      >
        {WORDS.close}
      </Button>
      <IconButton
        label={`${WORDS.pictureNow}: ${name}`}
        isDisabled={!isFresh}
        onPress={() => onCommand('picture')}
      >
        <Camera size={16} aria-hidden="true" />
      </IconButton>
    </div>
  );
}

/**
 * The number of passages on a card with a car: it leaves room for fewer, so that the card stays as high as it
 * is.
 */
const BUSY_PASSAGES = 1;
const SHOWN_PASSAGES = 5;

function Passages({ lane, now, passages }: ShownLane & { passages: readonly BoardPassage[] }) {
  if (passages.length === 0) return null;
  return (
    <ol className="lane-passages" aria-label={`${lane.name}: ${WORDS.earlier}`}>
      {passages.map((passage) => (
        <li key={`${passage.passageId} ${passage.seenAt}`}>
          <PlateSign plate={passage.plate} unread={WORDS.noPlate} />
          <span>
            {reasonText(passage)} · {inSentence(STATUS.passage[passageOutcome(passage)])}
          </span>
          <time dateTime={passage.seenAt}>{lastingText(now - Date.parse(passage.seenAt))}</time>
        </li>
      ))}
    </ol>
  );
}
