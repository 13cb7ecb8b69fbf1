import { newId } from '@hlid/node/new-id';
import { pause } from '@hlid/node/pause';
import { RetryPause } from '@hlid/node/retry-pause';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { GateMode } from '@hlid/protocol/base/statuses';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { GateReason } from '@hlid/protocol/records/gate-reason';
import type { GateAction, GateOutcome } from '@hlid/protocol/site-link/site-event';
import { LOG_EVENTS } from '../base/events.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { Gate } from './gate.ts';
import type { GateHoldStore } from './gate-hold-store.ts';
import { GateHolds } from './gate-holds.ts';
import type { GateCommand, GateView, HoldCommand } from './gate-mode.ts';
import type { GateListener, LaneGate, Opening } from './lane-gate.ts';

interface GateLane {
  id: string;
  direction: 'entry' | 'exit';
  gateOpenMs?: number | undefined;
  gateToggles?: boolean | undefined;
}

/** Movements that could not be stored are kept for later, the newest of them. */
const MAX_UNSTORED = 1000;
/** How long a gate stands open after a pulse, where its device does not report it. */
const OPEN_FOR_MS = 6000;
const REPORT_RETRY = { firstMs: 2000, maxMs: MINUTE_MS };
/** Any gate that was commanded to open has come to rest by then: one that a second command closes opens again. */
const AT_REST_AFTER_MS = 30_000;

type Position = Pick<GateView, 'state' | 'since' | 'lastError'>;

/** Moves one gate, for its lane and for people, and stores each movement. */
export class GateController implements LaneGate {
  readonly #context: EdgeContext;
  readonly #laneId: string;
  readonly #gate: Gate;
  readonly #holds: GateHolds;
  readonly #openForMs: number;
  readonly #repeats: 'blindly' | 'at-rest' | 'if-closed';
  readonly #startedAt: UtcTime;
  readonly #stopping = new AbortController();
  readonly #unstored: (() => void)[] = [];
  #listener: GateListener | null = null;
  /** The position after the last movement; null: it has not moved since the start. */
  #moved: Position | null = null;
  /** The position that the device reports, as long as it has not moved. */
  #reported: Position | null = null;
  #openUntilMs = 0;
  /** The time of the last command, by `performance.now()`. A new program has no record of earlier ones. */
  #commandedAtMs = performance.now();
  #closing: NodeJS.Timeout | undefined;

  constructor(context: EdgeContext, lane: GateLane, gate: Gate, store: GateHoldStore) {
    this.#context = context;
    this.#laneId = lane.id;
    this.#gate = gate;
    this.#openForMs = lane.gateOpenMs ?? OPEN_FOR_MS;
    // From an entrance a car can turn away; at an exit a lost answer must not trap a car.
    this.#repeats = lane.direction === 'entry' ? 'if-closed' : lane.gateToggles ? 'at-rest' : 'blindly';
    this.#startedAt = this.#now();
    this.#holds = new GateHolds(context, { lane, gate, store });
    this.#holds.listen({
      moved: (command, outcome, tookMs, at) => this.#holdMoved(command, outcome, tookMs, at),
      changed: (answer) => this.#show('closed', this.#errorAfter(answer)),
      reopened: (closedSince) => this.#listener?.reopened(closedSince),
    });
    context.commit.onCommitted(() => this.#storeLate());
  }

  listen(listener: GateListener): void {
    this.#listener = listener;
  }

  /** Restores what people had set, and asks the device how the gate stands until it is known to be closed. */
  start(): void {
    this.#gate.start?.();
    this.#holds.start();
    void this.#askUntilClosed();
  }

  /** Ends the timers; the device stays as it is until `release`. */
  stop(): void {
    this.#holds.stop();
    this.#stopping.abort();
  }

  /** Leaves the device as it should be without us. */
  async release(): Promise<void> {
    await this.#gate.stop?.();
  }

  /** Opens for the lane. Never throws. */
  async open(opening: Opening): Promise<GateOutcome> {
    // A person may have set it meanwhile.
    const mode = this.mode();
    if (mode !== 'automatic') return mode === 'held-open' ? 'done' : 'refused';
    if (opening.inDoubt) {
      const state = (await this.#gate.report?.()) ?? 'unknown';
      if (state === 'open') return await this.#confirmOpen(opening);
      if (!this.#isRepeatable(state) || !(await this.#mayRepeat(opening))) return 'unknown';
    }
    const store = (outcome: GateOutcome, tookMs: number, at: UtcTime) => {
      this.#append({ ...opening, action: 'pulse' }, outcome, tookMs, at);
      this.#listener?.moved(opening, outcome, at);
    };
    return await this.#pulse(opening, store, 'soon');
  }

  /** Executes a person's command; resolves once that is stored. Never throws. */
  async execute(command: GateCommand): Promise<GateOutcome> {
    const { action } = command;
    return action === 'pulse' ? await this.#openFor(command) : await this.#holds.set({ ...command, action });
  }

  view(): GateView {
    const hold = this.#holds.current();
    const unseen = { state: 'unknown', since: hold?.since ?? this.#startedAt, lastError: null } as const;
    const { state, since, lastError } = this.#moved ?? this.#reported ?? unseen;
    const mode = this.mode();
    // A person may open a gate that is kept closed: then that is what is seen.
    const moves = mode === 'kept-closed' && (state === 'open' || state === 'opening');
    return { state: mode === 'automatic' || moves ? state : mode, since, lastError, hold };
  }

  /** Its device takes us in again: what went wrong at its last movement is over. Where the gate stands is not known by that. */
  noteReached(): void {
    if (this.#moved !== null && this.#moved.lastError !== null) this.#show('unknown', null);
  }

  isOpen(): boolean {
    return this.mode() !== 'held-open' && this.#openUntilMs > this.#context.clock.now().getTime();
  }

  mode(): GateMode {
    return this.#holds.mode();
  }

  #now(): UtcTime {
    return utcTime(this.#context.clock.now());
  }

  #manuallyOpened(at: UtcTime, outcome: GateOutcome, meant: string | null): string | null {
    return this.#listener?.manuallyOpened(at, outcome, meant) ?? null;
  }

  /** A person's hold or release was carried out, within the transaction that stores that. */
  #holdMoved(command: HoldCommand, outcome: GateOutcome, tookMs: number, at: UtcTime): void {
    const opened = command.action === 'hold' && outcome === 'done';
    const passageId = opened ? this.#manuallyOpened(at, outcome, command.passageId ?? null) : null;
    const lapsesAt = outcome === 'done' ? (this.#holds.current()?.lapsesAt ?? null) : null;
    this.#append({ ...command, passageId, lapsesAt }, outcome, tookMs, at);
  }

  async #openFor(command: GateCommand): Promise<GateOutcome> {
    const { commit, log } = this.#context;
    const store = (outcome: GateOutcome, tookMs: number, at: UtcTime) => {
      const opened = outcome === 'done' || outcome === 'unknown';
      const { passageId: meant = null } = command;
      const passageId = opened ? this.#manuallyOpened(at, outcome, meant) : null;
      this.#append({ ...command, passageId }, outcome, tookMs, at);
    };
    if (this.mode() !== 'held-open') {
      return await this.#pulse({ reason: command.reason, passageId: null }, store, 'now');
    }
    // It stands open, and a pulse would end that.
    await commit
      .run(() => store('done', 0, this.#now()))
      .catch((err: unknown) => log.error({ event: LOG_EVENTS.gateUnrecorded, laneId: this.#laneId, err }));
    return 'done';
  }

  /** Commands the device to open, shows it, and stores the outcome. */
  async #pulse(
    { reason, passageId }: Pick<Opening, 'reason' | 'passageId'>,
    store: (outcome: GateOutcome, tookMs: number, at: UtcTime) => void,
    when: 'now' | 'soon',
  ): Promise<GateOutcome> {
    const laneId = this.#laneId;
    const { commit, log } = this.#context;
    this.#show('opening', this.#lastError());
    const started = performance.now();
    this.#commandedAtMs = started;
    const answer = this.#gate.pulse();
    this.#listener?.opening(passageId);
    const outcome = await answer;
    const tookMs = Math.round(performance.now() - started);
    this.#showOutcome(outcome);
    this.#listener?.answered(passageId, outcome);
    const at = this.#now();
    log[outcome === 'done' ? 'info' : 'warn']({
      event: LOG_EVENTS.gateMoved,
      laneId,
      outcome,
      reason,
      tookMs,
    });
    try {
      // Should the power fail first, the gate counts as not confirmed, which is true.
      const work = () => store(outcome, tookMs, at);
      await (when === 'now' ? commit.run(work) : commit.runSoon(work));
    } catch (err) {
      log.error({ event: LOG_EVENTS.gateUnrecorded, laneId, err });
      this.#unstored.push(() => store(outcome, tookMs, at));
      if (this.#unstored.length > MAX_UNSTORED) this.#unstored.shift();
    }
    return outcome;
  }

  /** The database works again: stores what the gate did meanwhile. */
  #storeLate(): void {
    if (this.#unstored.length === 0) return;
    const stores = this.#unstored.splice(0);
    this.#context.commit
      .runSoon(() => {
        for (const store of stores) store();
      })
      .catch(() => {
        this.#unstored.unshift(...stores);
      });
  }

  /** The answer was lost, and the device reports that the gate is open: it has done it. */
  async #confirmOpen(opening: Opening): Promise<GateOutcome> {
    const { commit, log } = this.#context;
    this.#showOutcome('done');
    try {
      await commit.runSoon(() => this.#listener?.moved(opening, 'done', this.#now()));
    } catch (err) {
      log.error({ event: LOG_EVENTS.gateUnrecorded, laneId: this.#laneId, err });
    }
    return 'done';
  }

  /** Whether a command without a known answer may be sent once more. */
  #isRepeatable(state: 'closed' | 'unknown'): boolean {
    if (state === 'closed' || this.#repeats === 'blindly') return true;
    return this.#repeats === 'at-rest' && performance.now() - this.#commandedAtMs >= AT_REST_AFTER_MS;
  }

  /** Stored before the command is sent again: what would be lost at a restart is not repeated. */
  async #mayRepeat(opening: Opening): Promise<boolean> {
    const { commit, log } = this.#context;
    try {
      return await commit.run(() => this.#listener?.mayRepeat(opening, this.#now()) ?? false);
    } catch (err) {
      log.error({ event: LOG_EVENTS.gateUnrecorded, laneId: this.#laneId, err });
      return false;
    }
  }

  #show(state: GateView['state'], lastError: string | null): void {
    this.#moved = { state, since: this.#now(), lastError };
    this.#listener?.viewChanged(this.view());
  }

  /** The error of the last command; null: it was answered. */
  #lastError(): string | null {
    return this.#moved?.lastError ?? null;
  }

  /** @param answer null: the device was sent nothing, which shows nothing */
  #errorAfter(answer: GateOutcome | null): string | null {
    if (answer === null) return this.#lastError();
    return answer === 'done' ? null : answer;
  }

  #showOutcome(outcome: GateOutcome): void {
    if (outcome !== 'done') {
      this.#show('unknown', outcome);
      return;
    }
    this.#openUntilMs = this.#context.clock.now().getTime() + this.#openForMs;
    this.#show('open', null);
    clearTimeout(this.#closing);
    this.#closing = setTimeout(() => {
      // The gate counts as closed even if the clock was set back meanwhile.
      this.#openUntilMs = 0;
      // A later command shows more than the end of this opening.
      if (this.#moved?.state === 'open') this.#show('closed', null);
    }, this.#openForMs).unref();
  }

  #append(
    moved: {
      id?: string;
      action: GateAction;
      passageId: string | null;
      by: string;
      reason: string;
      reasonCode?: GateReason | null;
      lapsesAt?: UtcTime | null;
    },
    outcome: GateOutcome,
    tookMs: number,
    at: UtcTime,
  ): void {
    const { id: movementId = newId(), action, passageId, by, reason, reasonCode, lapsesAt } = moved;
    const { events } = this.#context;
    const laneId = this.#laneId;
    const why = { by, reason, ...(reasonCode && { reasonCode }), ...(lapsesAt && { lapsesAt }) };
    events.append({ type: 'gate.moved', movementId, laneId, passageId, action, outcome, ...why, tookMs }, at);
  }

  /**
   * It is unknown what happened to the gate while the program was away: a device that can report is asked.
   */
  async #askUntilClosed(): Promise<void> {
    const { signal } = this.#stopping;
    const between = new RetryPause(REPORT_RETRY);
    while (!signal.aborted) {
      const state = await this.#gate.report?.();
      // A movement since then is newer than the report.
      if (state === undefined || signal.aborted || this.#moved !== null) return;
      if (state !== 'unknown' && this.#reported?.state !== state) {
        this.#reported = { state, since: this.#now(), lastError: null };
        this.#listener?.viewChanged(this.view());
      }
      if (state === 'closed') return;
      await pause(between.nextMs(), { signal, ref: false });
    }
  }
}
