import { withTimeout } from '@hlid/node/with-timeout';
import { messageOf } from '@hlid/protocol/base/fault';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import type {
  CheckedDevice,
  CheckedKind,
  CommandReply,
  DeviceCommand,
  DeviceRefusal,
} from '@hlid/protocol/site-link/commands';
import { PROTOCOL_VERSION } from '@hlid/protocol/site-link/envelope';
import { LOG_EVENTS } from '../base/events.ts';
import { lanesOf } from '../config/camera-lanes.ts';
import type { EdgeConfig } from '../config/config.ts';
import type { FoundDevice } from '../onvif/discover.ts';
import type { Snapshot } from '../onvif/snapshot.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { BringSnapshot } from '../picture/bring-picture.ts';
import type { Snapshots } from '../picture/snapshots.ts';
import type { CommandAge } from './command-age.ts';
import { foundCameras } from './find-cameras.ts';

/** The kiosk's answer to a request for a picture of its screen. */
export type ScreenView =
  | { kind: 'picture'; contentType: string; picture: Uint8Array }
  /** It runs in a browser: the text that it shows. */
  | { kind: 'text'; text: string }
  | { kind: 'away' };

interface DeviceCommandParts {
  config: Pick<EdgeConfig, 'cameras' | 'lanes'>;
  snapshots: Pick<Snapshots, 'has' | 'fetch'>;
  bring: BringSnapshot;
  takeScreen: (id: string, timeoutMs: number) => Promise<ScreenView>;
  /** How a device is after it was connected to; a reason: it cannot be. */
  checkDevice: (
    device: { kind: CheckedKind; id: string },
    timeoutMs: number,
  ) => Promise<CheckedDevice | 'no-device' | 'not-checkable'>;
  /** Probes the site's network. May throw. */
  discover: () => Promise<FoundDevice[]>;
  /** The address from which a camera posts; null: it has not posted, or from this machine. */
  pushesFrom: (cameraId: string) => string | null;
  age: CommandAge;
}

/** The time kept free for the reply's way to the cloud. */
const REPLY_MS = 1000;
/** The time kept free for sending the picture of the kiosk's screen to the cloud. */
const UPLOAD_MS = 2000;
const MAX_DETAIL = 500;

type Outcome = Partial<Omit<CommandReply, 'v' | 'id' | 'lanes' | 'at'>>;

/** Commands of operators about the devices of the site: a picture taken now, a device checked, cameras found. */
export class DeviceCommands {
  readonly #context: Pick<EdgeContext, 'clock' | 'log'>;
  readonly #parts: DeviceCommandParts;
  /** One probe of the network at a time; another request meanwhile gets the same one. */
  #probe: Promise<FoundDevice[]> | null = null;

  constructor(context: Pick<EdgeContext, 'clock' | 'log'>, parts: DeviceCommandParts) {
    this.#context = context;
    this.#parts = parts;
  }

  /** Resolves with the reply, in time for who waits for it. */
  async handle(command: DeviceCommand): Promise<CommandReply> {
    const { id, action, by } = command;
    const { clock, log } = this.#context;
    const judged = this.#parts.age.judge(command);
    const result: Outcome = judged.fresh
      ? await this.#carryOut(command, millis(command.expiresAt) - millis(command.sentAt) - REPLY_MS)
      : { outcome: 'expired', echo: judged.echo };
    const { outcome = 'done', reason, detail } = result;
    log.info({ event: LOG_EVENTS.commandTaken, id, action, by, outcome, reason, detail });
    const at = utcTime(clock.now());
    return { v: PROTOCOL_VERSION, id, lanes: [], echo: null, at, ...result, outcome };
  }

  async #carryOut(command: DeviceCommand, timeoutMs: number): Promise<Outcome> {
    switch (command.action) {
      case 'take-picture':
        return 'screen' in command.of
          ? await this.#takeScreen(command.id, timeoutMs)
          : await this.#takePicture(command.id, command.of, timeoutMs);
      case 'try-again': {
        const ref = { kind: command.kind, id: command.deviceId };
        const device = await this.#parts.checkDevice(ref, timeoutMs);
        if (typeof device === 'string') return refused(device);
        const { state, since, detail } = device;
        return { device: { state, since, detail } };
      }
      case 'find-cameras':
        return await this.#findCameras();
      default:
        return command satisfies never;
    }
  }

  async #takePicture(
    id: string,
    of: Exclude<Extract<DeviceCommand, { action: 'take-picture' }>['of'], { screen: string }>,
    timeoutMs: number,
  ): Promise<Outcome> {
    const { config, snapshots, bring } = this.#parts;
    const deadline = performance.now() + timeoutMs;
    if ('laneId' in of && !config.lanes.some((lane) => lane.id === of.laneId)) return refused('no-lane');
    const cameras = config.cameras.filter((camera) =>
      'laneId' in of ? lanesOf(camera).includes(of.laneId) : camera.id === of.cameraId,
    );
    if (cameras.length === 0 && 'cameraId' in of) return refused('no-device');
    const cameraId = cameras.find((camera) => snapshots.has(camera.id))?.id;
    if (cameraId === undefined) return refused('no-picture-source');
    const snapshot = await withTimeout(snapshots.fetch(cameraId), timeoutMs, () => TOO_SLOW);
    if (!snapshot.ok) return { ...refused(REFUSALS[snapshot.reason], snapshot.message), cameraId };
    const signal = AbortSignal.timeout(Math.max(0, Math.round(deadline - performance.now())));
    const problem = await bring(id, snapshot, signal);
    return problem === null ? { cameraId } : { ...refused('picture-unsent', problem), cameraId };
  }

  async #takeScreen(id: string, timeoutMs: number): Promise<Outcome> {
    const { takeScreen, bring } = this.#parts;
    const deadline = performance.now() + timeoutMs;
    const view = await takeScreen(id, timeoutMs - UPLOAD_MS);
    if (view.kind === 'away') return refused('kiosk-away');
    if (view.kind === 'text') return refused('kiosk-no-picture', view.text);
    const signal = AbortSignal.timeout(Math.max(0, Math.round(deadline - performance.now())));
    const problem = await bring(id, view, signal);
    return problem === null ? {} : refused('picture-unsent', problem);
  }

  async #findCameras(): Promise<Outcome> {
    const { config, discover, pushesFrom } = this.#parts;
    try {
      this.#probe ??= discover().finally(() => {
        this.#probe = null;
      });
      return { cameras: foundCameras(await this.#probe, config, pushesFrom) };
    } catch (error) {
      return refused('probe-failed', messageOf(error));
    }
  }
}

const TOO_SLOW: Snapshot = { ok: false, reason: 'unreachable', message: 'it is too slow' };

const REFUSALS = {
  unreachable: 'camera-away',
  'login-refused': 'camera-login',
  failed: 'no-picture',
} as const satisfies Record<Extract<Snapshot, { ok: false }>['reason'], DeviceRefusal>;

function refused(reason: DeviceRefusal, detail?: string): Outcome {
  return { outcome: 'refused', reason, ...(detail !== undefined && { detail: detail.slice(0, MAX_DETAIL) }) };
}
