import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { StoredReads } from '@hlid/protocol/camera/camera-format';
import type { CameraDocument, PlateRead } from '@hlid/protocol/plate/plate-read';
import type { Direction } from '@hlid/protocol/records/lane';
import type { ReadStanding } from '@hlid/protocol/records/passage';
import type { CameraConfig, LaneConfig } from '../config/config.ts';
import type { PayStatus } from '../display/lane-display.ts';
import { GateController } from '../gate/gate-controller.ts';
import type { LaneGate } from '../gate/lane-gate.ts';
import { NoGate } from '../gate/no-gate.ts';
import { LaneLoops } from '../loop/lane-loops.ts';
import { mayNotHaveLeft } from '../passage/passage-store.ts';
import { CarsAtGate } from './cars-at-gate.ts';
import { ExitFallback } from './exit-fallback.ts';
import { signsOf } from './exit-timeout.ts';
import type { UndecidedVehicle } from './fail-open.ts';
import { GateMovements } from './gate-movements.ts';
import { LaneDecisions } from './lane-decisions.ts';
import type { LaneDevices } from './lane-devices.ts';
import type { LaneOutcome } from './lane-outcome.ts';
import { LaneOutput } from './lane-output.ts';
import { LanePassages, type ReadOutcome } from './lane-passages.ts';
import type { LaneContext, LaneSite } from './lane-site.ts';
import type { LaneListener, LaneView, ReadView } from './lane-status.ts';
import { LoopHandler } from './loop-handler.ts';

/** A read of a document, with what it is good for. */
interface JudgedRead {
  read: PlateRead;
  standing: ReadStanding;
}

const GROUP_IS_LATE =
  'a group, sent when the vehicle has passed: it corrects the plate and opens nothing, unless opensOnGroup is set';

/**
 * One lane, with its gate, loops, display and the cars that wait there. A camera reads a plate; the reads of
 * one vehicle are a passage. The lane decides the passage, and the visit begins or ends. Once this and its
 * event for the cloud are on the disk, the gate opens. If any step fails, an exit opens all the same.
 */
export class Lane {
  readonly id: string;
  readonly direction: Direction;
  readonly gate: LaneGate;
  readonly cars: CarsAtGate;
  readonly #context: LaneContext;
  readonly #listener: LaneListener;
  readonly #passages: LanePassages;
  readonly #output: LaneOutput;
  readonly #movements: GateMovements;
  readonly #fallback: ExitFallback;
  readonly #loopHandler: LoopHandler;

  constructor(
    site: LaneSite,
    {
      lane,
      devices,
      ...people
    }: {
      lane: LaneConfig;
      devices: LaneDevices;
      pays: PayStatus;
      listener: LaneListener;
    },
  ) {
    const gate =
      devices.gate === null
        ? new NoGate(site, lane.id, site.gateHolds)
        : new GateController(site, lane, devices.gate, site.gateHolds);
    const context = { ...site, lane, gate, loops: new LaneLoops(site.clock, devices.loops, gate) };
    const decisions = new LaneDecisions(context);
    const cars = new CarsAtGate(context, decisions);
    const output = new LaneOutput(context, cars, decisions, people);
    this.id = lane.id;
    this.direction = lane.direction;
    this.gate = gate;
    this.cars = cars;
    this.#context = context;
    this.#listener = people.listener;
    this.#passages = new LanePassages(context, cars, decisions);
    this.#output = output;
    this.#movements = new GateMovements(context, cars, decisions, output, people.listener);
    this.#fallback = new ExitFallback(context, decisions, output);
    this.#loopHandler = new LoopHandler(context, cars, decisions, output);
  }

  start(): void {
    this.gate.start();
  }

  /** Ends all timers. */
  stop(): void {
    this.#fallback.stop();
    this.#output.stop();
    this.#context.loops.stop();
    this.gate.stop();
  }

  /**
   * A camera's document with reads of this lane: stores and decides, and moves the gate when that is on the disk.
   * Rejects where it could not be stored; the gate of an exit opens all the same.
   */
  handle(
    camera: CameraConfig,
    document: Pick<CameraDocument, 'reads' | 'summary'>,
    receivedAt: Date,
  ): Promise<StoredReads> {
    return this.#movements.measure(async () => {
      const at = utcTime(receivedAt);
      const judged = document.reads.map((read) => ({ read, standing: this.#standingOf(read, camera, at) }));
      const counting = judged.filter(({ standing }) => standing === 'counts').map(({ read }) => read);
      const vehicle = counting.length > 0 ? { ...signsOf(counting), seenAtMs: receivedAt.getTime() } : null;
      const outcomes = await this.#decide(judged, counting, vehicle, camera, at);
      for (const outcome of outcomes) this.#follow(outcome, vehicle);
      this.#showReads(camera, judged, outcomes, document.summary === true, at);
      const repeated = outcomes.filter((outcome) => outcome.repeated).length;
      return { stored: outcomes.length - repeated, repeated };
    });
  }

  /** Acts on an outcome that is on the disk: moves the gate, and shows it to the driver and to people. */
  act(outcome: LaneOutcome): void {
    this.#output.act(outcome);
  }

  view(): LaneView {
    const { id, name, direction } = this.#context.lane;
    const { shown, display } = this.#output;
    return {
      id,
      name,
      direction,
      gate: this.gate.view(),
      passages: shown.all(),
      instruction: display.view(),
    };
  }

  showRead(read: ReadView): void {
    this.#listener.update({ laneId: this.id, read });
  }

  /** Shows the passages as the database has them now. */
  refresh(): void {
    this.#output.shown.replace(this.#context.passages.recent(this.id));
  }

  /**
   * Resumes after a restart: shows the driver who waits the instruction again, and opens again if the gate
   * may not have opened.
   */
  resume(): void {
    // From an entrance a car can turn away.
    if (this.direction === 'entry') return;
    const at = utcTime(this.#context.clock.now());
    const waiting = this.cars.waiting(at);
    if (waiting) this.#output.instruct(waiting);
    const undecided = this.cars.undecided(at);
    if (undecided) this.#output.timeout.seen(signsOf([undecided.read]), undecided);
    const opened = this.cars.lastOpened(at);
    if (opened) this.#output.resume(opened);
  }

  /** The car that waits here may have been seen at another lane. */
  clearMovedOn(): void {
    const latest = this.cars.newest();
    if (latest && mayNotHaveLeft(latest) && this.#context.passages.movedOn(latest))
      this.#output.display.cleared();
  }

  /** The ways to pay have changed. */
  updateDisplay(): void {
    this.#output.display.update();
  }

  /** Shifts the times by a change of the clock. */
  shiftClock(byMs: number): void {
    this.#output.timeout.shift(byMs);
    this.#context.loops.shift(byMs);
    this.#loopHandler.shift(byMs);
    this.cars.shift(byMs);
  }

  /** Whether a vehicle is there that is to be decided on; where that cannot be judged, rather so. */
  #standingOf(read: PlateRead, camera: CameraConfig, at: UtcTime): ReadStanding {
    try {
      return this.#passages.judge(read, camera, at);
    } catch {
      return read.late ? 'late' : read.parked ? 'parked' : 'counts';
    }
  }

  /** Stores and decides on the reads; until then the time of an exit runs. */
  async #decide(
    judged: readonly JudgedRead[],
    counting: readonly PlateRead[],
    vehicle: UndecidedVehicle | null,
    camera: CameraConfig,
    at: UtcTime,
  ): Promise<ReadOutcome[]> {
    const { timeout } = this.#output;
    const waitedBefore = timeout.waits();
    if (vehicle) timeout.seen(vehicle);
    try {
      const outcomes = await this.#context.commit.run(() =>
        judged.map(({ read, standing }) => this.#passages.pass(read, standing, camera, at)),
      );
      const decided = outcomes.some(({ passage }) => passage !== null);
      // A repeated document proves nothing about the car that waits there now.
      if (decided || (vehicle && !waitedBefore)) timeout.ended();
      return outcomes;
    } catch (error) {
      this.#output.logFailure(error);
      const opens = this.direction === 'exit' || this.#wouldAdmit(counting, camera, at);
      if (vehicle && opens) this.#fallback.failOpen(vehicle);
      throw error;
    }
  }

  /**
   * Whether an entrance may open without a disk to write to: for cars that the rules admit, as far as they
   * can be read.
   */
  #wouldAdmit(reads: readonly PlateRead[], camera: CameraConfig, at: UtcTime): boolean {
    try {
      return reads.some((read) => this.#passages.wouldAdmit(read, camera, at));
    } catch {
      return false;
    }
  }

  #follow(outcome: ReadOutcome, vehicle: UndecidedVehicle | null): void {
    const { unread, leftEarlier, heldBack } = outcome;
    if (unread) this.#output.timeout.seen(signsOf([unread.read]), unread);
    if (leftEarlier) this.#output.show(leftEarlier);
    if (heldBack) this.#loopHandler.holdBack(heldBack);
    this.#fallback.act(outcome, vehicle);
  }

  #showReads(
    camera: CameraConfig,
    judged: readonly JudgedRead[],
    outcomes: readonly ReadOutcome[],
    summary: boolean,
    at: UtcTime,
  ): void {
    for (const [index, { read, standing: atFirst }] of judged.entries()) {
      const { plate, score } = read;
      const outcome = outcomes[index];
      const standing = outcome?.heldBack ? 'held-back' : outcome?.stands ? 'parked' : atFirst;
      if (outcome?.repeated) continue;
      const reason = summary && standing === 'late' ? GROUP_IS_LATE : null;
      this.showRead({ cameraId: camera.id, at, plate, score, standing, reason });
    }
  }
}
