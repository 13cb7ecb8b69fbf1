import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { millis, type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { DeviceKind, DeviceState } from '@hlid/protocol/records/device';
import type { Visit } from '@hlid/protocol/records/visit';
import { visitStanding } from '@hlid/protocol/rules/visit-due';
import { PROTOCOL_VERSION } from '@hlid/protocol/site-link/envelope';
import { carsBeside, carsByLanes, carsOf, siteOffset } from '@hlid/protocol/site-link/occupancy';
import {
  type BoardCar,
  type BoardPassage,
  type BoardZone,
  countZone,
  type LaneBoard,
  laneState,
  type SiteBoard,
  waitingLanes,
} from '@hlid/protocol/site-link/site-board';
import type { SiteItem, ZoneItem } from '@hlid/protocol/site-link/site-change';
import type { SiteEventBody } from '@hlid/protocol/site-link/site-event';
import { LOG_EVENTS } from '../base/events.ts';
import type { LaneConfig } from '../config/config.ts';
import { decideForVisit } from '../decision/decide-at-lane.ts';
import type { GateView } from '../gate/gate-mode.ts';
import type { LaneView } from '../lane/lane-status.ts';
import type { Lanes } from '../lane/lanes.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { Passage } from '../passage/passage-store.ts';
import type { PassageView } from '../passage/passage-view.ts';
import type { SiteStays } from '../site/site-stays.ts';

interface BoardDevice {
  kind: DeviceKind;
  id: string;
  name?: string;
  state: DeviceState;
  detail: string;
  since: UtcTime;
  alarm: boolean;
}

/** The parts that a board is made from. */
export interface BoardParts {
  lanes: Pick<Lanes, 'get' | 'lanes' | 'subscribe'>;
  configs: readonly Pick<LaneConfig, 'id' | 'zone'>[];
  core: { stays: SiteStays; site(): SiteItem; zones(): readonly ZoneItem[] };
  /** The read with the picture of a passage, and whether the cloud has the picture. */
  pictureOf: (passage: Passage) => Pick<BoardCar, 'photoId' | 'picture'>;
  health: { devices(): readonly BoardDevice[]; subscribe(listener: () => void): () => void };
}

const EARLIER = 8;
/** Many changes at once are one. */
const PAUSE_MS = 150;
/** Amounts due grow, and cars leave a lane, without any event. */
const TICK_MS = 5000;
const MAX_ALERTS = 20;
const ALERTS_FOR_MS = 15 * MINUTE_MS;

/** The activity at the site, for people: computed when it is requested. */
export class SiteBoards {
  readonly #context: Pick<EdgeContext, 'clock' | 'log'>;
  readonly #parts: BoardParts;
  readonly #listeners = new Set<() => void>();
  #alerts: SiteBoard['alerts'] = [];
  #unsubscribes: (() => void)[] = [];
  #tick: NodeJS.Timeout | undefined;
  #pause: NodeJS.Timeout | undefined;

  constructor(context: Pick<EdgeContext, 'clock' | 'log'>, parts: BoardParts) {
    this.#context = context;
    this.#parts = parts;
  }

  start(): void {
    const changed = () => this.changed();
    this.#unsubscribes = [this.#parts.lanes.subscribe(changed), this.#parts.health.subscribe(changed)];
    this.#tick = setInterval(() => this.#notify(), TICK_MS).unref();
  }

  stop(): void {
    for (const unsubscribe of this.#unsubscribes) unsubscribe();
    clearInterval(this.#tick);
    clearTimeout(this.#pause);
    this.#pause = undefined;
  }

  /** Calls the listener when the board may be another one. @returns ends the subscription */
  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** Something of the board has changed. Drivers wait meanwhile: it does no more than is needed. */
  changed(): void {
    if (this.#listeners.size === 0) return;
    this.#pause ??= setTimeout(() => {
      this.#pause = undefined;
      this.#notify();
    }, PAUSE_MS).unref();
  }

  /** An event is written: what lanes alert people to stays on the board for a while. */
  eventWritten(body: SiteEventBody): void {
    const at = this.#now();
    const alerts =
      body.type === 'lane.alert' ? [body.alert] : body.type === 'passage.decided' ? body.alerts : [];
    if (alerts.length === 0 || !('laneId' in body)) return;
    const { laneId, plate, passageId } = body as Extract<SiteEventBody, { type: 'lane.alert' }>;
    const added = alerts.map((alert) => ({ laneId, alert, plate, passageId, at }));
    this.#alerts = [...added, ...this.#alerts].slice(0, MAX_ALERTS);
    this.changed();
  }

  board(): SiteBoard {
    const at = this.#now();
    const lanes = this.#parts.lanes.lanes().map((lane) => this.#laneBoard(lane, at));
    return {
      v: PROTOCOL_VERSION,
      at,
      lanes,
      waiting: waitingLanes(lanes),
      zones: this.#zones(),
      alarms: this.#parts.health
        .devices()
        .flatMap(({ kind, id, name, state, detail, since, alarm }) =>
          alarm ? [{ kind, id, ...(name !== undefined && { name }), state, detail, since }] : [],
        ),
      alerts: this.#alerts.filter((alert) => millis(at) - millis(alert.at) < ALERTS_FOR_MS),
    };
  }

  #laneBoard({ id, name, direction, gate, passages }: LaneView, at: UtcTime): LaneBoard {
    const cars = this.#parts.lanes.get(id)?.cars;
    const [newest, ...earlier] = passages;
    const passage = cars?.newest();
    const car = passage && newest?.id === passage.id ? this.#car(passage, at) : null;
    const waiting = cars?.waiting(at) ?? null;
    const state = laneState({ car, stands: waiting !== null, gate }, at);
    return {
      id,
      name,
      direction,
      ...state,
      car,
      gate: gateBoard(gate),
      earlier: earlier.slice(0, EARLIER).map(passageBoard),
    };
  }

  #car(passage: Passage, at: UtcTime): BoardCar {
    const { core, pictureOf } = this.#parts;
    const { id, laneId, plate, visitId, decision, firstSeenAt, lastSeenAt, gate, score } = passage;
    const { open, reason, flags } = decision;
    const visit = visitId === null ? undefined : core.stays.visits.get(visitId);
    const view = { id, at: lastSeenAt, laneId, plate, open, reason, visitId, flags, gate };
    return {
      ...passageBoard(view),
      score,
      cameAt: firstSeenAt,
      ...pictureOf(passage),
      due: visit ? this.#dueOf(visit, at) : null,
      enteredAt: visit?.startedAt ?? null,
    };
  }

  /** The amount that an exit would demand now; for a visit that has ended, the amount that it left unpaid. */
  #dueOf(visit: Visit, at: UtcTime): BoardCar['due'] {
    const { facts, prices } = this.#parts.core.stays;
    const { demand } = visitStanding(visit, (plate) => decideForVisit(plate, facts, at));
    const left = visit.endedAt !== null && visit.status === 'need-payment';
    const price = demand?.price ?? (left ? prices.price(visit, visit.endedAt ?? at) : null);
    if (price === null || price.amountMinor === 0) return null;
    return { amountMinor: price.amountMinor, currency: price.currency };
  }

  /** A zone into which no lane leads has what the others leave, where it is the only one; else its count is not known. */
  #zones(): BoardZone[] {
    const { configs, core } = this.#parts;
    const { name, settings } = core.site();
    const zones = core.zones();
    const inside = core.stays.visits.countOpen();
    const lanesOf = (zoneId: string) => configs.flatMap(({ id, zone }) => (zone === zoneId ? [id] : []));
    const named = configs.flatMap(({ id, zone }) => (zone === undefined ? [] : [id]));
    const isOnlyRest = zones.filter(({ id }) => lanesOf(id).length === 0).length === 1;
    const site = { id: null, name, capacity: settings.capacity, insideOffset: siteOffset(zones) };
    return [
      countZone(site, carsOf(inside)),
      ...zones.flatMap((zone) => {
        const lanes = lanesOf(zone.id);
        if (lanes.length > 0) return [countZone(zone, carsByLanes(inside, lanes))];
        return isOnlyRest ? [countZone(zone, carsBeside(inside, named))] : [];
      }),
    ];
  }

  /** A database that cannot be read must not end the daemon: it is replaced while the gates work. */
  #notify(): void {
    for (const listener of this.#listeners) {
      try {
        listener();
      } catch (err) {
        this.#context.log.error({ event: LOG_EVENTS.boardFailed, err });
      }
    }
  }

  #now(): UtcTime {
    return utcTime(this.#context.clock.now());
  }
}

/** A passage as the board has it. */
export function passageBoard({
  id,
  at,
  plate,
  open,
  reason,
  visitId,
  flags,
  gate,
}: PassageView): BoardPassage {
  return { passageId: id, visitId, plate, seenAt: at, open, reason, flags: [...flags], gate };
}

/** A gate as the board has it. */
export function gateBoard({ state, since, lastError, hold }: GateView): LaneBoard['gate'] {
  if (hold === null) return { state, since, lastError, order: null };
  const { reason: note, mode, by, name, reasonCode, lapsesAt, confirmed } = hold;
  const order = { mode, since: hold.since, by, name, reasonCode, note, lapsesAt, confirmed };
  return { state, since, lastError, order };
}

/** All of a board but its time: two boards with the same are the same to people. */
export function withoutTime({ at: _at, ...content }: SiteBoard): string {
  return JSON.stringify(content);
}
