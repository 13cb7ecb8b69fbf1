import type { Clock } from '@hlid/node/clock';
import { hideCardNumbers } from '@hlid/protocol/base/card-number';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { hideUrlLogins } from '@hlid/protocol/base/url-login';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import { type DeviceState, isAlarm } from '@hlid/protocol/records/device';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import {
  asLasting,
  type HealthRecord,
  type HealthSignal,
  judgeHealth,
  type Moment,
  noteSignal,
  unknownHealth,
} from '../config/health-state.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import type { EventLog } from '../outbox/event-log.ts';
import type { DeviceRef } from './device-ref.ts';
import type { HealthStore } from './health-store.ts';

/** The health of a device, for people. */
export interface DeviceView extends DeviceRef {
  /** The name that people at the site use; absent: none was given. */
  name?: string;
  state: DeviceState;
  since: UtcTime;
  /** The fault, for a technician; empty: none. */
  detail: string;
  /** A person should fix it. */
  alarm: boolean;
  lastError: { detail: string; at: UtcTime } | null;
}

export interface HealthContext {
  store: HealthStore;
  events: Pick<EventLog, 'append'>;
  commit: Pick<GroupCommit, 'runSoon'>;
  clock: Clock;
  /** The milliseconds of a monotonic clock. */
  tick: () => number;
  log: Logger;
}

/**
 * A detail that changes while the state stays is reported at most this often, for each device. One that only counts on,
 * such as how many events wait, is not reported.
 */
const DETAIL_EVERY_MS = 10 * MINUTE_MS;

/** The state of a device, as the cloud knows it. */
interface ReportedDevice {
  state: DeviceState;
  detail: string;
  name: string | undefined;
  /** The tick of the last report; null: it was before this start. */
  tick: number | null;
}

interface KnownDevice {
  ref: DeviceRef;
  health: HealthRecord;
}

/** The health of all devices of the site. Sources report to it; it reports changes to people and to the cloud. */
export class DeviceHealth {
  readonly #context: HealthContext;
  readonly #nameOf: (device: DeviceRef) => string | undefined;
  readonly #known = new Map<string, KnownDevice>();
  /** The states on the disk, as reported to the cloud. */
  readonly #reported = new Map<string, ReportedDevice>();
  readonly #listeners = new Set<() => void>();
  #storing: Promise<void> | null = null;
  /** A failure is logged once, however long it lasts. */
  #hasFailed = false;

  /**
   * @param devices all there are; a stored device that is not among them is reported as gone
   * @param nameOf what people call a device
   */
  constructor(
    context: HealthContext,
    devices: readonly DeviceRef[],
    nameOf: (device: DeviceRef) => string | undefined = () => undefined,
  ) {
    this.#context = context;
    this.#nameOf = nameOf;
    for (const { kind, id, name, state, detail, since, lastError } of context.store.load()) {
      const ref = { kind, id };
      const key = keyOf(ref);
      const isThere = devices.some((device) => keyOf(device) === key);
      const health = { ...unknownHealth(since), state: isThere ? state : 'gone', detail, lastError } as const;
      this.#known.set(key, { ref, health });
      this.#reported.set(key, { state, detail, name: name ?? undefined, tick: null });
    }
    for (const device of devices) this.#entryOf(device);
  }

  /** Notes the signal of a source, at any time and as often as needed; null: it has none any more. Cheap. */
  report(device: DeviceRef, source: string, signal: HealthSignal | null): void {
    const entry = this.#entryOf(device);
    // Some devices answer with what they have printed; an error may name an address with its login.
    const safe = signal && { ...signal, detail: hideUrlLogins(hideCardNumbers(signal.detail)) };
    entry.health = noteSignal(entry.health, source, safe, this.#now());
  }

  /** Reports what has changed; to be called at intervals. Never rejects: what could not be stored is tried again. */
  async judge(): Promise<void> {
    const at = this.#now();
    let hasChanged = false;
    for (const entry of this.#known.values()) {
      const next = judgeHealth(entry.health, at);
      hasChanged ||= next.state !== entry.health.state || next.detail !== entry.health.detail;
      entry.health = next;
    }
    if (hasChanged) for (const listener of this.#listeners) listener();
    this.#storing ??= this.#storeChanges().finally(() => {
      this.#storing = null;
    });
    await this.#storing;
  }

  /** Reports the state of a device at once, however short it has lasted. */
  async judgeNow(ref: DeviceRef): Promise<void> {
    const entry = this.#entryOf(ref);
    entry.health = asLasting(entry.health);
    await this.judge();
  }

  devices(): DeviceView[] {
    return [...this.#known.values()].flatMap(({ ref, health: { state, since, detail, lastError } }) =>
      state === 'gone'
        ? []
        : [{ ...ref, ...this.#named(ref), state, since, detail, alarm: isAlarm(state), lastError }],
    );
  }

  /** Calls the listener after each change. @returns ends the subscription */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Stores what has changed, with the events for the cloud in the same transaction. */
  async #storeChanges(): Promise<void> {
    const { commit, log } = this.#context;
    const changes = [...this.#known.values()]
      .filter((device) => this.#isUnreported(device))
      .map(({ ref, health }) => ({ ref, health, before: this.#reported.get(keyOf(ref))?.state }));
    if (changes.length === 0) return;
    const { wall: at, tick } = this.#now();
    try {
      await commit.runSoon(() => {
        for (const change of changes) this.#store(change, at);
      });
    } catch (err) {
      if (!this.#hasFailed) log.error({ event: LOG_EVENTS.deviceUnsaved, err });
      this.#hasFailed = true;
      return;
    }
    this.#hasFailed = false;
    for (const { ref, health, before } of changes) {
      const { state, detail } = health;
      this.#reported.set(keyOf(ref), { state, detail, name: this.#nameOf(ref), tick });
      if (state === 'gone') this.#forget(ref);
      if (state === before) continue;
      log[isAlarm(state) ? 'warn' : 'info']({ event: LOG_EVENTS.deviceChanged, ...ref, state, detail });
    }
  }

  /** A state and a name are reported at once; a detail alone now and then. */
  #isUnreported({ ref, health: { state, detail } }: KnownDevice): boolean {
    const reported = this.#reported.get(keyOf(ref));
    if (reported?.state !== state || reported.name !== this.#nameOf(ref)) return true;
    if (withoutNumbers(reported.detail) === withoutNumbers(detail)) return false;
    return reported.tick === null || this.#now().tick - reported.tick >= DETAIL_EVERY_MS;
  }

  #store({ ref: { kind, id }, health }: KnownDevice, at: UtcTime): void {
    const { store, events } = this.#context;
    const { state, detail, since, lastError } = health;
    const named = this.#named({ kind, id });
    events.append({ type: 'device.changed', kind, deviceId: id, ...named, state, detail, since }, at);
    if (state === 'gone') store.remove(kind, id);
    else store.save({ kind, id, name: named.name ?? null, state, detail, since, lastError });
  }

  #named(ref: DeviceRef): { name?: string } {
    const name = this.#nameOf(ref);
    return name === undefined ? {} : { name };
  }

  #forget(ref: DeviceRef): void {
    this.#known.delete(keyOf(ref));
    this.#reported.delete(keyOf(ref));
  }

  #entryOf(ref: DeviceRef): KnownDevice {
    const known = this.#known.get(keyOf(ref));
    if (known) return known;
    const entry = { ref, health: unknownHealth(this.#now().wall) };
    this.#known.set(keyOf(ref), entry);
    return entry;
  }

  #now(): Moment {
    return { wall: utcTime(this.#context.clock.now()), tick: this.#context.tick() };
  }
}

function keyOf({ kind, id }: DeviceRef): string {
  return `${kind}:${id}`;
}

function withoutNumbers(detail: string): string {
  return detail.replace(/\d+/g, '0');
}
