import { messageOf } from '@hlid/protocol/fault';
import type { DiskSpace } from '../disk-space.ts';
import { type Sign, WELL } from './device-health.ts';
import type { HealthSettings } from './health-settings.ts';

const MEGABYTE = 1024 * 1024;

/** How a disk with that room is. */
export function judgeDisk(
  { free: freeBytes, total: totalBytes }: DiskSpace,
  limits: HealthSettings['disk'],
): Sign {
  const megabytes = freeBytes / MEGABYTE;
  const part = (percent: number) => (totalBytes / MEGABYTE) * (percent / 100);
  const percent = totalBytes === 0 ? 0 : Math.floor((freeBytes / totalBytes) * 100);
  const detail = `${Math.floor(megabytes)} MB free (${percent} %)`;
  if (megabytes < Math.min(limits.fullMegabytes, part(limits.fullPercent))) return { state: 'full', detail };
  if (megabytes < Math.min(limits.lowMegabytes, part(limits.lowPercent))) return { state: 'low', detail };
  return WELL;
}

/** A disk that cannot even be asked. */
export function unmeasured(error: unknown): Sign {
  return { state: 'failing', detail: `the disk cannot be measured: ${messageOf(error)}` };
}
