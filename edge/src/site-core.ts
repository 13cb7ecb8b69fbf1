import type { Clock } from '@hlid/node/clock';
import type { DoubtfulCar } from '@hlid/protocol/doubtful-car';
import type { SiteItem } from '@hlid/protocol/site-change';
import { type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { ReviewFlag } from '@hlid/protocol/visit';
import type { Logger } from 'pino';
import type { ReadDesk } from './camera/read-desk.ts';
import type { EdgeConfig } from './config.ts';
import type { DatabaseWatch } from './db/database-watch.ts';
import { createGroupCommit, type GroupCommit } from './db/group-commit.ts';
import { checkpointWhenIdle } from './db/idle-checkpoint.ts';
import type { SiteDb } from './db/site-db.ts';
import { createFactFinder, type FactFinder } from './decision/gather-facts.ts';
import { createTakeOver } from './epoch/take-over-visits.ts';
import { LOG_EVENTS } from './events.ts';
import type { Gate } from './gate/gate.ts';
import { createGateKeeper, type GateKeeper, type Opening } from './gate/gate-keeper.ts';
import { createGateOrderStore } from './gate/gate-order-store.ts';
import { openingFor } from './gate/opening.ts';
import type { SiteMeter } from './health/metrics.ts';
import type { LaneOutcome } from './lane-steps.ts';
import type { LaneBoard } from './local-api/lane-board.ts';
import { createEventLog, type EventLog } from './outbox/event-log.ts';
import { createPassageBoard, type PassageBoard } from './passage/passage-board.ts';
import { createPassageStore, markWanted } from './passage/passage-store.ts';
import { QuotaLedger } from './quota/quota-ledger.ts';
import { createRetentionRun, type RetentionRun } from './retention/retention-run.ts';
import { createSiteLanes, type LoopSources } from './site-lanes.ts';
import { createFeedStore, type FeedStore, type VisitChange } from './site-lists/feed-store.ts';
import { createListItemStore } from './site-lists/list-item-store.ts';
import { createPermitStore } from './site-lists/permit-store.ts';
import { createSiteLists } from './site-lists/site-lists.ts';
import { createVehicleStore } from './site-lists/vehicle-store.ts';
import { createClockJumps } from './visit/clock-jumps.ts';
import { createStayPrices, type StayPrices } from './visit/price-stay.ts';
import { createPricingBook } from './visit/pricing-book.ts';
import { createVisitBook, type VisitBook } from './visit/visit-book.ts';
import { createVisitStore, type VisitStore } from './visit/visit-store.ts';

/** All that decides and remembers at a site, without the network around it. */
export interface SiteCore {
  desk: ReadDesk;
  events: EventLog;
  feed: FeedStore;
  board: LaneBoard & Pick<PassageBoard, 'showRead'>;
  commit: GroupCommit;
  /** For people who move gates. */
  keeper: GateKeeper;
  retention: RetentionRun;
  /** As the cloud describes it, or the configuration as long as the cloud has said nothing. */
  site: () => SiteItem;
  stays: SiteStays;
  /** Ways to pay have come or gone: whoever stands at a lane is told anew. */
  tellAnew(): void;
  /** Notices whether somebody has set the clock. */
  lookAtClock(): void;
  /** Ends its timers. */
  stop(): void;
}

/** The visits of the site, for whoever takes money for them. */
export interface SiteStays {
  visits: VisitStore;
  book: VisitBook;
  facts: FactFinder;
  prices: StayPrices;
  /** Decides again on the cars that wait at exits, within the running transaction. */
  reconsider(at: UtcTime): LaneOutcome[];
  /** Cars that wait at exits for visits that may not be their own. */
  inDoubt(at: UtcTime): DoubtfulCar[];
  /**
   * The driver of such a car says that the visit is not his, within the running transaction. Nothing: no such car
   * waits for it.
   *
   * @param typed what he types as his own plate
   */
  disown(visitId: string, typed: string, at: UtcTime): LaneOutcome[];
  /** Moves the gates for what was decided again, once that is on the disk. */
  act(outcomes: readonly LaneOutcome[]): void;
}

export function createSiteCore(parts: {
  config: Pick<EdgeConfig, 'site' | 'cameras' | 'lanes' | 'retention'>;
  db: SiteDb;
  gates: ReadonlyMap<string, Gate>;
  /** By lane; a lane without loops is not there. */
  loops?: ReadonlyMap<string, LoopSources>;
  clockBehindMs: (cameraId: string) => number;
  clockInDoubt: (cameraId: string) => boolean;
  /** Removes the pictures of reads. */
  forgetPictures: (readIds: readonly string[]) => Promise<unknown>;
  /** A driver can pay on site now. */
  kioskWorks?: () => boolean;
  /** Counts what happens. */
  meter?: SiteMeter;
  databaseWatch?: Pick<DatabaseWatch, 'checkInPlace' | 'failed'>;
  clock: Clock;
  /** A clock that nobody sets, in milliseconds; without it, it is not noticed when somebody sets the other. */
  tick?: () => number;
  /** Somebody set the clock, forward or back by so many milliseconds. */
  onClockSet?: (byMs: number) => void;
  log: Logger;
}): SiteCore {
  const { config, db, gates, clock, log } = parts;
  const now = (): UtcTime => utcTime(clock.now());
  const { meter, databaseWatch } = parts;
  const commit = createGroupCommit(db, {
    ...(meter && { onFlushed: meter.flushed }),
    ...(databaseWatch && { checkInPlace: databaseWatch.checkInPlace, onFailed: databaseWatch.failed }),
  });
  const events = createEventLog(db, commit, meter?.eventWritten);
  const items = createListItemStore(db);
  const stores = { items, permits: createPermitStore(db), vehicles: createVehicleStore(db) };
  const lists = createSiteLists(stores, config);
  const visits = createVisitStore(db);
  const passages = createPassageStore(
    db,
    config.lanes.map((lane) => lane.id),
    now,
  );
  commit.onUndone(items.refresh);
  commit.onUndone(passages.refresh);
  const feedAt = (): number => feed.feedAt();
  const quotas = new QuotaLedger({ db, events }, lists);
  const pricings = createPricingBook(db, lists, visits.oldestStart);
  commit.onUndone(pricings.refresh);
  const prices = createStayPrices({ lists, pricings, visits });
  const book = createVisitBook({ visits, events, lists, quotas, prices, feedAt });
  const facts = createFactFinder({ lists, visits, quotas, prices, lanes: config.lanes });
  const board = createPassageBoard({
    lanes: config.lanes,
    passages,
    gateView: (laneId) => keeper.view(laneId),
  });

  const keeper = createGateKeeper({
    lanes: config.lanes,
    gates,
    orderStore: createGateOrderStore(db),
    commit,
    events,
    clock,
    log,
    onView: (laneId, view) => lanes.showGate(laneId, view),
    onPulse: (laneId, passageId, outcome) => lanes.onPulse(laneId, passageId, outcome),
    onLetGo(laneId, at, outcome) {
      const gone = lanes.get(laneId)?.letGo(at, outcome) ?? null;
      if (gone) lanes.act({ passage: gone, opening: null, repeated: false });
      return gone?.id ?? null;
    },
    onReopened(laneId, closedSince) {
      commit
        .run(() => lanes.get(laneId)?.reopen(closedSince, now()))
        .then((outcome) => outcome && lanes.act(outcome))
        .catch((err: unknown) => log.error({ event: LOG_EVENTS.laneFailed, laneId, err }));
    },
    mayRepeat(opening, at) {
      const passage = opening.passageId === null ? undefined : passages.get(opening.passageId);
      // Asked of the device for two reads at once, it is told for one of them.
      if (!passage || openingFor(passage, at) !== 'if-closed') return false;
      passages.save(markWanted(passage, at));
      return true;
    },
    onMoved(opening, outcome, at) {
      const passage = opening.passageId === null ? undefined : passages.get(opening.passageId);
      if (!passage) return;
      passages.saveGate(passage, outcome);
      board.showPassage({ ...passage, gate: outcome });
      flagUnconfirmed(passage.visitId, outcome !== 'done', { at, by: opening.by, why: `gate: ${outcome}` });
    },
  });

  function flagUnconfirmed(
    visitId: string | null,
    raised: boolean,
    context: { at: UtcTime; by: string; why: string },
  ) {
    const flag: ReviewFlag = 'gate-unconfirmed';
    const visit = visitId === null ? undefined : visits.get(visitId);
    if (visit && visit.flags.includes(flag) !== raised) book.flag(visit, flag, raised, context);
  }

  const lanes = createSiteLanes({
    ...{ config, lists, facts, passages, visits, book, events, feedAt, commit, board, clock, log },
    keeper: () => keeper,
    loops: parts.loops ?? new Map(),
    kioskWorks: parts.kioskWorks ?? (() => false),
    clockBehindMs: parts.clockBehindMs,
    clockInDoubt: parts.clockInDoubt,
  });

  const retention = createRetentionRun({
    ...{ db, commit, events, clock, log },
    keep: config.retention,
    forgetPictures: parts.forgetPictures,
    onForgotten() {
      passages.refresh();
      board.refresh();
    },
  });

  const stays: SiteStays = {
    ...{ visits, book, facts, prices },
    reconsider: lanes.reconsider,
    disown: lanes.disown,
    inDoubt: (at) =>
      lanes.inDoubt(at).flatMap(({ visitId, votes }) => {
        const visit = visitId === null ? undefined : visits.get(visitId);
        if (!visit || visit.plate === null) return [];
        return [{ visitId: visit.id, visitPlate: visit.plate, readPlates: votes.map(({ plate }) => plate) }];
      }),
    act: (outcomes) => outcomes.forEach(lanes.act),
  };

  function changeVisit(change: VisitChange, at: UtcTime): void {
    switch (change.kind) {
      case 'settlement':
        book.settle(change.item, at);
        break;
      case 'visit-edit':
        book.edit(change.item);
        break;
      case 'visit':
        book.takeOver(change.item);
        break;
      case 'erase':
        retention.erase(change.id, change.item);
        break;
      default:
        change satisfies never;
    }
  }

  const exits = new Set(config.lanes.filter((lane) => lane.direction === 'exit').map((lane) => lane.id));
  const feed = createFeedStore({
    db,
    commit,
    lists: stores,
    now,
    onProducts: pricings.note,
    onVisitChange: changeVisit,
    reconsider: stays.reconsider,
    takeOverVisits: createTakeOver({ db, visits, book, events, feedAt, exitLanes: [...exits] }),
    keepSettlement: (settlement) => void visits.saveSettlement(settlement),
    onApplied: stays.act,
    log,
  });

  /** Gates that were to open when the program ended: nobody knows whether they did, and nobody repeats it blindly. */
  function recover(): Opening[] {
    const at = now();
    const unanswered: Opening[] = [];
    commit.runNow(() => {
      for (const passage of passages.wanted()) {
        const { id: passageId, laneId } = passage;
        const opening: Opening = {
          laneId,
          passageId,
          why: 'restart',
          by: `lane:${laneId}`,
          onlyIfClosed: true,
        };
        passages.saveGate(passage, 'unknown');
        keeper.recordUnknown(opening, at);
        flagUnconfirmed(passage.visitId, true, { at, by: opening.by, why: 'gate: unknown' });
        unanswered.push(opening);
      }
    });
    return unanswered;
  }

  const { onClockSet: onSet = () => undefined } = parts;
  const jumps =
    parts.tick &&
    createClockJumps({
      ...{ clock, tick: parts.tick, commit, visits, passages, book, log },
      onSet(byMs) {
        lanes.clockSet(byMs);
        onSet(byMs);
      },
    });

  const unanswered = recover();
  board.refresh();
  commit.runNow(() => pricings.note(now()));
  // From here on nobody stands still for another process that writes: group commit waits its turn.
  db.pragma('busy_timeout = 0');
  lanes.resume(unanswered);
  const idle = checkpointWhenIdle(db, commit);
  const stop = (): void => {
    idle.stop();
    lanes.stop();
  };
  const desk = jumps ? jumps.before(lanes.desk) : lanes.desk;
  const shown = { ...lanes.board, showRead: board.showRead };
  return {
    lookAtClock: () => jumps?.look(),
    ...{ desk, events, feed, board: shown, commit, keeper, retention, stays },
    ...{ site: lists.site, tellAnew: lanes.tellAnew, stop },
  };
}
