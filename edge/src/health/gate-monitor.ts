import { HEALTHY, type HealthSignal } from '../config/health-state.ts';
import type { Gate, GateCheck, GateLogin } from '../gate/gate.ts';
import type { LaneStatus } from '../lane/lane-status.ts';
import type { OnvifDevice } from '../onvif/onvif-device.ts';
import type { DeviceHealth } from './device-health.ts';
import { failedMovement, gateSignal, loginSignal, mendedSignal, onvifSignal } from './health-signals.ts';

/** Reports the health of gates: by their last movements, and by our logins at their devices. */
export class GateMonitor {
  readonly #parts: GateMonitorParts;
  /** The result of each gate's last movement; a gate that has not moved yet has none. */
  readonly #movements = new Map<string, HealthSignal>();
  /** The result of a check since then. */
  readonly #checks = new Map<string, HealthSignal>();
  #checkedAtMs = 0;
  #unsubscribe: (() => void) | undefined;

  constructor(parts: GateMonitorParts) {
    this.#parts = parts;
  }

  start(): void {
    this.#unsubscribe = this.#parts.board.subscribe((update) => {
      const signal = 'gate' in update ? gateSignal(update.gate) : null;
      if (signal === null) return;
      this.#movements.set(update.laneId, signal);
      this.#checks.delete(update.laneId);
      this.#parts.devices.report({ kind: 'gate', id: update.laneId }, 'check', null);
      if (signal !== HEALTHY) this.#parts.onFailure();
    });
  }

  stop(): void {
    this.#unsubscribe?.();
  }

  /**
   * Notes what a check has shown; the gate has not moved. A device that answers, and accepts our login, loses the alarm
   * of a failed movement, also of a refused one: it may have been corrected, and the next movement shows whether it
   * was. One that only accepts connections has answered nothing: it loses the alarm that it could not be reached, and
   * no other.
   */
  noteCheck(laneId: string, outcome: GateCheck): void {
    if (outcome === 'refused') return;
    const isReached = outcome === 'done' || outcome === 'connected';
    this.#checks.set(laneId, isReached ? HEALTHY : NOT_REACHED);
    if (!isReached || (outcome === 'connected' && !this.#isCuredByConnection(laneId))) return;
    this.#movements.delete(laneId);
    this.#parts.devices.report({ kind: 'gate', id: laneId }, 'movement', null);
    this.#parts.onReached(laneId);
  }

  /**
   * A gate may have been repaired since a movement without an answer. Reaching its device checks this and
   * moves nothing.
   */
  #checkFailed(): void {
    const now = performance.now();
    if (now - this.#checkedAtMs < RECHECK_EVERY_MS) return;
    this.#checkedAtMs = now;
    for (const [id, check] of this.#parts.checks) {
      if (this.#wasNotReached(id)) void check().then((outcome) => this.noteCheck(id, outcome));
    }
  }

  #isCuredByConnection(laneId: string): boolean {
    const failed = this.#movements.get(laneId);
    return failed === undefined || failed === HEALTHY || failed.detail === failedMovement('unreachable');
  }

  #wasNotReached(laneId: string): boolean {
    const detail = this.#movements.get(laneId)?.detail;
    return detail === failedMovement('unreachable') || detail === failedMovement('unknown');
  }

  check(): void {
    const { devices, onvif, problems, logins } = this.#parts;
    this.#checkFailed();
    for (const [id, signal] of this.#movements) devices.report({ kind: 'gate', id }, 'movement', signal);
    for (const [id, signal] of this.#checks) devices.report({ kind: 'gate', id }, 'check', signal);
    for (const [id, device] of onvif) {
      const gate = { kind: 'gate', id } as const;
      const state = device.state();
      devices.report(gate, 'onvif', onvifSignal(state));
      devices.report(gate, 'speech', mendedSignal(device.mended()));
      // The refused login is the reason for the failed movement.
      if (state.state === 'login-refused') devices.report(gate, 'movement', null);
    }
    for (const [id, problem] of problems) {
      const detail = problem();
      const signal = detail === null ? null : ({ state: 'failing', detail } as const);
      devices.report({ kind: 'gate', id }, 'relay', signal);
    }
    for (const [id, login] of logins) {
      const gate = { kind: 'gate', id } as const;
      const state = login.state();
      devices.report(gate, 'login', loginSignal(state));
      if (state !== 'refused') continue;
      this.#movements.delete(id);
      devices.report(gate, 'movement', null);
    }
  }
}

const RECHECK_EVERY_MS = 30_000;
const NOT_REACHED: HealthSignal = { state: 'unreachable', detail: 'it could not be reached' };

interface GateMonitorParts {
  devices: Pick<DeviceHealth, 'report'>;
  board: Pick<LaneStatus, 'subscribe'>;
  /** The ONVIF devices by lane. */
  onvif: ReadonlyMap<string, OnvifDevice>;
  /** The logins of the gates with drivers that log in by themselves. */
  logins: ReadonlyMap<string, GateLogin>;
  /** The problems by lane that keep a gate from moving though its device answers. */
  problems: ReadonlyMap<string, NonNullable<Gate['problem']>>;
  /** The checks by lane: each connects to the gate's device, and moves nothing. */
  checks: ReadonlyMap<string, NonNullable<Gate['check']>>;
  /** The device of a lane's gate was reached, and nothing has moved. */
  onReached: (laneId: string) => void;
  /** A gate has not moved as commanded: a car stands before it. */
  onFailure: () => void;
}
