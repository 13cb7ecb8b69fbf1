import type { Direction, SiteSettings } from '@hlid/protocol/records/lane';
import type { LaneConfig } from '../config/config.ts';
import type { FactFinder } from '../decision/gather-facts.ts';
import type { LaneDisplay } from '../display/lane-display.ts';
import type { GateController } from '../gate/gate-controller.ts';
import type { GateHoldStore } from '../gate/gate-hold-store.ts';
import type { LaneLoops } from '../loop/lane-loops.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { PassageRecorder } from '../passage/passage-recorder.ts';
import type { Passage, PassageStore } from '../passage/passage-store.ts';
import type { SiteLists } from '../site-lists/site-lists.ts';
import type { VisitService } from '../visit/visit-service.ts';
import type { VisitStore } from '../visit/visit-store.ts';
import type { DepartedPassages } from './departed-passages.ts';
import type { LaneOutcome } from './lane-outcome.ts';

/** What the lanes of a site share. */
export interface LaneSite extends EdgeContext {
  lists: SiteLists;
  facts: FactFinder;
  passages: PassageStore;
  visits: VisitStore;
  visitService: VisitService;
  gateHolds: GateHoldStore;
  /** The lanes of a direction. */
  lanesOf(direction: Direction): readonly string[];
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

/** What the parts of one lane share. */
export interface LaneParts {
  lane: LaneConfig;
  site: LaneSite;
  gate: GateController;
  loops: LaneLoops;
  display: LaneDisplay;
  recorder: PassageRecorder;
  departed: DepartedPassages;
}

/** What the parts of a lane have it do. */
export interface LaneActions {
  /** Works in a transaction of its own without a waiting caller, and acts on the outcome. */
  run(work: () => LaneOutcome | null): void;
  /** Acts on an outcome that is on the disk. */
  act(outcome: LaneOutcome): void;
  /** Shows the driver the decision. */
  instruct(passage: Passage): void;
  logFailure(err: unknown): void;
}
