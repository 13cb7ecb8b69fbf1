import type { CertificateView } from '@hlid/node/tls-files';
import { HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { messageOf } from '@hlid/protocol/base/fault';
import { millis } from '@hlid/protocol/base/utc-time';
import { mendedDetail } from '@hlid/protocol/records/device';
import type { SiteSettings } from '@hlid/protocol/records/lane';
import { canSettle } from '@hlid/protocol/rules/ways-to-pay';
import type { BackupState } from '../backup/backup-state.ts';
import type { DiskSpace } from '../base/disk-space.ts';
import type { LinkView } from '../cloud-link/link-view.ts';
import type { HealthSettings } from '../config/config.ts';
import { HEALTHY, type HealthSignal } from '../config/health-state.ts';
import type { GateLogin } from '../gate/gate.ts';
import type { GateView } from '../gate/gate-mode.ts';
import type { OnvifState } from '../onvif/onvif-device.ts';
import type { UpgradeState } from '../upgrade/upgrade-state.ts';

/** Why a gate has not moved, by the outcome of the command. */
const FAILED_MOVEMENTS: Readonly<Record<string, string>> = {
  refused: 'it refused: check user and password, and whether it can do this',
  unreachable: 'it could not be reached',
  unknown: 'it did not answer; it may have moved',
};

export function failedMovement(lastError: string): string {
  return FAILED_MOVEMENTS[lastError] ?? lastError;
}

/** The signal of a gate's last movement; null while it moves. */
export function gateSignal({ state, lastError }: Pick<GateView, 'state' | 'lastError'>): HealthSignal | null {
  if (state === 'opening') return null;
  return lastError === null ? HEALTHY : { state: 'failing', detail: failedMovement(lastError) };
}

/** The signal of the login at a gate's device; null: not known yet. */
export function loginSignal(state: ReturnType<GateLogin['state']>): HealthSignal | null {
  if (state === 'unknown') return null;
  return state === 'ok' ? HEALTHY : { state: 'login-refused', detail: 'it refuses user and password' };
}

/** The signal of an ONVIF camera or gate; null: not known yet. */
export function onvifSignal({
  state,
  lastError,
}: Pick<OnvifState, 'state' | 'lastError'>): HealthSignal | null {
  if (state === 'starting') return null;
  return state === 'ok' ? HEALTHY : { state, detail: lastError ?? '' };
}

export function linkSignal({
  connected,
  lastError,
}: Pick<LinkView, 'connected' | 'lastError'>): HealthSignal | null {
  if (connected) return HEALTHY;
  return lastError === null ? null : { state: 'unreachable', detail: lastError };
}

/**
 * @param differing how the lists differ from the cloud's though they came from it; null: they do not
 * @param ageMs since the lists were last known to equal the cloud's
 */
export function listsSignal(differing: string | null, ageMs: number, maxAgeMs: number): HealthSignal {
  if (differing !== null) return { state: 'differing', detail: differing };
  if (ageMs <= maxAgeMs) return HEALTHY;
  const hours = Math.floor(ageMs / HOUR_MS);
  return { state: 'outdated', detail: `not compared with the cloud's for ${hours} h` };
}

/** @param stuckMs since the cloud last accepted something, while something waits */
export function waitingSignal(waiting: number, stuckMs: number, maxMs: number): HealthSignal {
  if (waiting === 0 || stuckMs <= maxMs) return HEALTHY;
  return { state: 'backlog', detail: `${waiting} waiting, for ${Math.floor(stuckMs / MINUTE_MS)} min` };
}

/** @param names of damaged databases beside the one in use */
export function setAsideSignal(names: readonly string[]): HealthSignal | null {
  return names.length === 0 ? null : { state: 'replaced', detail: names.toSorted().join(', ') };
}

/** @param state of the last backup; null: none was tried yet */
export function backupSignal(state: BackupState | null, now: Date, maxAgeMs: number): HealthSignal {
  if (state?.error) return { state: 'failing', detail: state.error };
  if (state?.lastDoneAt && now.getTime() - millis(state.lastDoneAt) <= maxAgeMs) return HEALTHY;
  return { state: 'outdated', detail: `last backup: ${state?.lastDoneAt ?? 'none'}` };
}

/** @param state of the last upgrade; null: none was ever ordered */
export function upgradeSignal(state: UpgradeState | null): HealthSignal {
  const failing = (words: string): HealthSignal => {
    return { state: 'failing', detail: `${state?.to} ${words}: ${state?.reason}` };
  };
  if (state === null || state.dismissed) return HEALTHY;
  switch (state.outcome) {
    case 'refused':
      return failing('was not installed');
    case 'went-back':
      return failing(`went back to ${state.from}`);
    case 'stuck':
      return failing('does not work');
    default:
      return HEALTHY;
  }
}

/** @param why the reason why a camera's documents are refused; null: they are not */
export function refusedSignal(reason: string | null): HealthSignal | null {
  return reason === null ? null : { state: 'failing', detail: `its documents are refused: ${reason}` };
}

/**
 * The signal of a device that makes protocol errors which are corrected: it works, and its installer should
 * know of them.
 */
export function mendedSignal(faults: readonly string[]): HealthSignal | null {
  return faults.length === 0 ? null : { state: 'ok', detail: mendedDetail(faults) };
}

/**
 * Reports whether drivers who owe at an exit can pay.
 *
 * @param line of the site's card terminal
 * @param isDead the kiosk's screen is
 * @param isOnlineOff the cloud's payment page takes no cards now
 */
export function paymentSignal(
  line: HealthSignal | null,
  isDead: boolean,
  settings: Pick<SiteSettings, 'hasKiosk' | 'payOnline' | 'invoicesOwners'>,
  isOnlineOff = false,
): HealthSignal | null {
  const works = line?.state === 'ok' ? 'works' : 'none';
  if (canSettle(settings, isDead ? 'dead' : works)) return HEALTHY;
  if (isOnlineOff && line?.state !== 'unknown')
    return { state: 'failing', detail: onlineOffWords(line, isDead) };
  if (line === null) return null;
  if (isDead) return { state: 'failing', detail: `${ONLY_WAY} the kiosk, and its screen is dead` };
  if (line.state === 'unknown') return null;
  const why = line.detail === '' ? '' : `: ${line.detail}`;
  return { state: 'failing', detail: `${ONLY_WAY} the card terminal, and it does not work${why}` };
}

/** The ways to pay that do not work beside the payment page. */
function onlineOffWords(line: HealthSignal | null, isDead: boolean): string {
  const others = isDead
    ? 'the kiosk’s screen is dead'
    : line === null || line.state === 'ok'
      ? 'there is no other way to pay'
      : `the card terminal does not work${line.detail === '' ? '' : `: ${line.detail}`}`;
  return `drivers who owe cannot leave: the card gateway of the cloud is off, and ${others}`;
}

const ONLY_WAY = 'drivers who owe cannot leave: the only way to pay is';

export function groupsOnlySignal(groupsOnly: boolean): HealthSignal | null {
  const detail =
    'it sends only groups, after the vehicle has passed, so its lane does not open: set the agent to send every result ' +
    '(alpr_results), or to send groups at once, with opensOnGroup set here';
  return groupsOnly ? { state: 'failing', detail } : null;
}

/** The signal of certificates, and of certificate files that cannot be used. */
export function certificateSignal(
  certificates: readonly CertificateView[],
  problems: readonly string[],
  nowMs: number,
): HealthSignal {
  const lines = (since: 'endsAt' | 'warnFrom') =>
    certificates
      .filter((certificate) => certificate[since].getTime() <= nowMs)
      .map(({ path, endsAt }) => `${path} is valid until ${endsAt.toISOString()}`);
  const failing = [...problems, ...lines('endsAt')];
  if (failing.length > 0) return { state: 'failing', detail: [...new Set(failing)].join('; ') };
  const expiring = lines('warnFrom');
  if (expiring.length === 0) return HEALTHY;
  return { state: 'expiring', detail: [...new Set(expiring)].join('; ') };
}

/** The units of a clock's error, in seconds; the largest unit with at least two of it is shown. */
const CLOCK_UNITS = [
  [86_400, 'days'],
  [3600, 'h'],
  [60, 'min'],
] as const;

/** @param suspectedMs by its last reads, not yet confirmed; 0: they agree */
export function cameraClockSignal(clockBehindMs: number, suspectedMs: number): HealthSignal | null {
  if (suspectedMs !== 0) {
    const detail = `${howFar(suspectedMs)} by its last reads: they count as late and open nothing`;
    return { state: 'clock-off', detail };
  }
  return clockBehindMs === 0 ? null : { state: 'clock-off', detail: howFar(clockBehindMs) };
}

function howFar(behindMs: number): string {
  const seconds = Math.round(Math.abs(behindMs) / 1000);
  const [size, unit] = CLOCK_UNITS.find(([one]) => seconds >= 2 * one) ?? [1, 's'];
  return `${Math.round(seconds / size)} ${unit} ${behindMs > 0 ? 'behind' : 'ahead'}`;
}

const MEGABYTE = 1024 * 1024;

/** The signal of a disk, by its free space. */
export function diskSignal(
  { free: freeBytes, total: totalBytes }: DiskSpace,
  limits: HealthSettings['disk'],
): HealthSignal {
  const megabytes = freeBytes / MEGABYTE;
  const part = (percent: number) => (totalBytes / MEGABYTE) * (percent / 100);
  const percent = totalBytes === 0 ? 0 : Math.floor((freeBytes / totalBytes) * 100);
  const detail = `${Math.floor(megabytes)} MB free (${percent} %)`;
  if (megabytes < Math.min(limits.fullMegabytes, part(limits.fullPercent))) return { state: 'full', detail };
  if (megabytes < Math.min(limits.lowMegabytes, part(limits.lowPercent))) return { state: 'low', detail };
  return HEALTHY;
}

/** The signal of a disk that cannot be measured. */
export function unmeasuredDiskSignal(error: unknown): HealthSignal {
  return { state: 'failing', detail: `the disk cannot be measured: ${messageOf(error)}` };
}
