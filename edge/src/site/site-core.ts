import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Direction, SiteSettings } from '@hlid/protocol/records/lane';
import type { Visit } from '@hlid/protocol/records/visit';
import type { DoubtfulCar } from '@hlid/protocol/rules/doubtful-car';
import { closeLost, isEndLost, visitChange } from '@hlid/protocol/rules/visit-transitions';
import type { SiteItem, ZoneItem } from '@hlid/protocol/site-link/site-change';
import type { Product } from '@hlid/protocol/tariff/product';
import { LOG_EVENTS } from '../base/events.ts';
import type { CameraClocks } from '../camera/camera-clock.ts';
import { LaneChooser } from '../camera/lane-chooser.ts';
import { ReadHandler } from '../camera/read-handler.ts';
import type { EdgeConfig } from '../config/config.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import { IdleCheckpoint } from '../db/idle-checkpoint.ts';
import { MetaStore } from '../db/meta-store.ts';
import { FactFinder } from '../decision/gather-facts.ts';
import { VisitTakeOver } from '../epoch/take-over-visits.ts';
import { GateHoldStore } from '../gate/gate-hold-store.ts';
import type { LaneDevices } from '../lane/lane-devices.ts';
import type { LaneOutcome } from '../lane/lane-outcome.ts';
import { Lanes } from '../lane/lanes.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { EventLog } from '../outbox/event-log.ts';
import { PassageStore } from '../passage/passage-store.ts';
import { QuotaLedger } from '../quota/quota-ledger.ts';
import { RetentionRun } from '../retention/retention-run.ts';
import { FeedStore, type VisitChange } from '../site-lists/feed-store.ts';
import { ListItemStore } from '../site-lists/list-item-store.ts';
import { PermitStore } from '../site-lists/permit-store.ts';
import { SiteLists } from '../site-lists/site-lists.ts';
import { VehicleStore } from '../site-lists/vehicle-store.ts';
import { ClockCheck } from '../visit/clock-check.ts';
import type { BootClock } from '../visit/clock-memory.ts';
import { OnlinePayments } from '../visit/online-payments.ts';
import { PriceHistory } from '../visit/price-history.ts';
import { StayPrices } from '../visit/price-stay.ts';
import { VisitService } from '../visit/visit-service.ts';
import { VisitStore } from '../visit/visit-store.ts';

/** The visits of the site, for the code that charges for them. */
export interface SiteStays {
  visits: VisitStore;
  book: VisitService;
  facts: FactFinder;
  prices: StayPrices;
  onlinePayments: OnlinePayments;
  /** Whether the site takes a tip beside the amount that is due. */
  takesTips(): boolean;
  /** Decides again on the cars that wait at exits, within the running transaction. */
  reconsider(at: UtcTime): LaneOutcome[];
  /** The visits of the cars that wait at closed exits. */
  waiting(at: UtcTime): Visit[];
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

/** Visits that are closed in one transaction; the next hour closes more. */
const MAX_CLOSED_AT_ONCE = 200;

interface CoreOptions {
  config: Pick<EdgeConfig, 'site' | 'cameras' | 'lanes' | 'retention'>;
  devicesOf: (laneId: string) => LaneDevices;
  cameraClocks: Pick<CameraClocks, 'clockBehindMs' | 'inDoubt'>;
  /** Deletes the pictures of reads. */
  deletePictures: (readIds: readonly string[]) => Promise<unknown>;
  /** A gate got the command to open, this long after the camera's document. */
  onRelayCommand?: (sinceDocumentMs: number) => void;
  /** A monotonic clock, in milliseconds; without it, a change of the wall clock is not noticed. */
  tick?: () => number;
  /** A clock of the machine that goes on while no program runs; absent: there is none. */
  boot?: () => BootClock | null;
  /** The clock was set, forward or back by this number of milliseconds. */
  onClockSet?: (byMs: number) => void;
}

/** All that decides and stores at a site, without the network around it. */
export class SiteCore {
  readonly context: EdgeContext;
  readonly commit: GroupCommit;
  readonly events: EventLog;
  readonly feed: FeedStore<LaneOutcome>;
  readonly lanes: Lanes;
  readonly reads: ReadHandler;
  readonly retention: RetentionRun;
  readonly stays: SiteStays;
  /** The site as the cloud describes it; before it has, as the configuration does. */
  readonly site: () => SiteItem;
  readonly zones: () => readonly ZoneItem[];
  /** What is sold here. */
  readonly products: () => readonly Product[];
  readonly #lists: SiteLists;
  readonly #passages: PassageStore;
  readonly #prices: PriceHistory;
  readonly #clockCheck: ClockCheck | null;
  readonly #idle: IdleCheckpoint;
  #lastSettings: SiteSettings;

  constructor(context: EdgeContext, options: CoreOptions) {
    const { config } = options;
    const { db, commit, events } = context;
    this.context = context;
    this.commit = commit;
    this.events = events;
    this.#lastSettings = config.site.settings;
    this.#idle = new IdleCheckpoint(context);
    const items = new ListItemStore(db);
    const stores = { items, permits: new PermitStore(db), vehicles: new VehicleStore(db) };
    const lists = new SiteLists(stores, config);
    this.#lists = lists;
    this.site = () => lists.site();
    this.zones = () => lists.zones();
    this.products = () => lists.products();
    const visits = new VisitStore(db);
    this.#passages = new PassageStore(
      db,
      config.lanes.map((lane) => lane.id),
      () => this.#now(),
    );
    this.#prices = new PriceHistory(db, { lists, visits });
    commit.onUndone(() => {
      items.refresh();
      this.#passages.refresh();
      this.#prices.refresh();
    });
    const feedAt = () => this.feed.feedAt();
    const quotas = new QuotaLedger({ db, events }, lists);
    const prices = new StayPrices({ lists, pricings: this.#prices, visits });
    const visitService = new VisitService({ visits, events, lists, quotas, prices, feedAt });
    const facts = new FactFinder({ lists, visits, quotas, prices, lanes: config.lanes });
    const settings = () => this.#settings();
    const lanesOf = (direction: Direction) =>
      config.lanes.flatMap((lane) => (lane.direction === direction ? [lane.id] : []));
    this.lanes = new Lanes(
      {
        ...context,
        lists,
        facts,
        passages: this.#passages,
        visits,
        visitService,
        feedAt,
        settings,
        gateHolds: new GateHoldStore(db),
        cameraClocks: options.cameraClocks,
        lanesOf,
      },
      {
        lanes: config.lanes,
        devicesOf: options.devicesOf,
        onRelayCommand: options.onRelayCommand ?? (() => undefined),
      },
    );
    const onlinePayments = new OnlinePayments(lists);
    this.stays = this.#siteStays({ visits, book: visitService, facts, prices, onlinePayments });
    this.retention = new RetentionRun(context, {
      keep: config.retention,
      deletePictures: options.deletePictures,
      closeLost: (before, at) => this.#closeLost(before, at),
      onDeleted: () => {
        this.#passages.refresh();
        this.lanes.refresh();
      },
    });
    const exitLanes = lanesOf('exit');
    this.feed = new FeedStore(context, {
      lists: stores,
      onProducts: (at) => this.#prices.update(at),
      onOnlinePayment: (paymentId) => onlinePayments.listed(paymentId),
      onVisitChange: (change, at) => this.#changeVisit(change, at),
      reconsider: (at) => this.lanes.reconsider(at),
      takeOver: new VisitTakeOver(context, { visits, visitService, feedAt, exitLanes }),
      keepSettlement: (settlement) => void visits.saveSettlement(settlement),
      onApplied: (outcomes) => {
        this.lanes.setOnlineOff(lists.site().onlinePayment === 'off');
        this.lanes.act(outcomes);
      },
    });
    this.#clockCheck = this.#clockCheckOf(options, visits, visitService);
    this.reads = new ReadHandler({
      cameras: config.cameras,
      lanes: this.lanes,
      clockCheck: this.#clockCheck,
      chooser: new LaneChooser({
        visits,
        directions: new Map(config.lanes.map(({ id, direction }) => [id, direction])),
        passageWindowMs: () => this.#settings().passageWindowMs,
      }),
    });
  }

  /** Null: nothing counts the time apart from the clock. */
  #clockCheckOf(
    { tick, boot, onClockSet }: CoreOptions,
    visits: VisitStore,
    visitService: VisitService,
  ): ClockCheck | null {
    if (!tick) return null;
    return new ClockCheck(this.context, {
      tick,
      visits,
      passages: this.#passages,
      visitService,
      meta: new MetaStore(this.context.db),
      boot: boot ?? (() => null),
      onSet: (byMs) => {
        this.lanes.shiftClock(byMs);
        onClockSet?.(byMs);
      },
    });
  }

  /** Restores what was under way when the program ended; the gates' devices are left alone until `lanes.start`. */
  start(): void {
    this.#clockCheck?.start();
    this.lanes.restore();
    this.commit.runNow(() => this.#prices.update(this.#now()));
    // From here on the process does not block while another one writes: group commit waits its turn.
    this.context.db.pragma('busy_timeout = 0');
    this.#idle.start();
  }

  /** Ends its timers. */
  stop(): void {
    this.#clockCheck?.stop();
    this.#idle.stop();
    this.lanes.stop();
  }

  /** Checks whether the clock was set. */
  checkClock(): void {
    this.#clockCheck?.check();
  }

  /** The cloud has the same time. */
  confirmClock(): void {
    this.#clockCheck?.confirm();
  }

  /** The time by which the clock is certainly behind what was confirmed once; 0: nothing shows that. */
  clockCertainlyBehindMs(): number {
    return this.#clockCheck?.certainlyBehindMs() ?? 0;
  }

  #now(): UtcTime {
    return utcTime(this.context.clock.now());
  }

  /** The settings; without a database, those that were read last: exits must work. */
  #settings(): SiteSettings {
    try {
      this.#lastSettings = this.#lists.site().settings;
    } catch (err) {
      this.context.log.error({ event: LOG_EVENTS.laneFailed, err });
    }
    return this.#lastSettings;
  }

  #siteStays(parts: Pick<SiteStays, 'visits' | 'book' | 'facts' | 'prices' | 'onlinePayments'>): SiteStays {
    const { lanes } = this;
    const { visits } = parts;
    return {
      ...parts,
      takesTips: () => this.#settings().takesTips === true,
      reconsider: (at) => lanes.reconsider(at),
      disown: (visitId, typed, at) => lanes.disown(visitId, typed, at),
      waiting: (at) =>
        lanes.waiting(at).flatMap(({ visitId }) => (visitId === null ? [] : (visits.get(visitId) ?? []))),
      inDoubt: (at) =>
        lanes.inDoubt(at).flatMap(({ visitId, votes }) => {
          const visit = visitId === null ? undefined : visits.get(visitId);
          if (!visit || visit.plate === null) return [];
          const readPlates = votes.map(({ plate }) => plate);
          return [{ visitId: visit.id, visitPlate: visit.plate, readPlates }];
        }),
      act: (outcomes) => lanes.act(outcomes),
    };
  }

  /** Closes visits that never ended, past the retention of visits: their cars cannot be here any more. */
  #closeLost(before: UtcTime, at: UtcTime): void {
    const { book, visits, waiting } = this.stays;
    const oldest = visits.oldestStart();
    if (oldest === null || oldest >= before) return;
    const waits = new Set(waiting(at).map(({ id }) => id));
    const lost = visits.open().filter((visit) => isEndLost(visit, before, at) && !waits.has(visit.id));
    const context = { at, by: 'retention', reason: 'lost-exit' };
    for (const visit of lost.slice(0, MAX_CLOSED_AT_ONCE)) {
      book.record(visitChange(visit, closeLost(visit, context), context));
    }
  }

  #changeVisit(change: VisitChange, at: UtcTime): void {
    const { book } = this.stays;
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
        this.retention.requestErasure(change.id, change.item);
        break;
      default:
        change satisfies never;
    }
  }
}
