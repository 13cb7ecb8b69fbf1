import type { EdgeContext } from '../outbox/edge-context.ts';
import type { Gate } from './gate.ts';
import { GateController, type GateLane } from './gate-controller.ts';
import type { GateHoldStore } from './gate-hold-store.ts';
import type { LaneGate } from './lane-gate.ts';
import { NoGate } from './no-gate.ts';

/** @param device null: the lane has no gate */
export function createLaneGate(
  context: EdgeContext,
  lane: GateLane,
  device: Gate | null,
  holds: GateHoldStore,
): LaneGate {
  return device === null
    ? new NoGate(context, lane.id, holds)
    : new GateController(context, lane, device, holds);
}
