import { newId } from '@hlid/node/new-id';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { KioskState } from '@hlid/protocol/rules/ways-to-pay';
import type { LaneConfig } from '../config/config.ts';
import type { Passage } from '../passage/passage-store.ts';
import { Lane } from './lane.ts';
import type { LaneDevices } from './lane-devices.ts';
import type { LaneOutcome } from './lane-outcome.ts';
import type { LaneSite } from './lane-site.ts';
import type { LaneStatus, LaneUpdate, LaneView } from './lane-status.ts';

/** The lanes of a site: what concerns all of them, or the one that an outcome belongs to. */
export class Lanes implements LaneStatus {
  readonly #site: LaneSite;
  readonly #lanes: ReadonlyMap<string, Lane>;
  readonly #listeners = new Set<(update: LaneUpdate) => void>();
  #kiosk: KioskState = 'none';
  #isOnlineOff = false;
  #hasCloud = false;

  constructor(
    site: LaneSite,
    options: {
      lanes: readonly LaneConfig[];
      devices: ReadonlyMap<string, LaneDevices>;
      onRelayCommand?: ((sinceDocumentMs: number) => void) | undefined;
    },
  ) {
    this.#site = site;
    const listener = {
      update: (update: LaneUpdate) => this.#publish(update),
      carSeen: (laneId: string) => this.#clearMovedOn(laneId),
      relayCommanded: options.onRelayCommand ?? (() => undefined),
    };
    const pays = { kiosk: () => this.#kiosk, hasCloud: () => this.#hasCloud };
    this.#lanes = new Map(
      options.lanes.map((lane) => {
        const devices = options.devices.get(lane.id);
        if (!devices) throw new RangeError(`no devices of lane ${lane.id}`);
        return [lane.id, new Lane(site, { lane, devices, pays, listener })];
      }),
    );
  }

  /** Restores from the database what was under way when the program ended. */
  restore(): void {
    this.#storeUnanswered();
    for (const lane of this.#lanes.values()) {
      lane.refresh();
      lane.resume();
    }
  }

  start(): void {
    for (const lane of this.#lanes.values()) lane.start();
  }

  /** Ends all timers. */
  stop(): void {
    for (const lane of this.#lanes.values()) lane.stop();
  }

  /** Leaves the gates' devices as they should be without us. */
  async release(): Promise<void> {
    await Promise.all(this.all().map(({ gate }) => gate.release()));
  }

  get(laneId: string): Lane | undefined {
    return this.#lanes.get(laneId);
  }

  all(): Lane[] {
    return [...this.#lanes.values()];
  }

  /** The lanes that have a gate. */
  gated(): Lane[] {
    return this.all().filter(({ gate }) => gate.mode() !== 'none');
  }

  lanes(): LaneView[] {
    return this.all().map((lane) => lane.view());
  }

  subscribe(listener: (update: LaneUpdate) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** Shows the passages as the database has them now: some were forgotten, or their plates. */
  refresh(): void {
    for (const lane of this.#lanes.values()) lane.refresh();
  }

  /** Decides again on every car that waits at an exit, within the running transaction. */
  reconsider(at: UtcTime): LaneOutcome[] {
    return this.all().flatMap((lane) => lane.cars.reconsider(at) ?? []);
  }

  /** Passages of cars that wait at closed exits. */
  waiting(at: UtcTime): Passage[] {
    return this.all().flatMap((lane) => lane.cars.waitingAtExit(at) ?? []);
  }

  /** Passages of cars that wait at exits for visits that may not be their own. */
  inDoubt(at: UtcTime): Passage[] {
    return this.all().flatMap((lane) => lane.cars.inDoubt(at) ?? []);
  }

  /** The driver of one of them denies the visit, within the running transaction. */
  disown(visitId: string, typed: string, at: UtcTime): LaneOutcome[] {
    return this.all().flatMap((lane) => lane.cars.disown(visitId, typed, at) ?? []);
  }

  /** Moves the gates for outcomes that are on the disk. */
  act(outcomes: readonly LaneOutcome[]): void {
    for (const outcome of outcomes) {
      const laneId = outcome.passage?.laneId ?? outcome.opening?.laneId;
      if (laneId !== undefined) this.#lanes.get(laneId)?.act(outcome);
    }
  }

  /** A driver can pay at the kiosk now, or no longer. */
  setKiosk(kiosk: KioskState): void {
    if (kiosk === this.#kiosk) return;
    this.#kiosk = kiosk;
    for (const lane of this.#lanes.values()) lane.updateDisplay();
  }

  /** The cloud's payment page takes no cards now, or takes them again: drivers are sent there no longer, or again. */
  setOnlineOff(isOff: boolean): void {
    if (isOff === this.#isOnlineOff) return;
    this.#isOnlineOff = isOff;
    for (const lane of this.#lanes.values()) lane.updateDisplay();
  }

  /** The cloud can pass on payments by phone now, or no longer. */
  setCloud(isConnected: boolean): void {
    if (isConnected === this.#hasCloud) return;
    this.#hasCloud = isConnected;
    for (const lane of this.#lanes.values()) lane.updateDisplay();
  }

  /** Shifts the times by a change of the clock. */
  shiftClock(byMs: number): void {
    for (const lane of this.#lanes.values()) lane.shiftClock(byMs);
  }

  #publish(update: LaneUpdate): void {
    for (const listener of this.#listeners) listener(update);
  }

  /** A car that waited at another exit, and was seen here now, does not wait there any more. */
  #clearMovedOn(laneId: string): void {
    for (const lane of this.#lanes.values()) {
      if (lane.id !== laneId && lane.direction === 'exit') lane.clearMovedOn();
    }
  }

  /** Records gates that were to open when the program ended: it is unknown whether they did. */
  #storeUnanswered(): void {
    const { commit, events, passages, visitService, clock } = this.#site;
    const at = utcTime(clock.now());
    commit.runNow(() => {
      for (const passage of passages.wanted()) {
        const { id: passageId, laneId, visitId } = passage;
        const by = `lane:${laneId}`;
        const movement = { action: 'pulse', outcome: 'unknown', by, reason: 'restart', tookMs: 0 } as const;
        passages.saveGate(passage, 'unknown');
        events.append({ type: 'gate.moved', movementId: newId(), laneId, passageId, ...movement }, at);
        visitService.setFlag(visitId, 'gate-unconfirmed', true, { at, by, reason: 'gate: unknown' });
      }
    });
  }
}
