import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { withDeadline } from '../harness/wait.ts';
import { cleanDebian } from './clean-debian.ts';
import { type Architecture, environmentFor, patienceFor } from './emulation.ts';

const MOUNTED = 'root=$1; shift; mount -t proc proc "$root/proc"; mount --bind /dev "$root/dev"; exec "$@"';

interface Ended {
  code: number;
  printed: string;
  complaint: string;
}

/** A service of a package, started by the commands of its unit. */
interface Service {
  /** The program's process id, as this machine counts. */
  pid: number;
  ready: Readonly<Record<string, unknown>>;
  stop(): Promise<void>;
}

/** A Debian in a folder, as `debootstrap` makes it, in which packages are installed and their services run. */
export class DebianRoot {
  readonly path: string;
  readonly #architecture: Architecture;
  readonly #services: Service[] = [];

  private constructor(path: string, architecture: Architecture) {
    this.path = path;
    this.#architecture = architecture;
  }

  static async create(architecture: Architecture): Promise<DebianRoot> {
    return new DebianRoot(await cleanDebian('hlid-bookworm', ['systemd'], architecture), architecture);
  }

  /** Runs a command as root; its exit code and what it printed. */
  async run(...command: string[]): Promise<Ended> {
    return await this.answer([], ...command);
  }

  /** The same for a command that asks. @param answers one a line */
  async answer(answers: readonly string[], ...command: string[]): Promise<Ended> {
    const [file = '', ...args] = this.#inside(command);
    return await new Promise((resolve) => {
      const env = { ...process.env, ...environmentFor(this.#architecture) };
      const child = execFile(file, args, { maxBuffer: 2 ** 24, env }, (_error, printed, complaint) =>
        resolve({ code: child.exitCode ?? -1, printed, complaint }),
      );
      // A command that asks for nothing may have ended before.
      child.stdin?.on('error', () => {});
      child.stdin?.end(answers.map((line) => `${line}\n`).join(''));
    });
  }

  /** Installs packages with dpkg, as `apt install ./…` does when nothing is missing. */
  async install(...packages: string[]): Promise<void> {
    for (const file of packages) {
      await cp(file, join(this.path, 'tmp', 'package.deb'));
      const { code, printed, complaint } = await this.run('dpkg', '-i', '/tmp/package.deb');
      if (code !== 0) throw new Error(`dpkg -i ${file} ended with ${code}.\n${printed}${complaint}`);
    }
  }

  /** Starts a service as systemd would: its user, its environment, its command. Waits for its ready line. */
  async start(name: string, readyEvent: string): Promise<Service> {
    const unit = readFileSync(join(this.path, `usr/lib/systemd/system/${name}.service`), 'utf8');
    const values = (key: string) =>
      [...unit.matchAll(new RegExp(`^${key}=-?(.*)$`, 'gm'))].map(([, v = '']) => v);
    const variables = values('EnvironmentFile')
      .map((file) => join(this.path, file))
      .filter((file) => existsSync(file))
      .flatMap((file) => readFileSync(file, 'utf8').trim().split('\n'));
    const [user = '', command = '', umask = ''] = ['User', 'ExecStart', 'UMask'].flatMap(values);
    const asUser = [
      'setpriv',
      `--reuid=${user}`,
      `--regid=${user}`,
      '--init-groups',
      '--no-new-privs',
      '--reset-env',
    ];
    const emulator = Object.entries(environmentFor(this.#architecture)).map((each) => each.join('='));
    const environment = ['env', ...emulator, ...values('Environment'), ...variables];
    const script = `umask ${umask}; cd ${values('WorkingDirectory')[0]}; exec "$@"`;
    const inside = ['sh', '-c', script, 'sh', ...asUser, ...environment, ...command.split(' ')];
    const [file = '', ...args] = this.#inside(inside);
    const child = spawn(file, args, { stdio: ['ignore', 'pipe', 'pipe'] });
    const ready = await withDeadline(readyLine(child, readyEvent), {
      withinMs: 60_000 * patienceFor(this.#architecture),
      what: `${readyEvent} of ${name}`,
    });
    const service = {
      pid: child.pid ?? 0,
      ready,
      stop: async () => {
        if (child.exitCode !== null) return;
        const gone = new Promise((resolve) => child.once('exit', resolve));
        child.kill('SIGTERM');
        await gone;
      },
    };
    this.#services.push(service);
    return service;
  }

  async remove(): Promise<void> {
    for (const service of this.#services) await service.stop();
    await rm(this.path, { recursive: true, force: true });
  }

  /**
   * `unshare` becomes the shell, the shell `chroot`, and that the command: one process, with separate mounts.
   */
  #inside(command: readonly string[]): string[] {
    return ['unshare', '--mount', 'sh', '-ec', MOUNTED, 'sh', this.path, 'chroot', this.path, ...command];
  }
}

function readyLine(child: ChildProcess, event: string): Promise<Record<string, unknown>> {
  const lines: string[] = [];
  return new Promise((resolve, reject) => {
    const read = (line: string) => {
      lines.push(line);
      if (line.startsWith('{') && line.includes(`"${event}"`)) resolve(JSON.parse(line));
    };
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', read);
    }
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`it ended with ${code}.\n${lines.join('\n')}`)));
  });
}
