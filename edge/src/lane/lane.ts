import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { StoredReads } from '@hlid/protocol/camera/camera-format';
import type { CameraDocument, PlateRead } from '@hlid/protocol/plate/plate-read';
import { visitInDoubt } from '@hlid/protocol/records/decision';
import type { Direction } from '@hlid/protocol/records/lane';
import type { ReadStanding } from '@hlid/protocol/records/passage';
import { LOG_EVENTS } from '../base/events.ts';
import type { CameraConfig, LaneConfig } from '../config/config.ts';
import {
  LaneDisplay,
  type PayStatus,
  type ShownDebt,
  type Standing,
  type VisitQuestion,
  visitQuestion,
} from '../display/lane-display.ts';
import type { Gate } from '../gate/gate.ts';
import { GateController, type GateListener } from '../gate/gate-controller.ts';
import { LaneLoops, type LoopSources } from '../loop/lane-loops.ts';
import { PassageRecorder } from '../passage/passage-recorder.ts';
import { markWanted, mayNotHaveLeft, type Passage } from '../passage/passage-store.ts';
import { ShownPassages } from '../passage/passage-view.ts';
import { DepartedPassages } from './departed-passages.ts';
import { ExitFallback } from './exit-fallback.ts';
import { signsOf } from './exit-timeout.ts';
import type { UndecidedVehicle } from './fail-open.ts';
import { LaneDecisions } from './lane-decisions.ts';
import type { LaneOutcome } from './lane-outcome.ts';
import { LanePassages, type ReadOutcome } from './lane-passages.ts';
import type { LaneSite } from './lane-site.ts';
import type { LaneUpdate, LaneView, ReadView } from './lane-status.ts';
import { LoopHandler } from './loop-handler.ts';
import { openingFor } from './opening.ts';

/** What a lane reports to the site. */
export interface LaneListener {
  update(update: LaneUpdate): void;
  /** A car was seen here, so it waits at no other lane any more. */
  carSeen(laneId: string): void;
  /** The gate got the command to open, this long after the camera's document that caused it. */
  relayCommanded(sinceDocumentMs: number): void;
}

/** The devices of a lane, besides its cameras. */
export interface LaneDevices {
  gate: Gate;
  loops: LoopSources;
}

/** A read of a document, with what it is good for. */
interface JudgedRead {
  read: PlateRead;
  standing: ReadStanding;
}

const GROUP_IS_LATE =
  'a group, sent when the vehicle has passed: it corrects the plate and opens nothing, unless opensOnGroup is set';

/**
 * One lane, with its gate, loops, display and all that waits there. A camera reads a plate; the reads of one vehicle
 * are a passage; the passage is decided; the visit begins or ends; the event log takes it to the cloud; once that is on
 * the disk, the gate opens. Where any of it fails, an exit opens all the same.
 */
export class Lane {
  readonly id: string;
  readonly direction: Direction;
  readonly gate: GateController;
  readonly #config: LaneConfig;
  readonly #site: LaneSite;
  readonly #listener: LaneListener;
  readonly #loops: LaneLoops;
  readonly #display: LaneDisplay;
  readonly #passages: LanePassages;
  readonly #decisions: LaneDecisions;
  readonly #fallback: ExitFallback;
  readonly #loopHandler: LoopHandler;
  readonly #recorder: PassageRecorder;
  readonly #departed = new DepartedPassages();
  readonly #shown = new ShownPassages();
  /** When the documents under way came, by `performance.now()`. */
  readonly #underWay: number[] = [];

  constructor(
    site: LaneSite,
    options: { lane: LaneConfig; devices: LaneDevices; pays: PayStatus; listener: LaneListener },
  ) {
    const { lane, devices, listener } = options;
    const { clock } = site;
    this.id = lane.id;
    this.direction = lane.direction;
    this.#config = lane;
    this.#site = site;
    this.#listener = listener;
    this.#recorder = new PassageRecorder(lane, site);
    this.#display = new LaneDisplay({
      clock,
      settings: () => site.settings(),
      pays: options.pays,
      standing: () => this.#standing(),
      onHelpNeeded: lane.direction === 'exit' ? (passageId) => this.#askForHelp(passageId) : null,
      onChanged: (instruction) => listener.update({ laneId: this.id, instruction }),
    });
    this.gate = new GateController(site, {
      lane,
      gate: devices.gate,
      holds: site.gateHolds,
      listener: this.#gateListener(),
    });
    this.#loops = new LaneLoops({
      clock,
      sources: devices.loops,
      heldOpen: () => this.gate.mode() === 'held-open',
      onOutcome: (outcome) => this.#loopHandler.handle(outcome),
    });
    const parts = {
      lane,
      site,
      gate: this.gate,
      loops: this.#loops,
      display: this.#display,
      recorder: this.#recorder,
      departed: this.#departed,
    };
    const actions = {
      run: (work: () => LaneOutcome | null) => this.#run(work),
      act: (outcome: LaneOutcome) => this.act(outcome),
      instruct: (passage: Passage) => this.#instruct(passage),
      logFailure: (err: unknown) => this.#logFailure(err),
    };
    const decisions = new LaneDecisions(parts);
    this.#decisions = decisions;
    this.#passages = new LanePassages(parts, decisions);
    this.#fallback = new ExitFallback(parts, decisions, actions);
    this.#loopHandler = new LoopHandler(parts, decisions, this.#passages, this.#fallback, actions);
  }

  start(): void {
    this.gate.start();
  }

  /** Ends all timers. */
  stop(): void {
    this.#fallback.stop();
    this.#display.stop();
    this.#loops.stop();
    this.gate.stop();
  }

  /**
   * A camera's document with reads of this lane: stores and decides, and moves the gate when that is on the disk.
   * Rejects where it could not be stored; the gate of an exit opens all the same.
   */
  async handle(
    camera: CameraConfig,
    { reads, summary }: Pick<CameraDocument, 'reads' | 'summary'>,
    receivedAt: Date,
  ): Promise<StoredReads> {
    const started = performance.now();
    this.#underWay.push(started);
    try {
      const at = utcTime(receivedAt);
      const judged = reads.map((read) => ({ read, standing: this.#standingOf(read, camera, at) }));
      const counting = judged.filter(({ standing }) => standing === 'counts').map(({ read }) => read);
      const vehicle = counting.length > 0 ? { ...signsOf(counting), seenAtMs: receivedAt.getTime() } : null;
      const outcomes = await this.#decide(judged, counting, vehicle, camera, at);
      for (const outcome of outcomes) this.#follow(outcome, vehicle);
      this.#showReads(camera, judged, outcomes, summary === true, at);
      const repeated = outcomes.filter((outcome) => outcome.repeated).length;
      return { stored: outcomes.length - repeated, repeated };
    } finally {
      this.#underWay.splice(this.#underWay.indexOf(started), 1);
    }
  }

  /** Acts on an outcome that is on the disk: moves the gate, and shows it to the driver and to people. */
  act({ passage, opening }: LaneOutcome): void {
    if (passage) {
      this.#fallback.ended();
      this.#fallback.wentOn(passage.id);
      this.#showPassage(passage);
      this.#instruct(passage);
      this.#listener.carSeen(this.id);
      this.#loopHandler.carSeen(passage.id);
    }
    if (opening) {
      void this.gate.open(opening).then((outcome) => this.#fallback.opened(opening.passageId, outcome));
    }
  }

  /** The car that waits at the closed gate; null: none does. */
  carAtGate(at: UtcTime): Passage | null {
    return this.#passages.carAtGate(at);
  }

  /** Whether another car than that one stands here by now, or it has gone. */
  isStale(passageId: string): boolean {
    return this.#passages.isStale(passageId);
  }

  /** Decides again on the car that waits at this exit, within the running transaction. */
  reconsider(at: UtcTime): LaneOutcome | null {
    return this.#passages.reconsider(at);
  }

  /** The car that waits at this exit for a visit that may not be its own. */
  inDoubt(at: UtcTime): Passage | null {
    return this.#passages.inDoubt(at);
  }

  /** Its driver denies the visit, within the running transaction. */
  disown(visitId: string, typed: string, at: UtcTime): LaneOutcome | null {
    return this.#passages.disown(visitId, typed, at);
  }

  view(): LaneView {
    const { id, name, direction } = this.#config;
    const passages = this.#shown.all();
    return { id, name, direction, gate: this.gate.view(), passages, instruction: this.#display.view() };
  }

  showRead(read: ReadView): void {
    this.#listener.update({ laneId: this.id, read });
  }

  /** Shows the passages as the database has them now. */
  refresh(): void {
    this.#shown.replace(this.#site.passages.recent(this.id));
  }

  /**
   * Resumes after a restart: shows the driver who waits the instruction again, and opens again if the gate
   * may not have opened.
   */
  resume(): void {
    const waiting = this.#passages.waiting(this.#now());
    if (waiting) this.#instruct(waiting);
    // From an entrance a car can turn away.
    if (this.direction === 'entry') return;
    const undecided = this.#passages.undecided(this.#now());
    if (undecided) this.#fallback.seen(signsOf([undecided.read]), undecided);
    const opened = this.#passages.lastOpened(this.#now());
    if (!opened) return;
    this.#fallback.resume(opened);
    if (opened.gate !== 'done') this.#instruct(opened);
  }

  /** The car that waits here may have been seen at another lane. */
  clearMovedOn(): void {
    const [latest] = this.#site.passages.recent(this.id);
    if (latest && mayNotHaveLeft(latest) && this.#site.passages.movedOn(latest)) this.#display.cleared();
  }

  /** Whether a driver may stand here who reads the display. */
  #standing(): Standing {
    try {
      if (this.#loops.arrival() === true || this.#fallback.doubtsOpening()) return 'waits';
      if (this.direction === 'entry') return 'gone';
      if (this.#passages.waiting(this.#now())) return 'waits';
      return this.#passages.mayStandHere() ? 'perhaps' : 'gone';
    } catch {
      return 'perhaps';
    }
  }

  /** The ways to pay have changed. */
  updateDisplay(): void {
    this.#display.update();
  }

  /** Shifts the times by a change of the clock. */
  shiftClock(byMs: number): void {
    this.#fallback.shift(byMs);
    this.#loops.shift(byMs);
    this.#loopHandler.shift(byMs);
    this.#departed.shift(byMs);
  }

  #now(): UtcTime {
    return utcTime(this.#site.clock.now());
  }

  /** Works in a transaction without a waiting caller, and acts on the outcome. */
  #run(work: () => LaneOutcome | null): void {
    this.#site.commit
      .run(work)
      .then((outcome) => outcome && this.act(outcome))
      .catch((err: unknown) => this.#logFailure(err));
  }

  #logFailure(err: unknown): void {
    this.#site.log.error({ event: LOG_EVENTS.laneFailed, laneId: this.id, reason: messageOf(err), err });
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
    const waitedBefore = this.#fallback.waits();
    if (vehicle) this.#fallback.seen(vehicle);
    try {
      const outcomes = await this.#site.commit.run(() =>
        judged.map(({ read, standing }) => this.#passages.pass(read, standing, camera, at)),
      );
      const decided = outcomes.some(({ passage }) => passage !== null);
      // A repeated document proves nothing about the car that waits there now.
      if (decided || (vehicle && !waitedBefore)) this.#fallback.ended();
      return outcomes;
    } catch (error) {
      this.#logFailure(error);
      const opens = this.direction === 'exit' || this.#wouldAdmit(counting, camera, at);
      if (vehicle && opens) this.#fallback.failOpen(vehicle);
      throw error;
    }
  }

  /** Without a disk to write to, an entrance still opens for whom the rules admit, as far as they can be read. */
  #wouldAdmit(reads: readonly PlateRead[], camera: CameraConfig, at: UtcTime): boolean {
    try {
      return reads.some((read) => this.#passages.wouldAdmit(read, camera, at));
    } catch {
      return false;
    }
  }

  #follow(outcome: ReadOutcome, vehicle: UndecidedVehicle | null): void {
    const { unread, leftEarlier, heldBack } = outcome;
    if (unread) this.#fallback.seen(signsOf([unread.read]), unread);
    if (leftEarlier) this.#showPassage(leftEarlier);
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

  #showPassage(passage: Passage): void {
    this.#listener.update({ laneId: this.id, passage: this.#shown.show(passage) });
  }

  /** Shows the driver what was decided, for as long as he may stand there. */
  #instruct(passage: Passage): void {
    const { id, decision } = passage;
    const waits = this.direction === 'exit' && !decision.open;
    const waitsMs = waits ? this.#site.settings().exitWaitMinutes * MINUTE_MS : null;
    this.#display.decided(id, decision, waitsMs, this.#questionOf(passage), this.#debtOf(passage));
  }

  /** What the driver who is kept has to pay. */
  #debtOf({ plate, visitId, decision }: Passage): ShownDebt | null {
    if (decision.reason !== 'need-payment' || visitId === null) return null;
    return { plate, price: this.#site.visits.get(visitId)?.price ?? null };
  }

  /** Requests help on site for a driver who has no number to call. */
  #askForHelp(passageId: string): void {
    const { passages } = this.#site;
    this.#run(() => {
      this.#recorder.alert('needs-help', passages.get(passageId) ?? null, this.#now());
      return null;
    });
  }

  /** The visit for which a car is kept in doubt. */
  #questionOf({ plate, decision }: Passage): VisitQuestion | null {
    const visitId = visitInDoubt(decision);
    const visit = visitId === null ? undefined : this.#site.visits.get(visitId);
    return visit ? visitQuestion(visit, plate) : null;
  }

  #gateListener(): GateListener {
    const { passages, visitService } = this.#site;
    return {
      viewChanged: (gate) => {
        this.#listener.update({ laneId: this.id, gate });
        this.#display.gate(gate);
      },
      opening: (passageId) => {
        const [started] = this.#underWay;
        if (started !== undefined) this.#listener.relayCommanded(performance.now() - started);
        this.#loops.opening(passageId);
      },
      answered: (passageId, outcome) => {
        if (outcome === 'refused' || outcome === 'unreachable') this.#loops.notOpened(passageId);
      },
      moved: ({ passageId, by }, outcome, at) => {
        const passage = passageId === null ? undefined : passages.get(passageId);
        if (!passage) return;
        passages.saveGate(passage, outcome);
        this.#showPassage({ ...passage, gate: outcome });
        const context = { at, by, reason: `gate: ${outcome}` };
        visitService.setFlag(passage.visitId, 'gate-unconfirmed', outcome !== 'done', context);
      },
      manuallyOpened: (at, outcome, passageId) => {
        if (outcome === 'done') this.#fallback.openedByPerson();
        const passage = this.#passages.onManualOpen(at, outcome, passageId);
        if (passage) this.act({ passage, opening: null, repeated: false });
        return passage?.id ?? null;
      },
      reopened: (closedSince) => this.#run(() => this.#passages.reopen(closedSince, this.#now())),
      mayRepeat: ({ passageId }, at) => {
        const passage = passageId === null ? undefined : passages.get(passageId);
        // The device was asked for two reads at once: one of them gets the opening.
        if (!passage || openingFor(passage, at, this.#decisions.laneNow()) !== 'in-doubt') return false;
        passages.save(markWanted(passage, at));
        return true;
      },
    };
  }
}
