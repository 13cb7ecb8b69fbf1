import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { PROJECT_ROOT } from '../harness/programs.ts';
import { withDeadline } from '../harness/wait.ts';

/** A bare program to compare ours with, in a separate process. */
export interface FloorProgram {
  url: string;
  pid: number;
  stop(): Promise<void>;
}

const READY_WITHIN_MS = 30_000;

/** @param script in `tests/bench`; it writes the port on which it listens */
export async function startFloorProgram(script: string, args: readonly string[]): Promise<FloorProgram> {
  const exitWithParent = new URL('../harness/exit-with-parent.mjs', import.meta.url).href;
  const program = [
    '--conditions=source',
    '--import',
    'tsx',
    '--import',
    exitWithParent,
    `tests/bench/${script}`,
  ];
  const child: ChildProcess = spawn(process.execPath, [...program, ...args], {
    cwd: PROJECT_ROOT,
    stdio: ['ignore', 'pipe', 'inherit', 'ipc'],
  });
  if (!child.stdout) throw new Error('unreachable: a pipe');
  const gone = once(child, 'close');
  const messages = once(createInterface({ input: child.stdout }), 'line');
  const ended = gone.then(([code]) => Promise.reject(new Error(`${script} ended (${code})`)));
  // Later it may.
  ended.catch(() => undefined);
  const ready = Promise.race([messages, ended]);
  const stop = async () => {
    child.kill();
    await gone;
  };
  try {
    const [line] = await withDeadline(ready, { what: script, withinMs: READY_WITHIN_MS });
    const { port } = JSON.parse(String(line));
    return { url: `http://127.0.0.1:${port}`, pid: child.pid ?? 0, stop };
  } catch (error) {
    await stop();
    throw error;
  }
}
