import { spawn } from 'node:child_process';

/** A server of others as a child process. */
export interface ServerProcess {
  readonly pid: number | undefined;
  /** All that it has written. */
  messages(): string;
  hasEnded(): boolean;
  signal(signal: NodeJS.Signals): void;
  /** Sends the signal, and waits for the end. */
  end(signal: NodeJS.Signals): Promise<void>;
}

/** Starts it; whether it answers is for the caller to wait for. */
export function spawnServer(
  command: string,
  args: readonly string[],
  options: { cwd?: string } = {},
): ServerProcess {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] });
  let messages = '';
  let hasEnded = false;
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (piece) => (messages += String(piece)));
  const gone = new Promise<void>((resolve) =>
    child.once('close', () => {
      hasEnded = true;
      resolve();
    }),
  );
  return {
    pid: child.pid,
    messages: () => messages,
    hasEnded: () => hasEnded,
    signal: (signal) => void child.kill(signal),
    async end(signal) {
      child.kill(signal);
      await gone;
    },
  };
}
