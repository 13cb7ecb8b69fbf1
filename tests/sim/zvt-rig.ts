import type { PayEvents, PayOrder, Terminal, TerminalTransaction } from '@hlid/edge/terminal/terminal';
import { createSerialLink } from '@hlid/edge/terminal/zvt/serial-link';
import { type ZvtOptions, ZvtTerminalSchema } from '@hlid/edge/terminal/zvt/zvt-options';
import { ZvtTerminal as ZvtDriver } from '@hlid/edge/terminal/zvt/zvt-terminal';
import { createLog } from '@hlid/node/log';
import { deadline } from '@hlid/protocol/test/deadline';
import { waitFor } from '../harness/wait.ts';
import { startZvtTerminal, type ZvtTerminal, type ZvtTerminalOptions } from './zvt-terminal.ts';

/** A driver and the simulated terminal that it talks to. */
export interface ZvtRig {
  sim: ZvtTerminal;
  driver: Terminal;
  /** All that the driver has logged. */
  log: string[];
  ready(): Promise<unknown>;
  close(): Promise<void>;
}

/** Starts a rig with short timeouts, so that silence is soon detected. */
export async function startRig(
  sim: ZvtTerminalOptions = {},
  options: Partial<ZvtOptions> & {
    approvalMs?: number;
    completionMs?: number;
    busyMs?: number;
    retryMs?: number;
  } = {},
): Promise<ZvtRig> {
  const {
    approvalMs = deadline(2500),
    completionMs = deadline(3000),
    busyMs = 20,
    retryMs = 10,
    ...own
  } = options;
  const terminal = await startZvtTerminal({ answerMs: deadline(500), repeatMs: 20, ...sim });
  const log: string[] = [];
  const config = ZvtTerminalSchema.parse({
    ...terminal.config,
    id: 'pos-1',
    replyTimeoutMs: deadline(800),
    ...own,
  });
  const driver = new ZvtDriver(
    config,
    {
      currency: 'ISK',
      clock: { now: () => new Date() },
      log: createLog('edge', 'trace', { write: (line) => void log.push(line) }),
    },
    {
      ...(config.serial && {
        link: createSerialLink(config.serial, { gapMs: 100, answerMs: deadline(300) }),
      }),
      dialogue: { approvalMs, completionMs },
      connection: { retryMs, maxRetryMs: Math.max(50, retryMs), busyMs, endOfDayMs: 30 },
      stopTimeoutMs: deadline(200),
    },
  );
  driver.start();
  return {
    sim: terminal,
    driver,
    log,
    ready: () =>
      waitFor(() => driver.status().connection === 'CONNECTED', {
        what: 'a terminal that is logged in to',
        detail: () => JSON.stringify(driver.status()),
      }),
    async close() {
      await driver.stop();
      await terminal.close();
    },
  };
}

export function order(amountMinor = 1500): PayOrder {
  return { id: crypto.randomUUID(), amountMinor, currency: 'ISK', language: 'is' };
}

/** The events that the till receives meanwhile; it accepts an approval by default. */
export function witness(onApproval: PayEvents['onApproval'] = async () => true) {
  const prompts: { prompt: string; text: string | null }[] = [];
  const approvals: TerminalTransaction[] = [];
  const events: PayEvents = {
    onPrompt: (prompt, text) => void prompts.push({ prompt, text }),
    onApproval(transaction) {
      approvals.push(transaction);
      return onApproval(transaction);
    },
  };
  return { prompts, approvals, events };
}
