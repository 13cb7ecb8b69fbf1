import { readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { becomeOwner } from '@hlid/node/become-owner';
import { nowUtc, systemClock } from '@hlid/node/clock';
import { createLog } from '@hlid/node/log';
import { messageOf } from '@hlid/protocol/base/fault';
import type { Mistake } from '@hlid/protocol/base/mistakes/mistake';
import {
  defineCommand,
  EXIT,
  type ExitCode,
  operand,
  option,
  type Shell,
  textOption,
} from '@hlid/protocol/command-line/command';
import { MAX_PACKAGE_BYTES, PackageVersionSchema } from '@hlid/protocol/site-link/edge-upgrade';
import { z } from 'zod';
import { type CloudConfig, readConfig } from '../../platform/config.ts';
import type { Db } from '../../platform/db/db.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { englishLines } from '../../platform/refused.ts';
import type { RolloutDetail } from '../../sites/rollouts/rollout-view.ts';

const ABOUT = 'It can run beside the cloud. The console shows the same, under the rollouts.';

const upgradeAdd = defineCommand({
  name: 'upgrade add',
  operand: operand('FILE', ', a package of the edge: hlid-edge_<version>_<architecture>.deb'),
  options: { signature: textOption('FILE', 'its signature by minisign (FILE.minisig)') },
  summary: 'Add a package of the edge, so that sites can be upgraded to it',
  about: `The sites check the signature by the keys that they trust. ${ABOUT}`,
  examples: [
    'upgrade add hlid-edge_0.3.0_amd64.deb',
    'upgrade add hlid-edge_0.3.0_arm64.deb --signature arm64.minisig',
  ],
  async run({ json, operand: path, options }, shell) {
    const files = readFiles(path, options.signature ?? `${path}.minisig`, shell);
    if (files === null) return EXIT.wrongUsage;
    const [{ addPackage }, { openPackages }] = await Promise.all([
      import('../../sites/rollouts/edge-packages.ts'),
      import('../../sites/rollouts/package-files.ts'),
    ]);
    return await withDatabase(shell, async ({ db, actor, config }) => {
      const brought = { fileName: basename(path), ...files };
      const added = await addPackage({ db, packages: openPackages(config) }, actor, brought);
      if (!added.ok) return complainOf(shell, added.reason === 'conflict' ? [added.mistake] : added.mistakes);
      const { isNew, row } = added;
      const { id, version, architecture, bytes, sha256 } = row;
      if (json) shell.print(JSON.stringify({ ok: true, isNew, id, version, architecture, bytes, sha256 }));
      else
        shell.print(
          `${isNew ? 'Added' : 'Was there'}: ${version} for ${architecture}, ${bytes} bytes, SHA-256 ${sha256}`,
        );
      return EXIT.done;
    });
  },
});

/** A whole number within bounds. */
function count(least: number, most: number): z.ZodType<number, string> {
  return z
    .string()
    .regex(/^\d{1,6}$/)
    .transform(Number)
    .pipe(z.int().min(least).max(most));
}

const upgradeStart = defineCommand({
  name: 'upgrade start',
  operand: operand('VERSION', ', such as 0.3.0'),
  options: {
    'soak-hours': option('N', 'how long a ring works before the next one begins (24)', count(0, 720)),
    'max-at-once': option('N', 'how many sites upgrade at the same time (20)', count(1, 1000)),
  },
  summary: 'Upgrade every site to a version, ring by ring',
  about: `A site that goes back to the former version pauses it. ${ABOUT}`,
  examples: ['upgrade start 0.3.0', 'upgrade start 0.3.0 --soak-hours 48 --max-at-once 5'],
  async run({ json, operand: text, options }, shell) {
    const version = PackageVersionSchema.safeParse(text);
    if (!version.success) {
      shell.complain(`"${text}" is no version of a package`);
      return EXIT.wrongUsage;
    }
    const { startRollout } = await import('../../sites/rollouts/change-rollouts.ts');
    return await withDatabase(shell, async ({ db, actor }) => {
      const { 'soak-hours': soakHours, 'max-at-once': maxAtOnce } = options;
      const body = { version: version.data, soakHours: soakHours ?? 24, maxAtOnce: maxAtOnce ?? 20 };
      return shown(await startRollout(db, actor, body), json, shell);
    });
  },
});

const upgradeStatus = defineCommand({
  name: 'upgrade status',
  summary: 'Show the rollout that is under way, or the last one, with its sites',
  about: 'It can run beside the cloud.',
  examples: ['upgrade status', 'upgrade status --json'],
  async run({ json }, shell) {
    const { findNewestRollout } = await import('../../sites/rollouts/find-rollouts.ts');
    return await withDatabase(shell, async ({ db }) => {
      const rollout = await db.read(findNewestRollout);
      if (json) shell.print(JSON.stringify({ rollout }));
      else if (rollout === null) shell.print('There is no rollout.');
      else printRollout(rollout, shell);
      return EXIT.done;
    });
  },
});

const upgradePause = changing('pause', {
  summary: 'Pause the rollout: no other site begins to install',
  change: async ({ pauseRollout }, { db, actor }, id) => await pauseRollout(db, actor, id),
});

const upgradeResume = changing('resume', {
  summary: 'Resume the rollout, without the sites that failed',
  change: async ({ resumeRollout }, { db, actor }, id) => await resumeRollout(db, actor, id),
});

const upgradeEnd = changing('end', {
  summary: 'End the rollout: orders are withdrawn, and sites that install go on',
  change: async ({ endRollout }, { db, actor }, id) => await endRollout(db, actor, id),
});

const upgradeRetry = defineCommand({
  name: 'upgrade retry',
  operand: operand('SITE', ', by its name or its id'),
  summary: 'Give a site of the rollout another order: it refused, went back, is stuck or was skipped',
  about: ABOUT,
  examples: ['upgrade retry Harbour'],
  async run({ json, operand: named }, shell) {
    const { retrySite } = await import('../../sites/rollouts/change-rollouts.ts');
    return await withRollout(shell, async ({ db, actor }, { id, sites }) => {
      const fitting = sites.filter(({ siteId, name }) => siteId === named || name === named);
      const [site, another] = fitting;
      if (site === undefined || another !== undefined) {
        const why = site === undefined ? 'no site of the rollout is called' : 'several sites are called';
        shell.complain(`${why} "${named}"`);
        return EXIT.failed;
      }
      return shown(await retrySite(db, actor, id, site.siteId), json, shell);
    });
  },
});

/** Upgrades of the sites, for a shell. */
export const UPGRADE_COMMANDS = [
  upgradeAdd,
  upgradeStart,
  upgradeStatus,
  upgradePause,
  upgradeResume,
  upgradeEnd,
  upgradeRetry,
];

type UseCases = typeof import('../../sites/rollouts/change-rollouts.ts');
type Changed = Awaited<ReturnType<UseCases['pauseRollout']>>;

interface Parts {
  db: Db;
  actor: Actor;
  config: CloudConfig;
}

function changing(
  verb: string,
  given: { summary: string; change(cases: UseCases, parts: Parts, id: string): Promise<Changed> },
) {
  return defineCommand({
    name: `upgrade ${verb}`,
    summary: given.summary,
    about: ABOUT,
    examples: [`upgrade ${verb}`],
    async run({ json }, shell) {
      const cases = await import('../../sites/rollouts/change-rollouts.ts');
      return await withRollout(shell, async (parts, { id }) =>
        shown(await given.change(cases, parts, id), json, shell),
      );
    },
  });
}

async function withDatabase(shell: Shell, work: (parts: Parts) => Promise<ExitCode>): Promise<ExitCode> {
  const config = readConfig(shell.environment);
  // Root has read the package, which the service's user may be unable to.
  becomeOwner(config.dataDir);
  // Help need not load the database.
  const [{ openDatabase }, { cloudActor }] = await Promise.all([
    import('../../platform/db/open-database.ts'),
    import('../../people/audit/audit.ts'),
  ]);
  const db = await openDatabase(config, createLog('cloud', 'silent'));
  try {
    return await work({ db, config, actor: cloudActor('command-line', nowUtc(systemClock)) });
  } finally {
    await db.close();
  }
}

async function withRollout(
  shell: Shell,
  work: (parts: Parts, rollout: RolloutDetail) => Promise<ExitCode>,
): Promise<ExitCode> {
  const { findNewestRollout } = await import('../../sites/rollouts/find-rollouts.ts');
  return await withDatabase(shell, async (parts) => {
    const rollout = await parts.db.read(findNewestRollout);
    if (rollout !== null) return await work(parts, rollout);
    return noRollout(shell);
  });
}

function noRollout({ complain }: Shell): ExitCode {
  complain('there is no rollout');
  return EXIT.failed;
}

function readFiles(
  path: string,
  signaturePath: string,
  { complain }: Shell,
): { content: Uint8Array; signature: string } | null {
  try {
    const content = readFileSync(path);
    // A larger one is refused by its size.
    return {
      content: content.subarray(0, MAX_PACKAGE_BYTES + 1),
      signature: readFileSync(signaturePath, 'utf8'),
    };
  } catch (error) {
    complain(`cannot be read: ${messageOf(error)}`);
    return null;
  }
}

function shown(changed: Changed, json: boolean, shell: Shell): ExitCode {
  if (changed.ok) {
    if (json) shell.print(JSON.stringify({ ok: true, rollout: changed.rollout }));
    else printRollout(changed.rollout, shell);
    return EXIT.done;
  }
  if (changed.reason === 'not-found') return noRollout(shell);
  return complainOf(shell, changed.reason === 'input' ? changed.mistakes : [changed.mistake]);
}

function complainOf({ complain }: Shell, mistakes: readonly Mistake[]): ExitCode {
  for (const line of englishLines(mistakes)) complain(line);
  return EXIT.failed;
}

function printRollout(rollout: RolloutDetail, { print }: Shell): void {
  const { version, state, ring, rings, pause, nextRingAt, soakHours, maxAtOnce } = rollout;
  const where = ring === null ? `rings ${rings.join(', ')}` : `ring ${ring} of ${rings.join(', ')}`;
  print(
    `Rollout of ${version}: ${state}, ${where}. ${soakHours} h between rings, ${maxAtOnce} sites at once.`,
  );
  if (pause !== null) print(`Paused at ${pause.at}: ${pauseText(pause)}`);
  if (nextRingAt !== null) print(`The next ring begins at ${nextRingAt}.`);
  const head = ['Ring', 'Site', 'Outcome', 'From', 'Now', 'Connected', 'Since', 'Reason'];
  const lines = rollout.sites.map((site) => [
    String(site.ring),
    site.name,
    site.outcome,
    site.from ?? '',
    site.version ?? '',
    site.connected ? 'yes' : 'no',
    site.at,
    (site.reason ?? '').replaceAll('\n', ' '),
  ]);
  const widths = head.map((_, n) => Math.max(...[head, ...lines].map((line) => line[n]?.length ?? 0)));
  for (const line of [head, ...lines]) {
    print(
      line
        .map((text, n) => text.padEnd(widths[n] ?? 0))
        .join('  ')
        .trimEnd(),
    );
  }
}

function pauseText({
  reason,
  by,
  byName,
  siteName,
  siteId,
  outcome,
  ring,
}: NonNullable<RolloutDetail['pause']>) {
  if (reason === 'person') return `by ${byName ?? by}`;
  if (reason === 'ring-failed') return `no site of ring ${ring} runs the version`;
  return `${siteName ?? siteId} ${outcome === 'stuck' ? 'is stuck' : 'went back to the former version'}`;
}
