import { readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second, whatever its clock does (`USER_HZ`). */
const TICK_MS = 10;

/** The processor time that a process has used since it started, ms (Linux). What others do meanwhile hardly shows in it. */
export function cpuMsOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  // Its name, in brackets, may hold anything; from the state behind it utime and stime are the 12th and 13th.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(fields[11]) + Number(fields[12])) * TICK_MS;
}
