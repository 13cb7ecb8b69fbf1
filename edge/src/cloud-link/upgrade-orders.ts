import { json } from 'node:stream/consumers';
import { type Clock, nowUtc } from '@hlid/node/clock';
import { anySignal } from '@hlid/node/deadline';
import { fetchErrorCause } from '@hlid/node/errors';
import { pause } from '@hlid/node/pause';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { Fault, isFault, messageOf } from '@hlid/protocol/base/fault';
import { readNewer } from '@hlid/protocol/base/read-newer';
import { VERSION } from '@hlid/protocol/base/version';
import {
  EDGE_UPGRADE_PATH,
  type EdgeUpgradeAnswer,
  EdgeUpgradeAnswerSchema,
  type EdgeUpgradeReport,
  MAX_REASON_LENGTH,
  PackageArchitectureSchema,
  type UpgradeOrder,
} from '@hlid/protocol/site-link/edge-upgrade';
import type { Logger } from 'pino';
import { LOG_EVENTS } from '../base/events.ts';
import {
  answerDeadline,
  type CloudAccess,
  requestAsSite,
  transferDeadline,
} from '../cloud-access/cloud-request.ts';
import { EDGE_PACKAGE, installedVersion, softwareVersion } from '../upgrade/debian-package.ts';
import { hasMinisignKeys } from '../upgrade/minisign.ts';
import { OrderedPackage } from '../upgrade/ordered-package.ts';
import { readUpgradeState, upgradeKeysFolder } from '../upgrade/upgrade-state.ts';

export interface UpgradeOrdersTiming {
  /** The interval between two requests for an order. */
  askEveryMs: number;
  /** The interval between two requests while an upgrade is under way. */
  reportEveryMs: number;
}

const TIMING: UpgradeOrdersTiming = { askEveryMs: 2 * MINUTE_MS, reportEveryMs: 10_000 };
/** The spread of requests: sites that started together do not send them together. */
const SPREAD = 0.2;
const ARCHITECTURES: Readonly<Partial<Record<NodeJS.Architecture, string>>> = {
  x64: 'amd64',
  arm64: 'arm64',
};

interface UpgradeOrdersParts {
  cloud: CloudAccess;
  dataDir: string;
  clock: Clock;
  log: Logger;
  timing?: Partial<UpgradeOrdersTiming>;
}

type Report = NonNullable<EdgeUpgradeReport['upgrade']>;

/**
 * Asks the cloud which version it has ordered for this site, downloads that package, and reports how the upgrade went.
 * The daemon installs nothing: root's unit does, if a key of the site has signed the package (site-upgrade.ts).
 */
export class UpgradeOrders {
  readonly #parts: UpgradeOrdersParts;
  readonly #timing: UpgradeOrdersTiming;
  readonly #package: OrderedPackage;
  readonly #stopping = new AbortController();
  #running: Promise<void> | null = null;
  #version = VERSION;
  /** The part of an order that only this process has: root's unit has not seen it yet. */
  #own: Report | null = null;
  #trouble: string | null = null;

  constructor(parts: UpgradeOrdersParts) {
    this.#parts = parts;
    this.#timing = { ...TIMING, ...parts.timing };
    this.#package = new OrderedPackage(parts.dataDir);
  }

  start(): void {
    this.#running ??= this.#run();
  }

  /** Resolves when nothing is on its way any more. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    this.#version = await runningVersion();
    while (!signal.aborted) {
      const isUnderWay = await this.#ask().catch((error: unknown) => {
        this.#notice(messageOf(fetchErrorCause(error)));
        return false;
      });
      const { askEveryMs, reportEveryMs } = this.#timing;
      const everyMs = isUnderWay ? reportEveryMs : askEveryMs;
      const spread = 1 + SPREAD * (2 * Math.random() - 1);
      await pause(everyMs * spread, { signal });
    }
  }

  /** @returns whether an upgrade is under way */
  async #ask(): Promise<boolean> {
    for (;;) {
      const order = (await this.#exchange())?.order ?? null;
      const state = readUpgradeState(this.#parts.dataDir);
      this.#notice(null);
      if (order === null) {
        this.#own = null;
        await this.#package.remove();
        return isOpen(state?.outcome);
      }
      if (state?.orderId === order.id) return isOpen(state.outcome);
      if (this.#own?.orderId === order.id && this.#own.outcome === 'refused') return false;
      if (await this.#package.isWhole(order)) {
        // Root's unit takes it. It is written again and again until then.
        this.#note(order, 'working');
        await this.#package.offer(order);
        return true;
      }
      if (this.#own?.orderId !== order.id) {
        // The cloud is informed before the minutes that the download may take.
        this.#note(order, 'downloading');
        continue;
      }
      await this.#bring(order);
    }
  }

  async #bring(order: UpgradeOrder): Promise<void> {
    const signal = anySignal([this.#stopping.signal, transferDeadline(order.bytes)]);
    const path = `${EDGE_UPGRADE_PATH}/${order.id}/package`;
    try {
      await this.#package.bring(order, (from) => this.#request(path, { from, signal }));
    } catch (error) {
      // The cloud's own faults and the line's pass.
      if (!isFault(error, 'peer-misbehaved') && !isFault(error, 'no-room')) throw error;
      this.#note(order, 'refused', error.message);
    }
  }

  /** @returns null: the cloud knows of no upgrades */
  async #exchange(): Promise<EdgeUpgradeAnswer | null> {
    const signal = anySignal([this.#stopping.signal, answerDeadline()]);
    const { status, body } = await this.#request(EDGE_UPGRADE_PATH, { report: this.#report(), signal });
    const content: unknown = await json(body).catch(() => null);
    if (status === 404) return null;
    if (status !== 200) throw new Fault('link-refused', `the cloud answered ${status}`);
    const read = readNewer(EdgeUpgradeAnswerSchema, content);
    if (!read.success) throw new Fault('peer-misbehaved', read.error.message);
    return read.data;
  }

  #request(
    path: string,
    { report, from, signal }: { report?: EdgeUpgradeReport; from?: number; signal: AbortSignal },
  ) {
    return requestAsSite(this.#parts.cloud, path, {
      headers: {
        ...(report && { 'content-type': 'application/json' }),
        ...(from !== undefined && from > 0 && { range: `bytes=${from}-` }),
      },
      ...(report && { method: 'POST', body: JSON.stringify(report) }),
      signal,
    });
  }

  #report(): EdgeUpgradeReport {
    const { dataDir } = this.#parts;
    const state = readUpgradeState(dataDir);
    // Root's unit has a newer state of it.
    if (this.#own?.orderId === state?.orderId) this.#own = null;
    const done: Report | null =
      state === null || state.orderId === null
        ? null
        : { orderId: state.orderId, outcome: state.outcome, reason: cut(state.reason), at: state.at };
    return {
      version: this.#version,
      architecture: PackageArchitectureSchema.safeParse(ARCHITECTURES[process.arch]).data ?? null,
      acceptsOrders: hasMinisignKeys(upgradeKeysFolder(dataDir)),
      upgrade: this.#own ?? done,
    };
  }

  #note({ id }: UpgradeOrder, outcome: Report['outcome'], reason: string | null = null): void {
    if (this.#own?.orderId === id && this.#own.outcome === outcome) return;
    this.#own = { orderId: id, outcome, reason, at: nowUtc(this.#parts.clock) };
    this.#parts.log.info({
      event: LOG_EVENTS.upgradeOrdered,
      id,
      outcome,
      ...(reason !== null && { reason }),
    });
  }

  /** A failed request to the cloud raises no separate alarm: the link raises one. */
  #notice(trouble: string | null): void {
    if (trouble !== null && trouble !== this.#trouble && !this.#stopping.signal.aborted)
      this.#parts.log.warn({ event: LOG_EVENTS.upgradeUnrequested, reason: trouble });
    this.#trouble = trouble;
  }
}

/** A reason may have all that dpkg printed. */
function cut(reason: string | null): string | null {
  return reason?.slice(0, MAX_REASON_LENGTH) ?? null;
}

function isOpen(outcome: string | undefined): boolean {
  return outcome === 'working' || outcome === 'installing';
}

/** The version of the installed package; without a package, that of the program. */
async function runningVersion(): Promise<string> {
  const installed = await installedVersion(EDGE_PACKAGE).catch(() => VERSION);
  return softwareVersion(installed) === VERSION ? installed : VERSION;
}
