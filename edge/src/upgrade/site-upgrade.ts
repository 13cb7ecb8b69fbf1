import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdtempSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type Clock, nowUtc } from '@hlid/node/clock';
import { syncNow } from '@hlid/node/durable-files';
import { pause } from '@hlid/node/pause';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import {
  EDGE_PACKAGE,
  type Ended,
  installedVersion,
  isNewerVersion,
  ownArchitecture,
  readPackage,
  repackInstalled,
  runToEnd,
  softwareVersion,
} from './debian-package.ts';
import { findHarm, readStatus, type SiteStatus } from './find-harm.ts';
import { findSignatureFault, readMinisignKeys } from './minisign.ts';
import { copyOrderedPackage, readOrder, type WrittenOrder } from './upgrade-order.ts';
import {
  makeUpgradeFolder,
  readUpgradeState,
  STATE_FILE,
  type UpgradeState,
  upgradeFolder,
  upgradeKeysFolder,
} from './upgrade-state.ts';

const SERVICE = 'hlid-edge.service';
/** Carries out an upgrade. */
export const UPGRADE_UNIT = 'hlid-edge-upgrade.service';
const WANTED = 'wanted.deb';
/** Copied from the daemon, and not checked yet. */
const ARRIVED = 'arrived.deb';
const PREVIOUS = 'previous.deb';
const PROGRAM = 'usr/lib/hlid-edge';
/** Keeps the package from restarting the service: the upgrade does. */
const NO_RESTART = { HLID_NO_RESTART: '1' };

/** The machine that is upgraded. */
export interface UpgradeHost {
  /** The root of the file system. */
  root: string;
  /** The daemon's data folder, which the daemon owns. */
  dataDir: string;
  /** The environment of the daemon's own commands. */
  environment: Readonly<Record<string, string | undefined>>;
}

export interface UpgradeTiming {
  /** How long a payment or a car is waited for. */
  waitMs: number;
  pollMs: number;
  /** Within this time the new version must work as the former one did. */
  healthyWithinMs: number;
  /** Within this time the former version must work again after a failed upgrade. */
  formerWithinMs: number;
  /** The version must go on working for this time. */
  steadyMs: number;
  /** Trying the changes of a large database. */
  tryWithinMs: number;
}

export const UPGRADE_TIMING: UpgradeTiming = {
  waitMs: 60 * MINUTE_MS,
  pollMs: 2000,
  healthyWithinMs: 10 * MINUTE_MS,
  formerWithinMs: 10 * MINUTE_MS,
  steadyMs: MINUTE_MS,
  tryWithinMs: 60 * MINUTE_MS,
};

/**
 * Brings a site to another version of the package, as root, and back where it works worse than before:
 *
 *   check ─▶ keep the former package ─▶ try the database's changes ─▶ wait for payments and cars ─▶ install ─▶ restart
 *     └───────────── refused: nothing has changed ──────────────┘                                              │
 *   went back ◀─ former package, copy of the database where it is needed, restart ◀─ harm ◀─ compare devices ◀─┘
 */
export class SiteUpgrade {
  readonly #host: UpgradeHost;
  readonly #folder: string;
  readonly #timing: UpgradeTiming;
  readonly #clock: Clock;
  readonly #log: (line: string) => void;
  #state: UpgradeState;

  constructor(
    host: UpgradeHost,
    options: { timing?: Partial<UpgradeTiming>; clock: Clock; log: (line: string) => void },
  ) {
    this.#host = host;
    this.#folder = upgradeFolder(host.dataDir);
    this.#timing = { ...UPGRADE_TIMING, ...options.timing };
    this.#clock = options.clock;
    this.#log = options.log;
    const none = { orderId: null, from: null, to: null, reason: null, dismissed: false };
    this.#state = { outcome: 'working', ...none, at: nowUtc(options.clock) };
  }

  /**
   * Keeps a package for `run`. Throws Fault 'config-invalid' where it cannot be the next one.
   *
   * @param orderId of the cloud's order; null: a person at the site orders it
   */
  async order(file: string, orderId: string | null = null): Promise<UpgradeState> {
    const folder = this.#folder;
    makeUpgradeFolder(this.#host.dataDir);
    const { name, version, architecture } = await readPackage(file);
    const own = await ownArchitecture();
    const from = await installedVersion(EDGE_PACKAGE);
    if (name !== EDGE_PACKAGE) throw new Fault('config-invalid', `${file} is ${name}, not ${EDGE_PACKAGE}`);
    if (architecture !== own)
      throw new Fault('config-invalid', `${file} is for ${architecture}; this machine is ${own}`);
    if (version === from) throw new Fault('config-invalid', `${version} is installed already`);
    copyFileSync(file, join(folder, `${WANTED}.new`));
    renameSync(join(folder, `${WANTED}.new`), join(folder, WANTED));
    this.#note({ outcome: 'working', orderId, from, to: version, reason: null, dismissed: false });
    // The unit goes on after a power cut.
    await runToEnd('systemctl', ['enable', UPGRADE_UNIT]);
    return this.#state;
  }

  /**
   * Carries out what was ordered here or by the cloud, or undoes what broke off while it was installed.
   *
   * @returns how it ended; null: nothing was ordered
   */
  async run(): Promise<UpgradeState | null> {
    const { dataDir } = this.#host;
    const last = readUpgradeState(dataDir);
    const isOrdered = last !== null && existsSync(join(this.#folder, WANTED));
    const begun = isOrdered ? last : await this.#acceptOrder(last);
    if (begun === null) return null;
    this.#state = begun;
    if (begun.outcome === 'installing')
      return await this.#goBack(null, 'it broke off while it was installed');
    if (begun.outcome !== 'working') return begun;
    let before: SiteStatus | null;
    try {
      await this.#keepFormer();
      before = await this.#status();
      await this.#tryDatabase();
      await this.#waitForPause();
    } catch (error) {
      return await this.#end('refused', messageOf(error));
    }
    this.#note({ outcome: 'installing' });
    const wasRunning = await this.#isRunning();
    const failed = (await this.#install(WANTED)) ?? (wasRunning ? await this.#restart() : null);
    // A failed installation that left the former version in place is refused, as it is while apt is at work.
    if (failed !== null && (await installedVersion(EDGE_PACKAGE)) === this.#state.from)
      return await this.#end('refused', failed);
    const harm = failed ?? (await this.#waitForHealth(before, this.#state.to, this.#timing.healthyWithinMs));
    if (harm !== null) return await this.#goBack(before, harm);
    return await this.#end('done', null);
  }

  /** The alarm of the last upgrade has been read. @returns the state that it had; null: there was none */
  dismiss(): UpgradeState | null {
    const state = readUpgradeState(this.#host.dataDir);
    if (state === null) return null;
    this.#state = state;
    this.#note({ dismissed: true });
    return state;
  }

  /**
   * Accepts the cloud's command if a key of this site has signed the version and it is newer: older versions
   * may have known faults.
   *
   * @returns null: the cloud commands no other version
   */
  async #acceptOrder(last: UpgradeState | null): Promise<UpgradeState | null> {
    const { dataDir } = this.#host;
    const order = readOrder(dataDir);
    if (order === null || order.id === last?.orderId) return null;
    this.#log(`the cloud orders ${EDGE_PACKAGE} ${order.version}`);
    makeUpgradeFolder(dataDir);
    const file = join(this.#folder, ARRIVED);
    const from = await installedVersion(EDGE_PACKAGE);
    try {
      copyOrderedPackage(dataDir, file);
      await this.#checkOrder(order, { file, from });
      return await this.order(file, order.id);
    } catch (error) {
      const { id: orderId, version: to } = order;
      this.#note({ outcome: 'working', orderId, from, to, dismissed: false });
      return await this.#end('refused', messageOf(error));
    } finally {
      rmSync(file, { force: true });
    }
  }

  async #checkOrder(order: WrittenOrder, { file, from }: { file: string; from: string }): Promise<void> {
    const keys = readMinisignKeys(upgradeKeysFolder(this.#host.dataDir));
    const fault = await findSignatureFault(file, order.signature, keys);
    if (fault !== null) throw new Fault('config-invalid', fault);
    const { version } = await readPackage(file);
    if (version !== order.version)
      throw new Fault(
        'config-invalid',
        `the package has version ${version}, and ${order.version} is ordered`,
      );
    if (!(await isNewerVersion(version, from)))
      throw new Fault(
        'config-invalid',
        `${version} is not newer than ${from}: only a person at the site goes back`,
      );
  }

  async #keepFormer(): Promise<void> {
    const former = join(this.#folder, PREVIOUS);
    this.#log(`keeps ${EDGE_PACKAGE} ${this.#state.from} as ${former}`);
    await repackInstalled(EDGE_PACKAGE, former, this.#host.root);
  }

  /** Tries the database with the program of the package, which is not installed yet. */
  async #tryDatabase(): Promise<void> {
    const folder = this.#folder;
    const stage = mkdtempSync(join(folder, 'try-'));
    try {
      this.#log('tries the changes of the database on a copy');
      const unpacked = await runToEnd('dpkg-deb', ['--extract', join(folder, WANTED), stage]);
      if (unpacked.code !== 0) throw new Error(unpacked.complaint);
      // The daemon's user must read it.
      chmodSync(stage, 0o755);
      const tried = await this.#command(stage, ['database', 'try'], this.#timing.tryWithinMs);
      if (tried.code !== 0)
        throw new Error(`the database cannot be brought up to date: ${tried.complaint.trim()}`);
    } finally {
      rmSync(stage, { recursive: true, force: true });
    }
  }

  /** Waits until no payment is under way and no car waits. A daemon that does not run has neither. */
  async #waitForPause(): Promise<void> {
    const until = performance.now() + this.#timing.waitMs;
    let reason = '';
    for (;;) {
      if (!(await this.#isRunning())) return;
      const asked = await this.#command(this.#host.root, ['upgrade', 'ready']);
      if (asked.code === 0) return;
      const now = asked.complaint.trim();
      if (now !== reason) this.#log(`waits: ${now}`);
      reason = now;
      if (performance.now() > until) throw new Error(`it was never the moment: ${reason}`);
      await pause(this.#timing.pollMs);
    }
  }

  async #isRunning(): Promise<boolean> {
    return (await runToEnd('systemctl', ['is-active', '--quiet', SERVICE])).code === 0;
  }

  /** @returns why it is not installed; null: it is */
  async #install(file: string): Promise<string | null> {
    this.#log(`installs ${file}`);
    const env = { ...process.env, ...NO_RESTART, DEBIAN_FRONTEND: 'noninteractive' };
    const path = join(this.#folder, file);
    const installed = await runToEnd('dpkg', ['--install', '--force-confold', path], { env });
    return installed.code === 0 ? null : `dpkg: ${installed.complaint.trim()}`;
  }

  /** @returns why it does not start; null: it does */
  async #restart(): Promise<string | null> {
    const restarted = await runToEnd('systemctl', ['restart', SERVICE]);
    return restarted.code === 0 ? null : `systemctl: ${restarted.complaint.trim()}`;
  }

  /** @returns what is worse than before; null: nothing, for some time */
  async #waitForHealth(
    before: SiteStatus | null,
    version: string | null,
    withinMs: number,
  ): Promise<string | null> {
    const { steadyMs, pollMs } = this.#timing;
    if ((await runToEnd('systemctl', ['is-enabled', '--quiet', SERVICE])).code !== 0 && before === null)
      return null;
    const software = `${EDGE_PACKAGE}/${softwareVersion(version)}`;
    const until = performance.now() + withinMs;
    const end = until + steadyMs;
    let healthySince: number | null = null;
    let startedAt: string | null = null;
    for (;;) {
      const now = await this.#status();
      const harm = findHarm(before, now, software);
      // The time begins again for a daemon that ends and starts again.
      if (harm.length > 0 || now?.startedAt !== startedAt) healthySince = null;
      startedAt = now?.startedAt ?? null;
      if (harm.length === 0) healthySince ??= performance.now();
      if (healthySince !== null && performance.now() - healthySince >= steadyMs) return null;
      if (performance.now() > (healthySince === null ? until : end)) {
        return harm.join('; ') || 'it ends and starts again';
      }
      await pause(pollMs);
    }
  }

  async #goBack(before: SiteStatus | null, reason: string): Promise<UpgradeState> {
    this.#log(`goes back to ${this.#state.from}: ${reason}`);
    await runToEnd('systemctl', ['stop', SERVICE]);
    const failed = await this.#install(PREVIOUS);
    const database = await this.#revertDatabase();
    await runToEnd('systemctl', ['start', SERVICE]);
    const harm = failed ?? (await this.#waitForHealth(before, this.#state.from, this.#timing.formerWithinMs));
    if (harm === null) return await this.#end('went-back', reason);
    const problems = [reason, `and the former version: ${harm}`, ...(database === null ? [] : [database])];
    return await this.#end('stuck', problems.join('; '));
  }

  /** @returns why the former version has a database that it cannot use; null: it can */
  async #revertDatabase(): Promise<string | null> {
    const reverted = await this.#command(this.#host.root, ['database', 'revert', '--if-needed']);
    if (reverted.code === 0) return null;
    const reason = `the database: ${reverted.complaint.trim()}`;
    this.#log(reason);
    return reason;
  }

  async #status(): Promise<SiteStatus | null> {
    return readStatus((await this.#command(this.#host.root, ['status', '--json'])).printed);
  }

  /** A command of the daemon's program below a folder, as its user. */
  #command(root: string, words: readonly string[], timeoutMs = MINUTE_MS): Promise<Ended> {
    const { dataDir, environment } = this.#host;
    const { uid, gid } = statSync(dataDir);
    const program = join(root, PROGRAM);
    return runToEnd(join(program, 'node'), [join(program, 'edge/dist/bundled/main.js'), ...words], {
      uid,
      gid,
      timeoutMs,
      env: { ...process.env, ...environment, HLID_DATA_DIR: dataDir },
    });
  }

  async #end(outcome: UpgradeState['outcome'], reason: string | null): Promise<UpgradeState> {
    rmSync(join(this.#folder, WANTED), { force: true });
    this.#note({ outcome, reason });
    await runToEnd('systemctl', ['disable', UPGRADE_UNIT]);
    this.#log(`${outcome}: ${this.#state.from} to ${this.#state.to}${reason === null ? '' : `: ${reason}`}`);
    return this.#state;
  }

  /** Writes the state to the disk before anything goes on: a power cut may follow. */
  #note(change: Partial<UpgradeState>): void {
    const folder = this.#folder;
    this.#state = { ...this.#state, ...change, at: nowUtc(this.#clock) };
    const path = join(folder, STATE_FILE);
    writeFileSync(`${path}.new`, `${JSON.stringify(this.#state)}\n`, { flush: true });
    chmodSync(`${path}.new`, 0o644);
    renameSync(`${path}.new`, path);
    syncNow(folder);
  }
}
