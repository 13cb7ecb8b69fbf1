import type { BoardState } from '@hlid/edge/local-api/lane-routes';
import { codeText } from '@hlid/protocol/base/texts';
import { deviceName } from '@hlid/protocol/words/codes/device-name';
import { wallClock } from '@hlid/protocol/words/lanes/lane-texts';
import { DeviceStateText } from '@hlid/ui/lanes/attention';
import { useLaneWords } from '@hlid/ui/lanes/lane-words';
import type { Words } from './words/en.ts';
import { useWords } from './words/words.ts';

type Device = BoardState['devices'][number];

interface DevicesProps {
  state: BoardState;
  clock: { now: number; timeZone: string };
}

/** States that are not urgent. */
const MILD = ['backlog', 'clock-off', 'low', 'outdated'];

/** The devices that need a person, and what to do about each. */
export function Alarms({ state, clock }: DevicesProps) {
  const words = useWords();
  const alarms = state.devices.filter(({ alarm }) => alarm);
  if (alarms.length === 0) return null;
  return (
    <section id="alarms" className="alarms">
      <h2>{words.devices.alarms({ n: alarms.length })}</h2>
      <ul>
        {alarms.map((device) => (
          <li
            key={`${device.kind} ${device.id}`}
            className={MILD.includes(device.state) ? 'concern mild' : 'concern'}
          >
            <p>
              <DeviceStateText name={nameOf(device, state, words.codes)} device={device} clock={clock} />
            </p>
            <p>{adviceFor(device, words.deviceAdvice)}</p>
            {device.detail !== '' && <p className="detail">{device.detail}</p>}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** All devices, folded. */
export function Devices({ state, clock }: DevicesProps) {
  const words = useWords();
  const { texts, language, codes } = useLaneWords();
  const { devices } = state;
  if (devices.length === 0) return null;
  return (
    <section id="devices" className="devices">
      <details>
        <summary>
          {devices.every((device) => device.state === 'ok') ? words.devices.allWell : words.devices.all}
        </summary>
        <dl>
          {devices.map((device) => (
            <div key={`${device.kind} ${device.id}`} className={lookOf(device)}>
              <dt>{nameOf(device, state, codes)}</dt>
              <dd>
                <span className="state">{codeText(codes.deviceState, device.state)}</span>{' '}
                {texts.since({ time: wallClock(device.since, clock, language) })}
              </dd>
              {/* What is wrong stands above the lanes. */}
              {!device.alarm && device.detail !== '' && <dd className="detail">{device.detail}</dd>}
              {device.lastError !== null && (
                <dd>
                  {words.devices.lastError({
                    time: wallClock(device.lastError.at, clock, language),
                    detail: device.lastError.detail,
                  })}
                </dd>
              )}
            </div>
          ))}
        </dl>
      </details>
    </section>
  );
}

function lookOf({ state, alarm }: Device): string | undefined {
  if (state === 'unknown' || MILD.includes(state)) return 'unheard';
  return alarm ? 'alarm' : undefined;
}

/** Its kind, its name, and its lane. */
function nameOf({ kind, id }: Device, { cameras, lanes }: BoardState, codes: Words['codes']): string {
  const laneId = kind === 'gate' ? id : cameras.find((camera) => camera.id === id)?.laneId;
  const lane = lanes.find((one) => one.id === laneId)?.name;
  if (kind === 'gate') return deviceName(codes, kind, lane ?? id);
  return deviceName(codes, kind, lane === undefined ? id : `${id} (${lane})`);
}

/** The advice for a person at the site; empty for a state that this page does not know. */
function adviceFor({ kind, state }: Device, words: Words['deviceAdvice']): string {
  const advice: Readonly<Record<string, string | undefined>> = words.all;
  const ofKind: Readonly<Record<string, string | undefined>> = words.ofKind;
  return ofKind[`${kind}.${state}`] ?? advice[state] ?? '';
}
