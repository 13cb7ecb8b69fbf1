import type { Clock } from '@hlid/node/clock';
import { hideCardNumbers } from '@hlid/protocol/card-number';
import { type DeviceState, isAlarm } from '@hlid/protocol/device';
import { type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { GroupCommit } from '../db/group-commit.ts';
import { LOG_EVENTS } from '../events.ts';
import type { EventLog } from '../outbox/event-log.ts';
import {
  type DeviceHealth,
  judgeHealth,
  type Moment,
  noteSign,
  type Sign,
  unheardDevice,
} from './device-health.ts';
import type { DeviceRef } from './device-ref.ts';
import type { HealthStore } from './health-store.ts';

/** A device, for people. */
export interface DeviceView extends DeviceRef {
  state: DeviceState;
  since: UtcTime;
  /** What is wrong, for a technician; empty where nothing is. */
  detail: string;
  /** Somebody should see to it. */
  alarm: boolean;
  lastError: { detail: string; at: UtcTime } | null;
}

/** How all devices of the site are: sources report to it, and people and the cloud are told what comes of that. */
export interface HealthBook {
  /** What a source says of a device, at any time and as often as it likes; null: nothing any more. Cheap. */
  report(device: DeviceRef, source: string, sign: Sign | null): void;
  /** Tells what is new; to be called now and then. Never rejects: what could not be written is told again. */
  judge(): Promise<void>;
  devices(): DeviceView[];
  /** Called after something has changed. @returns ends the subscription */
  subscribe(listener: () => void): () => void;
}

export function createHealthBook(parts: {
  /** All there are; a device that was known before and is not among them is told to be gone. */
  devices: readonly DeviceRef[];
  store: HealthStore;
  events: Pick<EventLog, 'append'>;
  commit: Pick<GroupCommit, 'runSoon'>;
  clock: Clock;
  /** Milliseconds on a clock that nobody sets. */
  tick: () => number;
  log: Logger;
}): HealthBook {
  const { store, events, clock, log } = parts;
  const known = new Map<string, { ref: DeviceRef; health: DeviceHealth }>();
  /** What the disk has. */
  const written = new Map<string, DeviceState>();
  const listeners = new Set<() => void>();
  let writing: Promise<void> | null = null;
  /** Said once, however long it lasts. */
  let unsaved = false;

  const now = (): Moment => ({ wall: utcTime(clock.now()), tick: parts.tick() });

  for (const { kind, id, state, detail, since, lastError } of store.load()) {
    const ref = { kind, id };
    const health = { ...unheardDevice(since), state, detail, lastError };
    const isThere = parts.devices.some((device) => keyOf(device) === keyOf(ref));
    known.set(keyOf(ref), { ref, health: isThere ? health : { ...health, state: 'gone' } });
    written.set(keyOf(ref), state);
  }
  for (const device of parts.devices) entryOf(device);

  function entryOf(ref: DeviceRef) {
    const entry = known.get(keyOf(ref));
    if (entry) return entry;
    const fresh = { ref, health: unheardDevice(now().wall) };
    known.set(keyOf(ref), fresh);
    return fresh;
  }

  /** Writes down what the disk has otherwise; the cloud is told by the same transaction. */
  async function write(): Promise<void> {
    const news = [...known.values()].filter(({ ref, health }) => written.get(keyOf(ref)) !== health.state);
    if (news.length === 0) return;
    const at = now().wall;
    const said = news.map(({ ref, health }) => ({ ref, health }));
    try {
      await parts.commit.runSoon(() => {
        for (const { ref, health } of said) tell(ref, health, at);
      });
    } catch (err) {
      if (!unsaved) log.error({ event: LOG_EVENTS.deviceUnsaved, err });
      unsaved = true;
      return;
    }
    unsaved = false;
    for (const { ref, health } of said) {
      const { state, detail } = health;
      written.set(keyOf(ref), state);
      if (state === 'gone') forget(ref);
      log[isAlarm(state) ? 'warn' : 'info']({ event: LOG_EVENTS.deviceChanged, ...ref, state, detail });
    }
  }

  function tell({ kind, id }: DeviceRef, { state, detail, since, lastError }: DeviceHealth, at: UtcTime) {
    events.append({ type: 'device.changed', kind, deviceId: id, state, detail, since }, at);
    if (state === 'gone') store.remove(kind, id);
    else store.save({ kind, id, state, detail, since, lastError });
  }

  function forget(ref: DeviceRef): void {
    known.delete(keyOf(ref));
    written.delete(keyOf(ref));
  }

  return {
    report(device, source, sign) {
      const entry = entryOf(device);
      // Some devices answer with what they printed.
      const said = sign && { ...sign, detail: hideCardNumbers(sign.detail) };
      entry.health = noteSign(entry.health, source, said, now());
    },
    async judge() {
      const at = now();
      let changed = false;
      for (const entry of known.values()) {
        const next = judgeHealth(entry.health, at);
        changed ||= next.state !== entry.health.state || next.detail !== entry.health.detail;
        entry.health = next;
      }
      if (changed) for (const listener of listeners) listener();
      writing ??= write().finally(() => {
        writing = null;
      });
      await writing;
    },
    devices: () =>
      [...known.values()].flatMap(({ ref, health: { state, since, detail, lastError } }) =>
        state === 'gone' ? [] : [{ ...ref, state, since, detail, alarm: isAlarm(state), lastError }],
      ),
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

function keyOf({ kind, id }: DeviceRef): string {
  return `${kind}:${id}`;
}
