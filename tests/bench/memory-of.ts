import { readFileSync, writeFileSync } from 'node:fs';

/** The resident memory of a process, now and at most since it started or was last asked, MB (Linux). */
export function memoryOf(pid: number): { now: number; most: number } {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const mb = (field: string) => Number(new RegExp(`^${field}:\\s+(\\d+) kB$`, 'm').exec(status)?.[1]) / 1024;
  writeFileSync(`/proc/${pid}/clear_refs`, '5');
  return { now: mb('VmRSS'), most: mb('VmHWM') };
}
