import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { LocallinkTerminalSchema } from '@hlid/edge/terminal/locallink/locallink-options';
import { LocallinkTerminal as LocallinkDriver } from '@hlid/edge/terminal/locallink/locallink-terminal';
import type { PayEvents, PayOrder, Terminal, TerminalTransaction } from '@hlid/edge/terminal/terminal';
import { systemClock } from '@hlid/node/clock';
import { deadline } from '@hlid/protocol/test/deadline';
import { pino } from 'pino';
import { waitFor } from '../harness/wait.ts';
import type { LocallinkSim } from './locallink-terminal.ts';

export const ORDER: PayOrder = {
  id: '0d9c1c2e-53f2-4d37-8a2e-6a8b9d1f0c11',
  amountMinor: 1500,
  currency: 'ISK',
  language: 'is',
};

/** A till at a simulated terminal: the driver, its folder, and what it has logged. */
export interface LocallinkTill {
  readonly terminal: Terminal;
  readonly folder: string;
  /** All that was written to the log. */
  log(): string;
  ready(): Promise<void>;
  /**
   * Starts again as after a power cut: waits for nothing, and another driver begins with what is on the disk.
   */
  begunAnew(more?: object): LocallinkTill;
  close(): Promise<void>;
}

export function openLocallinkTill(
  sim: LocallinkSim,
  more: object = {},
  folder = mkdtempSync(join(tmpdir(), 'hlid-locallink-')),
): LocallinkTill {
  const logged: string[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void logged.push(line) });
  const options = LocallinkTerminalSchema.parse({
    kind: 'locallink',
    id: 'kiosk',
    host: '127.0.0.1',
    port: sim.port,
    terminalId: '34550576',
    trust: { sha256: sim.sha256 },
    pairingCode: '3499',
    amountDigits: 2,
    replyTimeoutMs: deadline(400),
    ...more,
  });
  const terminal = new LocallinkDriver(
    options,
    { currency: 'ISK', dataDir: folder, clock: systemClock, log },
    {
      connection: { checkMs: 40, retryMs: 10, maxRetryMs: 40 },
      follow: { pollMs: 8, cancelMs: 25, silenceMs: deadline(600) },
      stopTimeoutMs: deadline(500),
      lateMs: 50,
    },
  );
  terminal.start();
  return {
    terminal,
    folder,
    log: () => logged.join(''),
    ready: async () => {
      await waitFor(() => terminal.status().connection === 'CONNECTED', {
        what: 'a terminal that is ready',
        detail: () => JSON.stringify(terminal.status()),
      });
    },
    begunAnew: (other = more) => openLocallinkTill(sim, other, folder),
    async close() {
      await terminal.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A driver at the kiosk: records what was shown, and gives the verdict on an approval. */
export function watchingDriver(verdict: (transaction: TerminalTransaction) => Promise<boolean> | boolean) {
  const prompts: string[] = [];
  const approvals: TerminalTransaction[] = [];
  const events: PayEvents = {
    onPrompt: (prompt) => void prompts.push(prompt),
    async onApproval(transaction) {
      approvals.push(transaction);
      return await verdict(transaction);
    },
  };
  return { events, prompts, approvals };
}
