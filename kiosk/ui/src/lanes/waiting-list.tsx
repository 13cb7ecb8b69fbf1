import { formatMoney } from '@hlid/protocol/base/money';
import { carHere } from '@hlid/protocol/rules/passage-outcome';
import type { LaneBoard } from '@hlid/protocol/site-link/site-board';
import { lastingText, reasonText } from '@hlid/protocol/words/lanes/lane-texts';
import { PlateSign } from '../plate-sign.tsx';
import { useLaneWords } from './lane-words.tsx';
import './lanes.css';

interface WaitingLane {
  key: string;
  lane: LaneBoard;
  /** The time of its site's clock. */
  now: number;
}

/** The cars that wait at closed gates, the longest waiting first. @param onChoose shows the card of a lane */
export function WaitingList({
  waiting,
  onChoose,
}: {
  waiting: readonly WaitingLane[];
  onChoose: (key: string) => void;
}) {
  const words = useLaneWords();
  const { texts, language } = words;
  return (
    <ul className="waiting-cars" aria-label={texts.waitingCars}>
      {waiting.map(({ key, lane, now }) => {
        const car = carHere(lane);
        return (
          <li key={key}>
            <PlateSign plate={car?.plate ?? null} unread={texts.noPlate} />
            <button type="button" className="to-lane" onClick={() => onChoose(key)}>
              {lane.name}
            </button>
            {car && <span className="why">{reasonText(car, words)}</span>}
            {car?.due && <strong>{formatMoney(car.due, language)}</strong>}
            {lane.since !== null && (
              <span className="length">{lastingText(now - Date.parse(lane.since), words)}</span>
            )}
          </li>
        );
      })}
    </ul>
  );
}
