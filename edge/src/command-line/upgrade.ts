import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { systemClock } from '@hlid/node/clock';
import { dataDirOf } from '@hlid/node/configuration';
import { Fault } from '@hlid/protocol/base/fault';
import {
  type Command,
  defineCommand,
  EXIT,
  type ExitCode,
  operand,
  option,
} from '@hlid/protocol/command-line/command';
import { z } from 'zod';
import { runToEnd } from '../upgrade/debian-package.ts';
import { sumOf } from '../upgrade/hash-file.ts';
import { parseMinisignKey } from '../upgrade/minisign.ts';
import { SiteUpgrade, UPGRADE_UNIT } from '../upgrade/site-upgrade.ts';
import {
  makeUpgradeFolder,
  readUpgradeState,
  type UpgradeState,
  upgradeKeysFolder,
} from '../upgrade/upgrade-state.ts';
import { callDaemon, DAEMON_WORDS } from './call-daemon.ts';
import type { Shell } from './shell.ts';

/** Waits for orders of the cloud. */
const PATH_UNIT = 'hlid-edge-upgrade.path';
const AnswerSchema = z.object({ waitsFor: z.array(z.string()) });

const OUTCOME_WORDS: Readonly<Record<UpgradeState['outcome'], string>> = {
  working: 'is under way',
  installing: 'is being installed',
  refused: 'was not installed; nothing has changed',
  done: 'works',
  'went-back': 'did not work as well as the former version, which runs again',
  stuck: 'does not work, and the former version neither: see the journal of hlid-edge',
};

const upgrade = defineCommand({
  name: 'upgrade',
  operand: operand('FILE', ', a package of hlid-edge'),
  summary: 'Install another version of the package when nobody pays, and go back where it works worse',
  about: `As root. It keeps the former package, tries the changes of the database on a copy, waits until no payment is open and no
car waits at a gate (for an hour at most; then nothing is changed), installs, and compares all devices and the link to the
cloud with how they were before. It goes on when you log out: “journalctl -u ${UPGRADE_UNIT}” shows it.`,
  options: {
    sha256: option('SUM', 'the sum of the package, to be checked first', z.string().regex(/^[0-9a-f]{64}$/i)),
  },
  examples: ['upgrade hlid-edge_0.3.0_amd64.deb'],
  async run({ operand: file, options, json }, shell: Shell) {
    await checkSum(file, options.sha256);
    const dataDir = dataDirOf(shell.environment);
    const { from, to } = await createUpgrade(shell).order(file);
    if (!json) shell.print(`Upgrades from ${from} to ${to}. It goes on when you log out.`);
    const { code, complaint } = await runToEnd('systemctl', ['restart', UPGRADE_UNIT]);
    if (code !== 0) shell.complain(complaint.trim());
    return report(readUpgradeState(dataDir), { json, shell });
  },
});

const upgradeRun = defineCommand({
  name: 'upgrade run',
  summary: 'Carry out the upgrade that was ordered: the work of its unit',
  about: 'As root. It also undoes an upgrade that a power cut broke off.',
  examples: ['upgrade run'],
  run: async ({ json }, shell: Shell) => report(await createUpgrade(shell).run(), { json, shell }),
});

const upgradeTrust = defineCommand({
  name: 'upgrade trust',
  operand: operand('KEY', ', a public key of minisign'),
  summary: 'Let the cloud order packages that this key has signed',
  about: `As root. From then on the cloud can order newer versions for this site, as long as their packages are signed with the key,
which the cloud does not need to have. To end it, delete the key in ${upgradeKeysFolder('/var/lib/hlid-edge')}.`,
  examples: ['upgrade trust hlid.pub'],
  async run({ operand: file, json }, shell: Shell) {
    const text = readFileSync(file, 'utf8');
    const { id } = parseMinisignKey(text);
    const dataDir = dataDirOf(shell.environment);
    makeUpgradeFolder(dataDir);
    const folder = upgradeKeysFolder(dataDir);
    mkdirSync(folder, { recursive: true });
    const path = join(folder, `${id}.pub`);
    writeFileSync(path, text);
    // The daemon looks whether there is any.
    for (const [one, mode] of [[folder, 0o755] as const, [path, 0o644] as const]) chmodSync(one, mode);
    const { code, complaint } = await runToEnd('systemctl', ['enable', '--now', PATH_UNIT]);
    if (code !== 0) {
      shell.complain(complaint.trim());
      return EXIT.failed;
    }
    if (json) shell.print(JSON.stringify({ trusted: id }));
    else shell.print(`This site accepts packages that key ${id} has signed.`);
    return EXIT.done;
  },
});

const upgradeReady = defineCommand({
  name: 'upgrade ready',
  summary: 'Ask whether the daemon may be restarted now; then nobody can begin to pay for two minutes',
  about: DAEMON_WORDS,
  examples: ['upgrade ready'],
  async run({ json }, shell: Shell) {
    const answer = await callDaemon(shell, '/api/upgrade', { body: { action: 'begin' } });
    if (answer === null) return EXIT.failed;
    const { waitsFor } = AnswerSchema.parse(answer);
    if (json) shell.print(JSON.stringify({ waitsFor }));
    if (waitsFor.length > 0) shell.complain(waitsFor.join(', '));
    else if (!json) shell.print('It may be restarted now.');
    return waitsFor.length === 0 ? EXIT.done : EXIT.failed;
  },
});

const upgradeDismiss = defineCommand({
  name: 'upgrade dismiss',
  summary: 'End the alarm of an upgrade that was not kept',
  about: 'As root. The alarm also ends with the next upgrade that works.',
  examples: ['upgrade dismiss'],
  run({ json }, shell: Shell) {
    const state = createUpgrade(shell).dismiss();
    if (json) shell.print(JSON.stringify({ dismissed: state }));
    else shell.print(state === null ? 'There was no upgrade.' : 'The alarm ends within seconds.');
    return EXIT.done;
  },
});

export const UPGRADE_COMMANDS: readonly Command<Shell>[] = [
  upgrade,
  upgradeRun,
  upgradeTrust,
  upgradeReady,
  upgradeDismiss,
];

function createUpgrade({ environment, complain }: Shell): SiteUpgrade {
  const host = { root: '/', dataDir: dataDirOf(environment), environment };
  return new SiteUpgrade(host, { clock: systemClock, log: complain });
}

async function checkSum(file: string, expected: string | null): Promise<void> {
  if (expected === null) return;
  const found = await sumOf(file);
  if (found !== expected.toLowerCase()) throw new Fault('config-invalid', `the sum of ${file} is ${found}`);
}

function report(state: UpgradeState | null, { json, shell }: { json: boolean; shell: Shell }): ExitCode {
  if (json) shell.print(JSON.stringify(state));
  else if (state !== null) {
    shell.print(
      `${state.to} ${OUTCOME_WORDS[state.outcome]}.${state.reason === null ? '' : ` ${state.reason}`}`,
    );
  }
  return state === null || ['done', 'working'].includes(state.outcome) ? EXIT.done : EXIT.failed;
}
