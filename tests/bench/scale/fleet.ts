import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { PROJECT_ROOT } from '../../harness/programs.ts';
import { waitFor } from '../../harness/wait.ts';
import type { FleetOrder, FleetPlan, FleetReport } from './site-fleet.ts';

const ReportSchema = z.object({ connected: z.number(), waiting: z.number() });

/** All sites, in a separate process. */
export class Fleet {
  readonly #child: ChildProcess;
  readonly #ended: Promise<never>;
  readonly #sites: number;

  private constructor(child: ChildProcess, ended: Promise<never>, sites: number) {
    this.#child = child;
    this.#ended = ended;
    this.#sites = sites;
  }

  static async start(folder: string, plan: FleetPlan): Promise<Fleet> {
    const path = join(folder, 'fleet.json');
    writeFileSync(path, JSON.stringify(plan), { mode: 0o600 });
    const exitWithParent = new URL('../../harness/exit-with-parent.mjs', import.meta.url).href;
    const child = fork('tests/bench/scale/site-fleet.ts', [path], {
      cwd: PROJECT_ROOT,
      execArgv: ['--conditions=source', '--import', 'tsx', '--import', exitWithParent],
    });
    const ended = once(child, 'exit').then(() => Promise.reject(new Error('the fleet has ended')));
    ended.catch(() => undefined);
    await Promise.race([once(child, 'message'), ended]);
    return new Fleet(child, ended, plan.sites.length);
  }

  async stop(): Promise<void> {
    if (this.#child.exitCode !== null) return;
    this.#child.kill();
    await once(this.#child, 'exit');
  }

  order(order: FleetOrder): void {
    this.#child.send(order);
  }

  async report(group = ''): Promise<FleetReport> {
    const answer = once(this.#child, 'message');
    this.order({ order: 'report', group });
    return ReportSchema.parse((await Promise.race([answer, this.#ended]))[0]);
  }

  /** All are connected and answered, and the cloud has all events of a group. */
  async settled(group: string, withinMs: number): Promise<void> {
    let last: FleetReport | null = null;
    await waitFor(
      async () => {
        last = await this.report(group);
        return last.connected === this.#sites && last.waiting === 0;
      },
      { what: 'all sites', withinMs, detail: () => JSON.stringify(last) },
    );
  }
}
