import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { Direction, SiteSettings } from '@hlid/protocol/records/lane';
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
import type { LaneSite } from '../lane/lane-site.ts';
import { Lanes } from '../lane/lanes.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { EventLog } from '../outbox/event-log.ts';
import { PassageStore } from '../passage/passage-store.ts';
import { PaymentRecords } from '../payment/payment-records.ts';
import { QuotaLedger } from '../quota/quota-ledger.ts';
import { RetentionRun } from '../retention/retention-run.ts';
import { SiteFeedEffects } from '../site/site-feed-effects.ts';
import { SiteStays } from '../site/site-stays.ts';
import { FeedCursor } from '../site-lists/feed-cursor.ts';
import { FeedStore } from '../site-lists/feed-store.ts';
import { ListItemStore } from '../site-lists/list-item-store.ts';
import { PermitStore } from '../site-lists/permit-store.ts';
import { SiteLists } from '../site-lists/site-lists.ts';
import { VehicleStore } from '../site-lists/vehicle-store.ts';
import { ClockCheck } from '../visit/clock-check.ts';
import type { BootClock } from '../visit/clock-memory.ts';
import { PriceHistory } from '../visit/price-history.ts';
import { StayPrices } from '../visit/price-stay.ts';
import { VisitService } from '../visit/visit-service.ts';
import { VisitStore } from '../visit/visit-store.ts';

interface CoreOptions {
  config: Pick<EdgeConfig, 'site' | 'cameras' | 'lanes' | 'retention'>;
  /** The devices of the lanes, by their ids. */
  devices: ReadonlyMap<string, LaneDevices>;
  cameraClocks: Pick<CameraClocks, 'clockBehindMs' | 'inDoubt' | 'shift'>;
  /** Deletes the pictures of reads. */
  deletePictures: (readIds: readonly string[]) => Promise<unknown>;
  /** A gate got the command to open, this long after the camera's document. */
  onRelayCommand?: (sinceDocumentMs: number) => void;
  /** A monotonic clock, in milliseconds; without it, a change of the wall clock is not noticed. */
  tick?: () => number;
  /** A clock of the machine that goes on while no program runs; absent: there is none. */
  boot?: () => BootClock | null;
}

/** All that decides and stores at a site, without the network around it: each part is made from those before it. */
export class SiteCore {
  readonly context: EdgeContext;
  readonly commit: GroupCommit;
  readonly events: EventLog;
  readonly lanes: Lanes;
  readonly stays: SiteStays;
  readonly paymentRecords: PaymentRecords;
  readonly retention: RetentionRun;
  readonly feed: FeedStore<LaneOutcome>;
  readonly reads: ReadHandler;
  readonly #lists: SiteLists;
  readonly #prices: PriceHistory;
  readonly #clockCheck: ClockCheck | null;
  readonly #idle: IdleCheckpoint;
  #lastSettings: SiteSettings;

  constructor(context: EdgeContext, options: CoreOptions) {
    const { config, devices, cameraClocks } = options;
    const { db, commit, events } = context;
    this.context = context;
    this.commit = commit;
    this.events = events;
    this.#lastSettings = config.site.settings;
    this.#idle = new IdleCheckpoint(context);
    const items = new ListItemStore(db);
    const stored = { items, permits: new PermitStore(db), vehicles: new VehicleStore(db) };
    const lists = new SiteLists(stored, config);
    this.#lists = lists;
    const visits = new VisitStore(db);
    this.#prices = new PriceHistory(db, { lists, visits });
    const cursor = new FeedCursor(db);
    const feedAt = () => cursor.position().n;
    const quotas = new QuotaLedger({ db, events }, lists);
    const prices = new StayPrices({ lists, pricings: this.#prices, visits, now: () => this.#now() });
    const site: LaneSite = {
      ...context,
      lists,
      visits,
      passages: new PassageStore(
        db,
        config.lanes.map(({ id }) => id),
        () => this.#now(),
      ),
      facts: new FactFinder({ lists, visits, quotas, prices, lanes: config.lanes }),
      visitService: new VisitService({ visits, events, lists, quotas, prices, feedAt }),
      gateHolds: new GateHoldStore(db),
      cameraClocks,
      feedAt,
      settings: () => this.#settings(),
      lanesOf: (direction) => lanesOf(config, direction),
      hasNoGate: (laneId) => config.lanes.some(({ id, gate }) => id === laneId && gate.kind === 'none'),
    };
    commit.onUndone(() => {
      items.refresh();
      site.passages.refresh();
      this.#prices.refresh();
    });
    this.lanes = new Lanes(site, { lanes: config.lanes, devices, onRelayCommand: options.onRelayCommand });
    this.stays = new SiteStays(site, this.lanes, prices);
    this.paymentRecords = new PaymentRecords(context, this.stays);
    this.retention = this.#createRetention(site, options);
    const takeOver = new VisitTakeOver(context, {
      visits,
      visitService: site.visitService,
      feedAt,
      exitLanes: lanesOf(config, 'exit'),
    });
    const { stays, retention } = this;
    const effects = { stays, prices: this.#prices, retention, takeOver };
    this.feed = new FeedStore(context, cursor, stored, new SiteFeedEffects(site, this.lanes, effects));
    this.#clockCheck = this.#createClockCheck(site, options);
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

  #createRetention({ passages }: LaneSite, { config, deletePictures }: CoreOptions): RetentionRun {
    const { lanes, stays } = this;
    return new RetentionRun(this.context, {
      keep: config.retention,
      deletePictures,
      closeLost: (before, at) => stays.closeLost(before, at),
      onDeleted: () => {
        passages.refresh();
        lanes.refresh();
      },
    });
  }

  /** Null: nothing counts the time apart from the clock. */
  #createClockCheck(
    { passages, visits, visitService }: LaneSite,
    { config, cameraClocks, tick, boot = () => null }: CoreOptions,
  ): ClockCheck | null {
    if (!tick) return null;
    const { lanes } = this;
    const cameraIds = config.cameras.map(({ id }) => id);
    return new ClockCheck(this.context, {
      tick,
      boot,
      visits,
      passages,
      visitService,
      meta: new MetaStore(this.context.db),
      onSet: (byMs) => {
        lanes.shiftClock(byMs);
        cameraClocks.shift(cameraIds, byMs);
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

  /** The site as the cloud describes it; before it has, as the configuration does. */
  site(): SiteItem {
    return this.#lists.site();
  }

  zones(): readonly ZoneItem[] {
    return this.#lists.zones();
  }

  /** The products that are sold here now. */
  products(): readonly Product[] {
    return this.#lists.products(this.#now());
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
}

function lanesOf({ lanes }: Pick<EdgeConfig, 'lanes'>, direction: Direction): string[] {
  return lanes.flatMap((lane) => (lane.direction === direction ? [lane.id] : []));
}
