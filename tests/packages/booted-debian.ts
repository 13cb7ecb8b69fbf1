import { type ChildProcess, execFile, execFileSync, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import { appendFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { waitFor } from '../harness/wait.ts';
import { cleanDebian } from './clean-debian.ts';

/** Whether a Debian can be started here with its own systemd. */
export const CAN_BOOT_DEBIAN = existsSync('/usr/bin/systemd-nspawn');

const PACKAGES = [
  'systemd-sysv',
  'dbus',
  'ca-certificates',
  'curl',
  'openssl',
  'oathtool',
  'procps',
  'caddy',
  'minisign',
];
/** An upgrade of a site watches the new version for a minute and more. */
const COMMAND_WITHIN_MS = 300_000;
const PATH = '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';

export interface Ended {
  code: number;
  printed: string;
  complaint: string;
}

/** A separate machine: a Debian with systemd and no network but its own loopback. */
export class BootedDebian {
  /** Its files, as this machine sees them. */
  readonly root: string;
  #container: ChildProcess | null = null;

  private constructor(root: string) {
    this.root = root;
  }

  /** @param names that it finds at its own address */
  static async create(names: readonly string[]): Promise<BootedDebian> {
    const debian = new BootedDebian(await cleanDebian('hlid-bookworm-booted', PACKAGES));
    const hosts = ['localhost', 'parking-machine', ...names].join(' ');
    await appendFile(join(debian.root, 'etc/hosts'), `127.0.0.1 ${hosts}\n`);
    // The person at the machine confirms.
    await appendFile(join(debian.root, 'etc/apt/apt.conf'), 'APT::Get::Assume-Yes "true";\n');
    await debian.boot();
    return debian;
  }

  async boot(): Promise<void> {
    const options = ['--quiet', '--register=no', '--keep-unit', '--private-network', '--console=read-only'];
    const child = spawn(
      'systemd-nspawn',
      [...options, '--hostname=parking-machine', '--boot', `--directory=${this.root}`],
      { stdio: 'ignore' },
    );
    this.#container = child;
    await waitFor(
      async () => {
        if (this.#leader() === null) return false;
        const { printed } = await this.run('systemctl is-system-running');
        return ['running', 'degraded'].includes(printed.trim());
      },
      { what: 'Debian to start', withinMs: 60_000 },
    );
  }

  /** Runs a line of shell as root, in its folder /root. */
  run(line: string): Promise<Ended> {
    const leader = this.#leader();
    if (leader === null) throw new Error('the machine is off');
    const inside = ['--target', leader, '--all', 'env', '-i'];
    const args = [...inside, `PATH=${PATH}`, 'HOME=/root', 'LC_ALL=C.UTF-8', 'sh', '-c', `cd\n${line}`];
    return new Promise((resolve) => {
      const options = { maxBuffer: 2 ** 24, timeout: COMMAND_WITHIN_MS };
      const child = execFile('nsenter', args, options, (_error, printed, complaint) =>
        resolve({ code: child.exitCode ?? -1, printed, complaint }),
      );
      child.stdin?.end();
    });
  }

  /** The same where only success will do. @returns what was printed */
  async does(line: string): Promise<string> {
    const { code, printed, complaint } = await this.run(line);
    if (code !== 0) throw new Error(`${line}\nended with ${code}.\n${printed}${complaint}`);
    return printed;
  }

  /** All its programs are gone at once. */
  async powerCut(): Promise<void> {
    const leader = this.#leader();
    const container = this.#container;
    if (leader === null || container === null) return;
    const gone = new Promise((resolve) => container.once('exit', resolve));
    process.kill(Number(leader), 'SIGKILL');
    await gone;
    this.#container = null;
  }

  async remove(): Promise<void> {
    await this.powerCut();
    await rm(this.root, { recursive: true, force: true });
  }

  /** Its first process, as this machine counts; null where it is off. */
  #leader(): string | null {
    if (this.#container?.pid === undefined) return null;
    try {
      return (
        execFileSync('pgrep', ['--parent', String(this.#container.pid)], { encoding: 'utf8' }).trim() || null
      );
    } catch {
      return null;
    }
  }
}
