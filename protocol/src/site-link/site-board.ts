import { z } from 'zod';
import { MINUTE_MS } from '../base/durations.ts';
import { MoneySchema } from '../base/money.ts';
import { GATE_MODES, GATE_STATES, LANE_STATES } from '../base/statuses.ts';
import { millis, type UtcTime, UtcTimeSchema } from '../base/utc-time.ts';
import { DecisionReasonSchema } from '../records/decision.ts';
import { DeviceKindSchema, DeviceStateSchema } from '../records/device.ts';
import { freePlaces } from '../records/free-places.ts';
import { GateReasonSchema } from '../records/gate-reason.ts';
import { DirectionSchema } from '../records/lane.ts';
import { ReviewFlagSchema } from '../records/visit.ts';
import { MessageVersionSchema } from './envelope.ts';
import { carsInside } from './occupancy.ts';
import { GateOutcomeSchema, LaneAlertSchema } from './site-event.ts';

/** A site publishes its board for this long after a lease, and then stops. */
export const BOARD_LEASE_MS = MINUTE_MS;

/**
 * `board/lease`, not retained: an operator has the board of the site open. The site publishes it at once, and
 * after each change.
 */
export const BoardLeaseSchema = z.strictObject({ v: MessageVersionSchema }).meta({ id: 'BoardLease' });
export type BoardLease = z.infer<typeof BoardLeaseSchema>;

/** The state of a lane: a car is handled now, a car waits at the closed gate, or nothing happens. */
export const LaneStateSchema = z.enum(LANE_STATES).meta({ id: 'LaneState' });

/** Whether the cloud has the picture of a car: `coming`, the site must still send it. */
export const BoardPictureSchema = z.enum(['none', 'coming', 'there']).meta({ id: 'BoardPicture' });
export type BoardPicture = z.infer<typeof BoardPictureSchema>;

const passage = {
  passageId: z.uuid(),
  visitId: z.uuid().nullable(),
  plate: z.string().nullable(),
  seenAt: UtcTimeSchema,
  open: z.boolean(),
  reason: DecisionReasonSchema,
  flags: z.array(ReviewFlagSchema),
  /** The answer of its gate; `untouched`: it had no command, `wanted`: it has not answered yet. */
  gate: z.enum([...GateOutcomeSchema.options, 'untouched', 'wanted']),
};

/** A car that passed a lane. */
export const BoardPassageSchema = z.strictObject(passage).meta({ id: 'BoardPassage' });
export type BoardPassage = z.infer<typeof BoardPassageSchema>;

/** The newest car of a lane; on an idle lane it has gone. */
export const BoardCarSchema = z
  .strictObject({
    ...passage,
    score: z.number().min(0).max(1),
    /** When it came to the gate. */
    cameAt: UtcTimeSchema,
    /** The read with the picture of this passage: the id of its photo in the cloud. */
    photoId: z.string(),
    picture: BoardPictureSchema,
    /** The amount that it owes if it leaves now; null: nothing, or it has no visit. */
    due: MoneySchema.nullable(),
    /** When its visit began; null: it has none. */
    enteredAt: UtcTimeSchema.nullable(),
  })
  .meta({ id: 'BoardCar' });
export type BoardCar = z.infer<typeof BoardCarSchema>;

/**
 * The hold that a person has set for a gate. `automatic`: released, and the device has not confirmed it yet.
 */
export const GateOrderSchema = z
  .strictObject({
    mode: z.enum(GATE_MODES),
    since: UtcTimeSchema,
    /** `account:<id>`, `technician`, or `on-site:<loopback or network>`. */
    by: z.string(),
    /** The person's name, where it is known. */
    name: z.string().nullable(),
    reasonCode: GateReasonSchema.nullable(),
    note: z.string(),
    /** When it lapses by itself; null: only another command ends it. */
    lapsesAt: UtcTimeSchema.nullable(),
    confirmed: z.boolean(),
  })
  .meta({ id: 'GateOrder' });
export type GateOrder = z.infer<typeof GateOrderSchema>;

export const LaneBoardSchema = z
  .strictObject({
    id: z.string(),
    name: z.string(),
    direction: DirectionSchema,
    state: LaneStateSchema,
    /** The time since which it is in that state; null: the site has recorded nothing there. */
    since: UtcTimeSchema.nullable(),
    car: BoardCarSchema.nullable(),
    gate: z.strictObject({
      state: z.enum(GATE_STATES),
      since: UtcTimeSchema,
      lastError: z.string().nullable(),
      /** Null: the lane decides. */
      order: GateOrderSchema.nullable(),
    }),
    /** The passages before the newest, newest first. */
    earlier: z.array(BoardPassageSchema),
  })
  .meta({ id: 'LaneBoard' });
export type LaneBoard = z.infer<typeof LaneBoardSchema>;

/** Cars inside, of the site (`id` null) or of one of its zones. */
export const BoardZoneSchema = z
  .strictObject({
    id: z.string().nullable(),
    name: z.string(),
    inside: z.int().min(0),
    /** Null: not limited. */
    capacity: z.int().min(0).nullable(),
    free: z.int().min(0).nullable(),
  })
  .meta({ id: 'BoardZone' });
export type BoardZone = z.infer<typeof BoardZoneSchema>;

/** Everything that happens at a site, at one moment. `board`, not retained: published while a lease holds. */
export const SiteBoardSchema = z
  .strictObject({
    v: MessageVersionSchema,
    /** The time by the site's clock. */
    at: UtcTimeSchema,
    lanes: z.array(LaneBoardSchema),
    /** Lanes where a car waits, the longest waiting first. */
    waiting: z.array(z.string()),
    /** The site first. */
    zones: z.array(BoardZoneSchema),
    /** Devices that need a person. */
    alarms: z.array(
      z.strictObject({
        kind: DeviceKindSchema,
        id: z.string(),
        /** The name that people at the site use; absent: none was given. */
        name: z.string().max(200).optional(),
        state: DeviceStateSchema,
        detail: z.string(),
        since: UtcTimeSchema,
      }),
    ),
    /** The newest alerts of the lanes, newest first. */
    alerts: z.array(
      z.strictObject({
        laneId: z.string(),
        alert: LaneAlertSchema,
        plate: z.string().nullable(),
        passageId: z.uuid().nullable(),
        at: UtcTimeSchema,
      }),
    ),
  })
  .meta({ id: 'SiteBoard' });
export type SiteBoard = z.infer<typeof SiteBoardSchema>;

/** A car that was let through counts as being handled for this long after it was seen. */
export const CAR_NOW_MS = 15_000;

/** The facts from which a lane's state follows. */
export interface LaneSight {
  /** The newest car; null: none is known. */
  car: { cameAt: UtcTime; seenAt: UtcTime } | null;
  /** A car stands at the closed gate, as far as the site knows. */
  stands: boolean;
  gate: { state: LaneBoard['gate']['state']; since: UtcTime };
}

/** The state of a lane. A gate that is held open proves nothing about cars. */
export function laneState({ car, stands, gate }: LaneSight, at: UtcTime): Pick<LaneBoard, 'state' | 'since'> {
  if (car !== null && stands) return { state: 'waiting', since: car.cameAt };
  const isFresh = (since: UtcTime) => millis(at) - millis(since) < CAR_NOW_MS;
  if (car !== null && isFresh(car.seenAt)) return { state: 'now', since: car.cameAt };
  const moves = gate.state === 'opening' || gate.state === 'open';
  if (moves && isFresh(gate.since)) return { state: 'now', since: gate.since };
  return { state: 'idle', since: car?.seenAt ?? null };
}

/** Lanes where a car waits, the longest waiting first. */
export function waitingLanes(lanes: readonly Pick<LaneBoard, 'id' | 'state' | 'since'>[]): string[] {
  return lanes
    .filter(({ state }) => state === 'waiting')
    .toSorted((one, other) => (one.since ?? '').localeCompare(other.since ?? ''))
    .map(({ id }) => id);
}

interface ZoneCount {
  id: string | null;
  name: string;
  capacity: number | null;
  /** The operators' correction of the count; absent: there is none. */
  insideOffset?: number | undefined;
}

/** Cars inside and places free. @param counted cars with an open visit there */
export function countZone({ id, name, capacity, insideOffset }: ZoneCount, counted: number): BoardZone {
  const cars = carsInside(counted, insideOffset);
  return { id, name, inside: cars, capacity, free: freePlaces(capacity, cars) };
}
