import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { Logger } from 'pino';

/** Lines of one kind of one site are written at this interval at most. */
const EVERY_MS = MINUTE_MS;
/** The most kinds that are kept; the oldest go first. */
const MAX_KINDS = 10_000;

/** The fields of a log line of a site. */
interface SiteLine {
  event: string;
  siteId: string | null;
}

/** The log of what sites do wrong: one line for each site and kind in a minute, with how many others there were. */
export class SiteLog {
  readonly #log: Logger;
  readonly #tick: () => number;
  readonly #kinds = new Map<string, { at: number; others: number }>();

  constructor(log: Logger, tick: () => number = () => performance.now()) {
    this.#log = log;
    this.#tick = tick;
  }

  info(line: SiteLine & Record<string, unknown>): void {
    this.#write('info', line);
  }

  warn(line: SiteLine & Record<string, unknown>): void {
    this.#write('warn', line);
  }

  error(line: SiteLine & Record<string, unknown>): void {
    this.#write('error', line);
  }

  #write(level: 'info' | 'warn' | 'error', line: SiteLine & Record<string, unknown>): void {
    const key = `${line.event} ${line.siteId}`;
    const known = this.#kinds.get(key);
    const now = this.#tick();
    if (known !== undefined && now - known.at < EVERY_MS) {
      known.others++;
      return;
    }
    const others = known?.others ?? 0;
    this.#kinds.delete(key);
    this.#kinds.set(key, { at: now, others: 0 });
    const [oldest] = this.#kinds.keys();
    if (this.#kinds.size > MAX_KINDS && oldest !== undefined) this.#kinds.delete(oldest);
    this.#log[level](others === 0 ? line : { ...line, others });
  }
}
