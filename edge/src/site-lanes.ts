import type { Clock } from '@hlid/node/clock';
import { visitInDoubt } from '@hlid/protocol/decision';
import { KIOSK_PATHS } from '@hlid/protocol/kiosk-api';
import type { SiteSettings } from '@hlid/protocol/lane';
import type { GateOutcome } from '@hlid/protocol/site-event';
import { MINUTE_MS, millis, type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import { QUESTION_WORDS } from '@hlid/protocol/words/instruction-words';
import type { Logger } from 'pino';
import { createLaneChooser } from './camera/camera-lanes.ts';
import type { ReadDesk } from './camera/read-desk.ts';
import { createCameraDesk } from './camera-desk.ts';
import type { EdgeConfig } from './config.ts';
import type { GroupCommit } from './db/group-commit.ts';
import { createExitWatch, type StandingVehicle } from './decision/exit-watch.ts';
import { createFaultOpenings } from './decision/fault-openings.ts';
import { createLetOut, type LetOut } from './decision/let-out.ts';
import { createWaitingCar } from './decision/waiting-car.ts';
import type { VisitQuestion } from './display/lane-display.ts';
import { createLaneDisplays } from './display/lane-displays.ts';
import { LOG_EVENTS } from './events.ts';
import type { GateKeeper, Opening } from './gate/gate-keeper.ts';
import { createGateRetries } from './gate/gate-retries.ts';
import { createLane, type Lane } from './lane.ts';
import { createLaneSteps, type LaneOutcome, type LaneStepParts } from './lane-steps.ts';
import type { GateView, LaneBoard } from './local-api/lane-board.ts';
import { createGonePassages, type GonePassages } from './loop/gone-passages.ts';
import { createLaneByLoop, type HeldBackRead, type LaneByLoop } from './loop/lane-by-loop.ts';
import { createLaneLoops, type LaneLoops } from './loop/lane-loops.ts';
import { NEVER_TELLS } from './loop/loop-kinds.ts';
import type { LoopSource } from './loop/loop-source.ts';
import type { LoopNews } from './loop/loop-state.ts';
import type { EventLog } from './outbox/event-log.ts';
import type { PassageBoard } from './passage/passage-board.ts';
import { createPassageNotes } from './passage/passage-notes.ts';
import type { Passage } from './passage/passage-store.ts';
import type { SiteLists } from './site-lists/site-lists.ts';

/** The loops of one lane. */
export interface LoopSources {
  arrival: LoopSource;
  passed: LoopSource;
}

type SiteLane = Lane & LetOut & LaneByLoop & { loops: LaneLoops; gone: GonePassages };

/** The lanes of a site with what sees to them: cameras' reads, loops, drivers' displays, and that nobody is trapped. */
export interface SiteLanes {
  desk: ReadDesk;
  /** With what drivers are told. */
  board: LaneBoard;
  get(laneId: string): Lane | undefined;
  /** Decides again on every car that waits at an exit, within the running transaction. */
  reconsider(at: UtcTime): LaneOutcome[];
  /** Somebody set the clock by so much. */
  clockSet(byMs: number): void;
  /** Passages of cars that wait at exits for visits that may not be their own. */
  inDoubt(at: UtcTime): Passage[];
  /** The driver of one of them says that the visit is not his, within the running transaction. */
  disown(visitId: string, typed: string, at: UtcTime): LaneOutcome[];
  /** After a start: shows drivers who wait what they were told, and tries gates again that were to open. */
  resume(unanswered: readonly Opening[]): void;
  /** Moves the gate and shows the passage. */
  act(outcome: LaneOutcome): void;
  showGate(laneId: string, view: GateView): void;
  onPulse(laneId: string, passageId: string | null, outcome: GateOutcome | null): void;
  /** Ways to pay have come or gone: whoever stands at a lane is told anew. */
  tellAnew(): void;
  stop(): void;
}

/** A car is let out after this, unless the site says otherwise. */
const EXIT_PATIENCE_MS = 2000;
/** Of that, the time for the disk; what is not on it by then is done without it. */
const COMMIT_PATIENCE_MS = 250;

export function createSiteLanes(
  parts: Omit<LaneStepParts, 'lane' | 'notes' | 'gateMode'> & {
    config: Pick<EdgeConfig, 'site' | 'cameras' | 'lanes'>;
    lists: SiteLists;
    events: EventLog;
    feedAt: () => number;
    commit: GroupCommit;
    keeper: () => GateKeeper;
    board: PassageBoard;
    loops: ReadonlyMap<string, LoopSources>;
    clockBehindMs: (cameraId: string) => number;
    clockInDoubt: (cameraId: string) => boolean;
    /** A driver can pay on site now. */
    kioskWorks: () => boolean;
    clock: Clock;
    log: Logger;
  },
): SiteLanes {
  const { config, lists, events, feedAt, commit, keeper, board, clock, log } = parts;
  const { passages } = parts;
  const now = (): UtcTime => utcTime(clock.now());
  let lastSettings = config.site.settings;
  /** Without a database, what was known last holds: exits must get on. */
  function settings(): SiteSettings {
    try {
      lastSettings = lists.site().settings;
    } catch (err) {
      log.error({ event: LOG_EVENTS.laneFailed, err });
    }
    return lastSettings;
  }
  const directions = new Map(config.lanes.map(({ id, direction }) => [id, direction] as const));
  const exits = new Set(config.lanes.filter(({ direction }) => direction === 'exit').map(({ id }) => id));
  const heldBack = new Map<string, HeldBackRead>();
  /** The passage whose car came onto the arrival loop last. */
  const arrivedLast = new Map<string, string>();

  const displays = createLaneDisplays({
    laneIds: config.lanes.map(({ id }) => id),
    settings,
    kioskWorks: parts.kioskWorks,
    clock,
  });

  const lanes = new Map<string, SiteLane>(config.lanes.map((lane) => [lane.id, siteLane(lane)]));

  function siteLane(lane: EdgeConfig['lanes'][number]): SiteLane {
    const { id } = lane;
    const sources = parts.loops.get(id);
    const loops = createLaneLoops({
      arrival: sources?.arrival ?? NEVER_TELLS,
      passed: sources?.passed ?? NEVER_TELLS,
      heldOpen: () => keeper().mode(id) === 'held-open',
      onNews(news) {
        try {
          followLoop(id, news);
        } catch (err) {
          log.error({ event: LOG_EVENTS.laneFailed, laneId: id, err });
          // Who it is cannot be looked up; that there is somebody is known.
          if (news.kind === 'arrived') exitWatch.seen(id, { plates: [], keys: [] });
        }
      },
      clock,
    });
    const notes = createPassageNotes({ lane, passages, events, feedAt });
    const gone = createGonePassages();
    const stepParts = { ...parts, lane, notes, gateMode: () => keeper().mode(id) };
    const waitingCar = createWaitingCar({ lane, passages, lists, gone, arrival: loops.arrival });
    const shared = { ...stepParts, gone, waitingCar, events, steps: createLaneSteps(stepParts) };
    const own = createLane({
      ...shared,
      gateIsOpen: () => keeper().isOpen(id),
      countsPasses: loops.countsPasses,
      isInside: (visitId) => visitId !== null && parts.visits.get(visitId)?.endedAt === null,
      arrival: loops.arrival,
    });
    return { ...own, ...createLetOut(shared), ...createLaneByLoop(shared), loops, gone };
  }

  const faults = createFaultOpenings({
    async open(laneId, { plates }) {
      log.warn({ event: LOG_EVENTS.laneOpenedUnrecorded, laneId, plate: plates.at(-1) ?? null });
      displays.of(laneId)?.openedOnFault();
      const opening = {
        ...{ laneId, passageId: null, why: 'fault', by: `lane:${laneId}`, onlyIfClosed: false },
      };
      const outcome = await keeper().open(opening);
      retries.after(opening, outcome);
      return outcome;
    },
    gateIsOpen: (laneId) => keeper().isOpen(laneId),
    clock,
  });

  const exitWatch = createExitWatch({
    exits,
    patienceMs: () => (settings().exitPatienceMs ?? EXIT_PATIENCE_MS) - COMMIT_PATIENCE_MS,
    onPatienceOver: (laneId, standing) => void letOut(laneId, standing),
    onChanged: (laneId) => displays.of(laneId)?.waiting(exitWatch.waits(laneId)),
    clock,
  });

  const retries = createGateRetries({
    directions,
    arrival: (laneId) => lanes.get(laneId)?.loops.arrival() ?? null,
    again(laneId, passageId, stillThere) {
      if (passageId === null) return exitWatch.seen(laneId, { plates: [], keys: [] });
      run(laneId, (lane) => lane.again(passageId, now(), stillThere));
    },
  });

  /** Does something at a lane that nobody waits for, and what follows from it. */
  function run(laneId: string, work: (lane: SiteLane) => LaneOutcome | null): void {
    const lane = lanes.get(laneId);
    if (!lane) return;
    commit
      .run(() => work(lane))
      .then((outcome) => outcome && act(outcome))
      .catch((err: unknown) => log.error({ event: LOG_EVENTS.laneFailed, laneId, err }));
  }

  function act({ passage, opening }: LaneOutcome): void {
    if (passage) {
      exitWatch.ended(passage.laneId);
      retries.wentOn(passage.laneId, passage.id);
      board.showPassage(passage);
      show(passage);
      clearMovedOn(passage.laneId);
      if (lanes.get(passage.laneId)?.loops.arrival()) arrivedLast.set(passage.laneId, passage.id);
    }
    if (opening)
      void keeper()
        .open(opening)
        .then((outcome) => retries.after(opening, outcome));
  }

  /** Tells the driver what was decided, for as long as he may stand there. */
  function show(passage: Passage): void {
    const { id, laneId, decision } = passage;
    const waitsMs = exits.has(laneId) && !decision.open ? settings().exitWaitMinutes * MINUTE_MS : null;
    displays.of(laneId)?.decided(id, decision, waitsMs, questionOf(passage));
  }

  /** Which visit it is for which a car is kept in doubt. */
  function questionOf({ plate, decision }: Passage): VisitQuestion | null {
    const visitId = visitInDoubt(decision);
    const visit = visitId === null ? undefined : parts.visits.get(visitId);
    if (!visit || visit.plate === null) return null;
    const shown = [...visit.plate].map((character, at) => (plate?.[at] === character ? character : '•'));
    return {
      ...{ visitId: visit.id, plate: shown.join(''), startedAt: visit.startedAt },
      picture: `${KIOSK_PATHS.visit.replace(':visitId', visit.id)}/picture`,
      text: { is: QUESTION_WORDS.is, en: QUESTION_WORDS.en },
    };
  }

  /** A car that waited at another exit, and was seen here now, does not wait there any more. */
  function clearMovedOn(laneId: string): void {
    for (const other of exits) {
      const [latest] = passages.recent(other);
      if (other !== laneId && latest && !latest.decision.open && passages.movedOn(latest)) {
        displays.of(other)?.cleared();
      }
    }
  }

  function reconsider(at: UtcTime): LaneOutcome[] {
    return [...lanes.values()].flatMap((lane) => lane.reconsider(at) ?? []);
  }

  /** Nothing spoke for this vehicle but a read that seemed late, and by now it is known to be. */
  function mayBeThere(laneId: string, { certain, vehicle }: StandingVehicle): boolean {
    const there = certain || !vehicle?.lateFrom || parts.clockInDoubt(vehicle.lateFrom);
    if (!there) displays.of(laneId)?.waiting(exitWatch.waits(laneId));
    return there;
  }

  /** Nothing has decided for the vehicle that stands at this exit. */
  async function letOut(laneId: string, standing: StandingVehicle): Promise<void> {
    const lane = lanes.get(laneId);
    if (!lane || !mayBeThere(laneId, standing)) return;
    const undecided = { ...standing, seenAtMs: millis(standing.since) };
    const withoutIt = () => faults.open(laneId, undecided);
    const deadline = setTimeout(withoutIt, COMMIT_PATIENCE_MS);
    try {
      const outcome = await commit.run(() => lane.unread(standing.since, standing.vehicle, now()));
      const served = faults.servedBy(laneId, undecided);
      if (!outcome) return;
      if (!served) return act(outcome);
      const { passage } = outcome;
      const how = await served;
      run(laneId, () => {
        const opened = passage && lane.opened(passage.id, now(), how);
        return { passage: opened, opening: null, repeated: false };
      });
    } catch (err) {
      log.error({ event: LOG_EVENTS.laneFailed, laneId, err });
      withoutIt();
    } finally {
      clearTimeout(deadline);
      displays.of(laneId)?.waiting(exitWatch.waits(laneId));
    }
  }

  function followLoop(laneId: string, news: LoopNews): void {
    switch (news.kind) {
      case 'arrived':
        arrived(laneId);
        break;
      case 'left':
        exitWatch.ended(laneId);
        if (!keeper().isOpen(laneId)) left(laneId);
        break;
      case 'passed':
        lanes.get(laneId)?.passed(news.passageId, now());
        retries.wentOn(laneId, null);
        break;
      case 'turned-back':
        run(laneId, (lane) => {
          lane.turnedBack(news.passageId, now());
          return null;
        });
        break;
      case 'alert':
        run(laneId, (lane) => {
          lane.alert(news.alert, now());
          return null;
        });
        break;
      default:
        news satisfies never;
    }
  }

  /** The loop before the closed gate is free: who waited on it has gone, unless it is the loop that errs. */
  function left(laneId: string): void {
    displays.of(laneId)?.cleared();
    const [latest] = passages.recent(laneId);
    const waitedHere = latest && !latest.decision.open && arrivedLast.get(laneId) === latest.id;
    if (waitedHere) lanes.get(laneId)?.left(latest.id, now());
  }

  function arrived(laneId: string): void {
    const held = heldBack.get(laneId);
    heldBack.delete(laneId);
    if (held) run(laneId, (lane) => lane.arrived(held, now()));
    const known = lanes.get(laneId)?.isKnown(now());
    // The car that was read on its way here; one that was opened to, and has been here, is another by now.
    const itself = known && (!known.decision.open || arrivedLast.get(laneId) !== known.id);
    if (itself) {
      arrivedLast.set(laneId, known.id);
      lanes.get(laneId)?.cameBack(known.id);
      if (!known.decision.open) show(known);
    } else exitWatch.seen(laneId, { plates: [], keys: [] });
  }

  const desk = createCameraDesk({
    cameras: config.cameras,
    ...{ lanes, exits, commit, exitWatch, faults, act, log },
    laneOf: createLaneChooser({
      ...{ visits: parts.visits, directions },
      passageWindowMs: () => settings().passageWindowMs,
    }),
    showPassage: board.showPassage,
    showRead: board.showRead,
    holdBack: (laneId, held) => heldBack.set(laneId, held),
  });

  return {
    desk,
    board: displays.on(board),
    get: (laneId) => lanes.get(laneId),
    reconsider,
    inDoubt: (at) => [...lanes.values()].flatMap((lane) => lane.inDoubt(at) ?? []),
    disown: (visitId, typed, at) =>
      [...lanes.values()].flatMap((lane) => lane.disown(visitId, typed, at) ?? []),
    act,
    clockSet(byMs) {
      exitWatch.shift(byMs);
      for (const { gone } of lanes.values()) gone.shift(byMs);
      for (const [laneId, held] of heldBack) {
        heldBack.set(laneId, { ...held, at: utcTime(millis(held.at) + byMs) });
      }
    },
    resume(unanswered) {
      for (const laneId of exits) {
        const waiting = lanes.get(laneId)?.waiting(now());
        if (waiting) show(waiting);
      }
      // Whether the gate opened before the restart is not known: only where its device says that it is closed.
      for (const opening of unanswered) {
        if (exits.has(opening.laneId)) retries.after(opening, 'unknown');
      }
    },
    showGate(laneId, view) {
      board.showGate(laneId, view);
      displays.of(laneId)?.gate(view);
    },
    onPulse(laneId, passageId, outcome) {
      const loops = lanes.get(laneId)?.loops;
      if (outcome === null) loops?.opening(passageId);
      else if (outcome === 'refused' || outcome === 'unreachable') loops?.notOpened(passageId);
    },
    tellAnew: displays.lookAgain,
    stop() {
      exitWatch.stop();
      faults.stop();
      retries.stop();
      displays.stop();
      for (const { loops } of lanes.values()) loops.stop();
    },
  };
}
