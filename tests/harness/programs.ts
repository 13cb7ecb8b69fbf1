import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream, type WriteStream } from 'node:fs';
import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { PROGRAMS_BUILT } from './programs-built.ts';
import { withDeadline } from './wait.ts';

/** The project's root folder. */
export const PROJECT_ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** A line that a program logged, as pino wrote it. */
type LogLine = Readonly<Record<string, unknown>>;

export interface ProgramPlan {
  name: 'cloud' | 'edge';
  /** What is set in its environment, beside our own. */
  env: Readonly<Record<string, string>>;
  /** Its ready line, by event name. */
  readyEvent: string;
  /** What the environment is for the next start, given the ready line: the ports stay the same. */
  keepPorts: (ready: LogLine) => Record<string, string>;
  readyWithinMs?: number;
  /** A command that runs it, such as a tracer, with its arguments; it must become the program. */
  under?: readonly string[];
  /** The file to which its log is also written; emptied at each start. */
  logFile?: string;
}

export interface Program {
  readonly name: string;
  /** The newest ready line. */
  ready(): LogLine;
  running(): boolean;
  /** Its process id; null where it does not run. */
  pid(): number | null;
  /** The programs in another folder from the next start on, as after an upgrade. */
  install(root: string): void;
  /** Starts again with the same data and ports; it must not be running. */
  start(): Promise<LogLine>;
  /** Stops it where it runs, and starts it again with the same data and ports. */
  restart(): Promise<LogLine>;
  /** Asks it to stop (SIGTERM) and waits; gives its exit code. Killed when it takes longer than the deadline. */
  stop(withinMs?: number): Promise<number | null>;
  /** Ends it at once (SIGKILL), as a power cut would. */
  kill(): Promise<void>;
  /** The newest lines of its log and standard error, for a failure's message. */
  tail(count?: number): string;
  /** The lines that it logged of one event. */
  logged(event: string): LogLine[];
  /** Called when it ends without having been asked to. */
  onDeath(listener: (code: number | null, signal: NodeJS.Signals | null) => void): void;
}

const EXIT_WITH_PARENT = new URL('exit-with-parent.mjs', import.meta.url).href;
const RUN_COMPILED = fileURLToPath(new URL('run-compiled.mjs', import.meta.url));
const KEPT_LINES = 2000;
const READY_WITHIN_MS = 30_000;
const STOP_WITHIN_MS = 10_000;

/** One of the real programs as a child process, started. */
export async function startProgram(plan: ProgramPlan): Promise<Program> {
  const program = createProgram(plan);
  await program.start();
  return program;
}

function createProgram(plan: ProgramPlan): Program {
  let child: ChildProcess | null = null;
  let gone: Promise<number | null> = Promise.resolve(null);
  let readyLine: LogLine = {};
  let ports: Record<string, string> = {};
  let expected = false;
  let root = PROJECT_ROOT;
  const texts: string[] = [];
  const lines: LogLine[] = [];
  const deathListeners: ((code: number | null, signal: NodeJS.Signals | null) => void)[] = [];

  function takeText(text: string, file: WriteStream | null): void {
    keep(texts, text);
    file?.write(`${text}\n`);
  }

  function takeLog(text: string, file: WriteStream | null): LogLine | null {
    takeText(text, file);
    const line = parseLine(text);
    if (line) keep(lines, line);
    return line;
  }

  const tail = (count = 25) => [`Last lines of ${plan.name}:`, ...texts.slice(-count)].join('\n  ');

  async function start(): Promise<LogLine> {
    if (child) throw new Error(`${plan.name} is already running`);
    const node = [process.execPath, '--import', EXIT_WITH_PARENT, ...programArguments(plan.name)];
    const [command, ...args] = [...(plan.under ?? []), ...node];
    const started = spawn(command ?? process.execPath, args, {
      cwd: root,
      env: { ...process.env, ...plan.env, ...ports },
      // A separate process group: Ctrl-C in a terminal reaches only this process, which stops the programs in
      // the right order.
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
    const file = plan.logFile === undefined ? null : createWriteStream(plan.logFile, { mode: 0o600 });
    child = started;
    expected = false;
    gone = new Promise((resolve) => {
      started.once('exit', (code, signal) => {
        child = null;
        resolve(code);
        if (!expected) for (const listener of deathListeners) listener(code, signal);
      });
    });
    const ready = new Promise<LogLine>((resolve, reject) => {
      eachLine(started.stdout, (text) => {
        const line = takeLog(text, file);
        if (line?.['event'] === plan.readyEvent) resolve(line);
      });
      eachLine(started.stderr, (text) => takeText(text, file));
      started.once('error', reject);
      started.once('close', (code) => {
        file?.end();
        reject(new Error(`${plan.name} ended (${code}).\n${tail()}`));
      });
    });
    try {
      readyLine = await withDeadline(ready, {
        withinMs: plan.readyWithinMs ?? READY_WITHIN_MS,
        what: `${plan.readyEvent} of ${plan.name}`,
        detail: tail,
      });
    } catch (error) {
      await end('SIGKILL', STOP_WITHIN_MS);
      throw error;
    }
    ports = plan.keepPorts(readyLine);
    return readyLine;
  }

  async function end(signal: NodeJS.Signals, withinMs: number): Promise<number | null> {
    if (!child) return gone;
    expected = true;
    const ending = child;
    ending.kill(signal);
    const deadline = setTimeout(() => ending.kill('SIGKILL'), withinMs);
    const code = await gone;
    clearTimeout(deadline);
    return code;
  }

  return {
    name: plan.name,
    ready: () => readyLine,
    running: () => child !== null,
    pid: () => child?.pid ?? null,
    install: (next) => {
      root = next;
    },
    start,
    async restart() {
      await end('SIGTERM', STOP_WITHIN_MS);
      return start();
    },
    stop: (withinMs = STOP_WITHIN_MS) => end('SIGTERM', withinMs),
    async kill() {
      await end('SIGKILL', STOP_WITHIN_MS);
    },
    tail,
    logged: (event) => lines.filter((line) => line['event'] === event),
    onDeath: (listener) => deathListeners.push(listener),
  };
}

/** Node's arguments for a program: as built, or its source as `npm run edge` does. */
export function programArguments(name: ProgramPlan['name']): string[] {
  const built = process.env[PROGRAMS_BUILT];
  return built === undefined ? fromSource(`${name}/src/main.ts`) : [RUN_COMPILED, `${name}/${built}/main.js`];
}

/** Node's arguments for another file that is built with a program. */
export function besideArguments(name: ProgramPlan['name'], source: string): string[] {
  const built = process.env[PROGRAMS_BUILT];
  return built === undefined ? fromSource(source) : [`${name}/${built}/${basename(source, '.ts')}.js`];
}

function fromSource(file: string): string[] {
  return ['--conditions=source', '--import', 'tsx', file];
}

function eachLine(stream: NodeJS.ReadableStream | null, take: (text: string) => void): void {
  if (stream) createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', take);
}

function parseLine(text: string): LogLine | null {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : null;
  } catch {
    return null;
  }
}

function keep<T>(list: T[], item: T): void {
  list.push(item);
  if (list.length > KEPT_LINES) list.splice(0, list.length - KEPT_LINES);
}
