import { codeText } from '@hlid/protocol/base/texts';
import type { SiteBoard } from '@hlid/protocol/site-link/site-board';
import { wallClock } from '@hlid/protocol/words/lanes/lane-texts';
import { BellRing } from 'lucide-react';
import type { ReactNode } from 'react';
import { PlateSign } from '../plate-sign.tsx';
import { useLaneWords } from './lane-words.tsx';
import './lanes.css';

interface SiteClock {
  /** The time of the site's clock, as `Date.now()`. */
  now: number;
  timeZone: string;
}

/** The state of a device, and since when. */
export function DeviceStateText({
  name,
  device: { state, since },
  clock,
}: {
  name: ReactNode;
  device: Pick<SiteBoard['alarms'][number], 'state' | 'since'>;
  clock: SiteClock;
}) {
  const { texts, language, codes } = useLaneWords();
  return (
    <>
      <span className="device-state">
        {name}: {codeText(codes.deviceState, state)}
      </span>{' '}
      {texts.since({ time: wallClock(since, clock, language) })}
    </>
  );
}

/** The newest alerts of the lanes. */
export function AlertList({
  board: { alerts, lanes },
  clock,
}: {
  board: Pick<SiteBoard, 'alerts' | 'lanes'>;
  clock: SiteClock;
}) {
  const { texts, language, codes } = useLaneWords();
  if (alerts.length === 0) return null;
  return (
    <ul className="lane-alerts" aria-label={texts.alerts}>
      {alerts.map(({ laneId, alert, plate, at }) => (
        <li key={`${laneId} ${alert} ${at}`}>
          <BellRing size={14} aria-hidden="true" />
          <span>{lanes.find(({ id }) => id === laneId)?.name ?? laneId}:</span>
          <strong>{codeText(codes.laneAlert, alert)}</strong>
          {plate !== null && <PlateSign plate={plate} />}
          <span>{texts.since({ time: wallClock(at, clock, language) })}</span>
        </li>
      ))}
    </ul>
  );
}
