import type { Direction, SiteSettings } from '@hlid/protocol/records/lane';
import type { LaneConfig } from '../config/config.ts';
import type { FactFinder } from '../decision/gather-facts.ts';
import type { GateHoldStore } from '../gate/gate-hold-store.ts';
import type { LaneGate } from '../gate/lane-gate.ts';
import type { LaneLoops } from '../loop/lane-loops.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { PassageStore } from '../passage/passage-store.ts';
import type { SiteLists } from '../site-lists/site-lists.ts';
import type { VisitService } from '../visit/visit-service.ts';
import type { VisitStore } from '../visit/visit-store.ts';

/** The parts and settings that the lanes of a site share. */
export interface LaneSite extends EdgeContext {
  lists: SiteLists;
  facts: FactFinder;
  passages: PassageStore;
  visits: VisitStore;
  visitService: VisitService;
  gateHolds: GateHoldStore;
  /** The lanes of a direction. */
  lanesOf(direction: Direction): readonly string[];
  /** Whether a lane has no gate. */
  hasNoGate(laneId: string): boolean;
  cameraClocks: {
    /** 0 where the clock is believed to be right. */
    clockBehindMs(cameraId: string): number;
    /** Whether what counts as late may stand before the camera now. */
    inDoubt(cameraId: string): boolean;
  };
  /** The number of the last change from the cloud. */
  feedAt(): number;
  /** The settings; if the database cannot be read, those that were read last, because exits must work. */
  settings(): SiteSettings;
}

/** One lane of a site, with its devices. */
export interface LaneContext extends LaneSite {
  lane: LaneConfig;
  gate: LaneGate;
  loops: LaneLoops;
}
