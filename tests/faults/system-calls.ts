import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A system call of a traced program, in the order in which calls began, or for a flush: in which it returned. */
export interface SystemCall {
  name: string;
  /** The target of the file descriptor: a path, or the addresses of a socket. */
  file: string;
  /** The written text, as strace shows it; null for a flush. */
  text: string | null;
}

const FLUSHES = ['fdatasync', 'fsync'];
const WRITES = ['write', 'writev', 'pwrite64', 'pwritev', 'sendto', 'sendmsg'];
/** A whole page of the database is shown. */
const SHOWN_BYTES = 4200;

/** How to run a program so that its writes and flushes are written to a file; the tracer does not stand between. */
export function tracing(into: string): string[] {
  const calls = [...FLUSHES, ...WRITES].join();
  return ['strace', '-D', '-f', '-yy', '-s', String(SHOWN_BYTES), '-e', `trace=${calls}`, '-o', into];
}

/** Null where programs can be traced here; else why not: no strace, or a sandbox that forbids it. */
export function tracingProblem(): string | null {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-strace-'));
  const file = join(folder, 'trace');
  const [command = '', ...args] = tracing(file);
  try {
    const { error, stderr } = spawnSync(command, [...args, 'sh', '-c', 'echo traced; sleep 0.1'], {
      encoding: 'utf8',
    });
    if (error) return error.message;
    return readFileSync(file, 'utf8').includes('traced') ? null : `strace: ${stderr}`;
  } catch (error) {
    return String(error);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const BEGUN = /^(\d+)\s+(\w+)\(\d+<(.*?)>(?:, (.*)|\)? .*)$/;
const RETURNED = /^(\d+)\s+<\.\.\. (\w+) resumed>.*= 0\b/;

/** The calls of a trace so far. */
export function readCalls(trace: string): SystemCall[] {
  const calls: SystemCall[] = [];
  const flushing = new Map<string, SystemCall>();
  for (const line of readFileSync(trace, 'utf8').split('\n')) {
    const [, returned = '', what = ''] = RETURNED.exec(line) ?? [];
    const flushed = FLUSHES.includes(what) ? flushing.get(returned) : undefined;
    if (flushed) calls.push(flushed);
    const [, pid = '', name = '', file = '', rest = ''] = BEGUN.exec(line) ?? [];
    if (WRITES.includes(name)) calls.push({ name, file, text: rest });
    else if (FLUSHES.includes(name)) {
      const flush = { name, file, text: null };
      if (line.endsWith('<unfinished ...>')) flushing.set(pid, flush);
      else if (line.endsWith('= 0')) calls.push(flush);
    }
  }
  return calls;
}
