import type { SiteItem } from '@hlid/protocol/site-change';
import { type UtcTime, utcTime } from '@hlid/protocol/utc-time';
import type { ReviewFlag, Visit } from '@hlid/protocol/visit';
import type { Logger } from 'pino';
import type { ReadDesk } from './camera/read-desk.ts';
import { createCameraDesk } from './camera-desk.ts';
import type { Clock } from './clock.ts';
import type { FeedBook } from './cloud-link/feed-book.ts';
import type { EdgeConfig } from './config.ts';
import { createGroupCommit, type GroupCommit } from './db/group-commit.ts';
import type { SiteDb } from './db/site-db.ts';
import { createFactFinder } from './decision/gather-facts.ts';
import { LOG_EVENTS } from './events.ts';
import type { Gate } from './gate/gate.ts';
import { createGateKeeper, type GateKeeper, type Opening } from './gate/gate-keeper.ts';
import { createGateOrderStore } from './gate/gate-order-store.ts';
import { openingFor } from './gate/opening.ts';
import { createLane, type Lane, type LaneOutcome } from './lane.ts';
import type { LaneBoard } from './local-api/lane-board.ts';
import { createEventLog, type EventLog } from './outbox/event-log.ts';
import { createPassageBoard } from './passage/passage-board.ts';
import { createPassageNotes } from './passage/passage-notes.ts';
import { createPassageStore, markWanted } from './passage/passage-store.ts';
import { createQuotaBook } from './quota/quota-book.ts';
import { createQuotaStore } from './quota/quota-store.ts';
import { createFeedStore, type VisitChange } from './site-lists/feed-store.ts';
import { createListItemStore } from './site-lists/list-item-store.ts';
import { createPermitStore } from './site-lists/permit-store.ts';
import { createSiteLists } from './site-lists/site-lists.ts';
import { createVehicleStore } from './site-lists/vehicle-store.ts';
import { createVisitBook } from './visit/visit-book.ts';
import { createVisitStore } from './visit/visit-store.ts';

/** All that decides and remembers at a site, without the network around it. */
export interface SiteCore {
  desk: ReadDesk;
  events: EventLog;
  feed: FeedBook;
  board: LaneBoard;
  commit: GroupCommit;
  /** For people who move gates. */
  keeper: GateKeeper;
  /** As the cloud describes it, or the configuration as long as the cloud has said nothing. */
  site: () => SiteItem;
}

export function createSiteCore(parts: {
  config: Pick<EdgeConfig, 'site' | 'cameras' | 'lanes'>;
  db: SiteDb;
  gates: ReadonlyMap<string, Gate>;
  clockBehindMs: (cameraId: string) => number;
  clock: Clock;
  log: Logger;
}): SiteCore {
  const { config, db, gates, clock, log } = parts;
  const now = (): UtcTime => utcTime(clock.now());
  const commit = createGroupCommit(db);
  const events = createEventLog(db, commit);
  const items = createListItemStore(db);
  const stores = { items, permits: createPermitStore(db), vehicles: createVehicleStore(db) };
  const lists = createSiteLists(stores, config);
  const visits = createVisitStore(db);
  const passages = createPassageStore(
    db,
    config.lanes.map((lane) => lane.id),
  );
  commit.onUndone(items.refresh);
  commit.onUndone(passages.refresh);
  const feedAt = (): number => feed.feedAt();
  const quotas = createQuotaBook({ lists, store: createQuotaStore(db), events });
  const book = createVisitBook({ visits, events, lists, quotas, feedAt });
  const facts = createFactFinder({ lists, visits, quotas, lanes: config.lanes });
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
    onView: board.showGate,
    onLetGo(laneId, at, outcome) {
      const gone = lanes.get(laneId)?.letGo(at, outcome) ?? null;
      if (gone) board.showPassage(gone);
      return gone?.id ?? null;
    },
    onReopened(laneId, closedSince) {
      commit
        .run(() => lanes.get(laneId)?.reopen(closedSince, now()))
        .then((outcome) => outcome && act(outcome))
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
      flagUnconfirmed(passage.visitId, outcome !== 'done', { at, by: opening.by, why: `gate: ${outcome}` });
    },
  });

  function flagUnconfirmed(
    visitId: string | null,
    raised: boolean,
    deed: { at: UtcTime; by: string; why: string },
  ) {
    const flag: ReviewFlag = 'gate-unconfirmed';
    const visit = visitId === null ? undefined : visits.get(visitId);
    if (visit && visit.flags.includes(flag) !== raised) book.flag(visit, flag, raised, deed);
  }

  const lanes = new Map<string, Lane>(
    config.lanes.map((lane) => [
      lane.id,
      createLane({
        lane,
        lists,
        facts,
        passages,
        visits,
        book,
        notes: createPassageNotes({ lane, passages, events, feedAt }),
        gateMode: () => keeper.mode(lane.id),
        gateIsOpen: () => keeper.isOpen(lane.id),
        clockBehindMs: parts.clockBehindMs,
      }),
    ]),
  );

  function changeVisit(change: VisitChange, at: UtcTime): Visit | undefined {
    switch (change.kind) {
      case 'settlement':
        return book.settle(change.item, at);
      case 'visit-edit':
        return book.edit(change.item);
      case 'visit':
        return book.takeOver(change.item);
      default:
        return change satisfies never;
    }
  }

  function act({ passage, opening }: LaneOutcome): void {
    if (passage) board.showPassage(passage);
    if (opening) void keeper.open(opening);
  }

  const feed = createFeedStore({
    db,
    commit,
    lists: stores,
    now,
    onVisitChange(change, at) {
      const visit = changeVisit(change, at);
      return visit ? [...lanes.values()].flatMap((lane) => lane.reconsider(visit.id, at) ?? []) : [];
    },
    onApplied: (outcomes) => outcomes.forEach(act),
  });

  const desk = createCameraDesk({
    cameras: config.cameras,
    lanes,
    exits: new Set(config.lanes.filter((lane) => lane.direction === 'exit').map((lane) => lane.id)),
    commit,
    keeper,
    act,
    log,
  });

  /** Gates that were to open when the program ended: nobody knows whether they did, and nobody repeats it blindly. */
  function recover(): void {
    const at = now();
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
      }
    });
  }

  recover();
  return { desk, events, feed, board, commit, keeper, site: lists.site };
}
