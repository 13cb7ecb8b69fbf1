import type { BoardState } from '@hlid/edge/local-api/lane-routes';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { BoardCar } from '@hlid/protocol/site-link/site-board';
import { lastingText } from '@hlid/protocol/words/lanes/lane-texts';
import { durationText } from '@hlid/protocol/words/length-text';
import { LaneCard } from '@hlid/ui/lanes/lane-card';
import { useLaneWords } from '@hlid/ui/lanes/lane-words';
import { type CSSProperties, useEffect, useRef, useState } from 'react';
import type { Command } from './command-dialog.tsx';
import { useWords } from './words/words.ts';

interface LanesProps {
  state: BoardState;
  clock: { now: number; timeZone: string };
  isFresh: boolean;
  /** The lane that was chosen from those where cars wait: its card gets the focus. */
  chosen: { laneId: string } | null;
  onCommand: (command: Command) => void;
}

/** The card of each lane. */
export function Lanes({ state, clock, isFresh, chosen, onCommand }: LanesProps) {
  const { board, cameras } = state;
  const cards = useRef(new Map<string, HTMLElement>());
  useEffect(() => {
    if (chosen !== null) cards.current.get(chosen.laneId)?.focus();
  }, [chosen]);
  const count: CSSProperties & Record<'--lanes', number> = { '--lanes': board.lanes.length };
  return (
    <div className="lanes" style={count}>
      {board.lanes.map((lane) => (
        <LaneCard
          key={lane.id}
          ref={(card) => {
            cards.current.set(lane.id, card);
            return () => cards.current.delete(lane.id);
          }}
          lane={lane}
          lanes={board.lanes}
          now={clock.now}
          timeZone={clock.timeZone}
          isFresh={isFresh}
          isChosen={lane.id === chosen?.laneId}
          onCommand={(action) => action !== 'close' && onCommand({ action, laneId: lane.id })}
          pictureOf={(car, name) => <CarPicture key={car.photoId} car={car} name={name} />}
          moreAbout={() => <DriverMessage isWaiting={lane.state === 'waiting'} more={board.more[lane.id]} />}
        >
          <Cameras cameras={cameras.filter(({ laneId }) => laneId === lane.id)} now={clock.now} />
        </LaneCard>
      ))}
    </div>
  );
}

/** The picture of the car; nothing where it is not there. */
function CarPicture({ car, name }: { car: BoardCar; name: string }) {
  const [isBroken, setBroken] = useState(false);
  if (car.picture === 'none' || isBroken) return null;
  const src = `/api/pictures/${encodeURIComponent(car.photoId)}`;
  return <img src={src} alt={name} width="640" height="360" onError={() => setBroken(true)} />;
}

/** The text of the display for the driver who waits. */
function DriverMessage({
  isWaiting,
  more,
}: {
  isWaiting: boolean;
  more: BoardState['board']['more'][string] | undefined;
}) {
  const words = useWords();
  const { language } = useLaneWords();
  const instruction = isWaiting ? more?.instruction : null;
  if (!instruction) return null;
  const message = words.driverMessage({ text: instruction.text[language] });
  return (
    <p className="message">
      {instruction.helpPhone === null ? message : `${message} ☎ ${instruction.helpPhone}`}
    </p>
  );
}

/** The cameras that are worth a line. Alarms stand above the lanes. */
function Cameras({ cameras, now }: { cameras: BoardState['cameras']; now: number }) {
  const words = useWords();
  const lanes = useLaneWords();
  const agoText = (ms: number) =>
    ms < MINUTE_MS ? words.ago.now : words.ago.before({ time: durationText(ms, lanes.texts.length) });
  if (cameras.length === 0) return <footer>{words.camera.none}</footer>;
  return (
    <footer>
      {cameras.map(({ id, lastSeenAt, clockBehindMs }) => (
        <p key={id} className={lastSeenAt === null ? 'doubtful' : undefined}>
          {lastSeenAt === null
            ? words.camera.notSeen({ id })
            : words.camera.seen({ id, ago: agoText(now - Date.parse(lastSeenAt)) })}
          {clockBehindMs !== 0 && (
            <>
              {'; '}
              <span className="doubtful">
                {words.camera[clockBehindMs > 0 ? 'clockBehind' : 'clockAhead']({
                  duration: lastingText(Math.abs(clockBehindMs), lanes),
                })}
              </span>
            </>
          )}
        </p>
      ))}
    </footer>
  );
}
