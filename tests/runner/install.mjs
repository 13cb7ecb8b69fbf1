// Makes sure that what the project needs is installed: `node tests/runner/install.mjs [--test]`. Plain Node, no
// packages. Does nothing, in milliseconds, where all is there.
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import './check-node.mjs';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const MARKER = join(ROOT, 'node_modules', '.cache', 'hlid-installed.json');
const ASKED = join(ROOT, 'node_modules', '.cache', 'hlid-asked-for.json');

/**
 * The tools that tests use beside npm's packages: a command, another that also does but worse, the Debian package of
 * the same name unless named, and the tests that need it.
 */
const TEST_TOOLS = [
  {
    // The variant without windows takes half of the processor time.
    command: 'chromium-headless-shell',
    other: 'chromium',
    tests: 'the tests of pages in a browser (tests/screens, the journeys at the kiosk)',
  },
  { command: 'mosquitto_sub', debian: 'mosquitto-clients', tests: 'the tests with a stock MQTT client' },
  { command: 'mosquitto', tests: 'the tests against a stock MQTT broker' },
  { command: 'openssl', tests: 'the tests of that broker with TLS' },
  { command: 'strace', tests: 'the test that what is decided is on the disk before it is done' },
  { command: 'socat', tests: 'the tests over a serial line' },
];

installPackages();
if (process.argv.includes('--test')) installTestTools();

function installPackages() {
  const wanted = fingerprint();
  if (readMarker() === wanted) return;
  if (asLocked() && nativePackagesLoad()) {
    writeMarker(wanted);
    return;
  }
  console.log('Installing packages: the first time, or they have changed. This takes a minute or two.');
  rmSync(MARKER, { force: true });
  const { command, args } = npm();
  // A newcomer cannot mend the funding notes, audits and ages of packages, so npm reports none of them.
  const quietly = ['--no-audit', '--no-fund', '--loglevel=error'];
  const result = spawnSync(command, [...args, 'ci', ...quietly], {
    cwd: ROOT,
    stdio: 'inherit',
    env: { ...process.env, ...nodeHeaders() },
  });
  if (result.error)
    fail(`npm could not be started: ${result.error.message}. Is npm installed beside Node.js?`);
  if (result.status !== 0) {
    fail(
      `Installing the packages failed (npm ci ended with ${result.status ?? result.signal}); the reason stands above.\n` +
        'Often: no way to the npm registry (proxy?), no space left, or node_modules is in use by a running program.\n' +
        'better-sqlite3 also needs a C++ compiler and make where it has no ready-made file for this system.',
    );
  }
  if (!nativePackagesLoad()) {
    fail(
      `better-sqlite3 does not load in this Node.js ${process.versions.node} (${process.execPath}).\n` +
        'Often: it was compiled with the headers of another one; npm config get nodedir names them.',
    );
  }
  writeMarker(wanted);
}

/**
 * Node's headers, for packages that are compiled, often lie beside Node itself. node-gyp would download them all the same,
 * which fails where only a registry can be reached. A setting of npm may name those of another Node.
 */
function nodeHeaders() {
  const prefix = dirname(dirname(realpathSync(process.execPath)));
  return existsSync(join(prefix, 'include', 'node', 'node.h')) ? { npm_config_nodedir: prefix } : {};
}

/** The lock file, the manifests, and the kind of Node that native packages were made for. */
function fingerprint() {
  const hash = createHash('sha256');
  for (const file of ['package-lock.json', 'package.json', ...workspaceManifests()]) {
    hash
      .update(file)
      .update('\0')
      .update(readFileSync(join(ROOT, file)))
      .update('\0');
  }
  hash.update(`${process.platform} ${process.arch} ${process.versions.modules}`);
  return hash.digest('hex');
}

function workspaceManifests() {
  const { workspaces = [] } = JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8'));
  return workspaces.map((folder) => `${folder}/package.json`).filter((file) => existsSync(join(ROOT, file)));
}

function readMarker() {
  try {
    return JSON.parse(readFileSync(MARKER, 'utf8')).fingerprint ?? null;
  } catch {
    return null;
  }
}

function writeMarker(fingerprint) {
  mkdirSync(dirname(MARKER), { recursive: true });
  writeFileSync(MARKER, JSON.stringify({ fingerprint }));
}

/** Whether npm was run by hand: npm's own note of what it installed has all that the lock file requires. */
function asLocked() {
  try {
    const read = (file) => JSON.parse(readFileSync(join(ROOT, file), 'utf8')).packages;
    const installed = read('node_modules/.package-lock.json');
    return Object.entries(read('package-lock.json')).every(
      ([path, entry]) =>
        !path.startsWith('node_modules/') ||
        entry.optional ||
        (installed[path]?.version === entry.version && installed[path]?.integrity === entry.integrity),
    );
  } catch {
    return false;
  }
}

/** Runs in a child: Node remembers a file that it could not load, also after npm has compiled it again. */
function nativePackagesLoad() {
  const load = "new (require('better-sqlite3'))(':memory:').close()";
  return spawnSync(process.execPath, ['-e', load], { cwd: ROOT, stdio: 'ignore' }).status === 0;
}

/** The npm that runs us, else the one on the path. */
function npm() {
  const script = process.env.npm_execpath;
  if (script?.endsWith('.js')) return { command: process.execPath, args: [script] };
  return { command: process.platform === 'win32' ? 'npm.cmd' : 'npm', args: [] };
}

function installTestTools() {
  const wanted = TEST_TOOLS.filter(
    (tool) => !isThere(tool) || (!onPath(tool.command) && isNotAskedFor(tool)),
  );
  if (wanted.length === 0) return;
  installByApt(wanted);
  noteAskedFor(wanted);
  const missing = TEST_TOOLS.filter((tool) => !isThere(tool));
  if (missing.length === 0) return;
  console.log('Missing on this machine, so these tests will be skipped:');
  for (const tool of missing) {
    console.log(`  ${tool.command} (Debian package ${packageOf(tool)}): ${tool.tests}`);
  }
}

function installByApt(tools) {
  const asRoot = rootCommand();
  if (!asRoot || !onPath('apt-get')) return;
  const hadBroker = onPath('mosquitto');
  // An update that fails may still leave lists that are good enough.
  apt(asRoot, ['update', '-q']);
  const packages = tools.map(packageOf);
  console.log(`Installing for the tests (apt-get): ${packages.join(' ')}`);
  apt(asRoot, ['install', '-y', '-q', '--no-install-recommends', ...packages]);
  if (!hadBroker) keepBrokerQuiet(asRoot);
}

/** Whether the tests can run: by this command or by the other one. */
function isThere({ command, other }) {
  return onPath(command) || (other !== undefined && onPath(other));
}

/** What would only be better is installed if that is possible, and asked for once: not each run waits for it. */
function isNotAskedFor({ command }) {
  return !readAskedFor().includes(command);
}

function readAskedFor() {
  try {
    return JSON.parse(readFileSync(ASKED, 'utf8'));
  } catch {
    return [];
  }
}

function noteAskedFor(tools) {
  mkdirSync(dirname(ASKED), { recursive: true });
  const commands = new Set([...readAskedFor(), ...tools.map(({ command }) => command)]);
  writeFileSync(ASKED, JSON.stringify([...commands]));
}

/** The package to install: not every release of Debian has the preferred one. */
function packageOf({ command, debian = command, other }) {
  if (other === undefined) return debian;
  const known = spawnSync('apt-cache', ['show', debian], { stdio: 'ignore' });
  return known.status === 0 ? debian : other;
}

function apt(asRoot, args) {
  const limits = [
    '-o',
    'Acquire::Retries=1',
    '-o',
    'Acquire::http::Timeout=20',
    '-o',
    'Acquire::https::Timeout=20',
  ];
  const [command = '', ...rest] = [...asRoot, 'apt-get', ...limits, ...args];
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  return spawnSync(command, rest, { stdio: ['ignore', 'inherit', 'inherit'], env }).status === 0;
}

/** Debian starts a broker as soon as it is installed; the tests start their own, and port 1883 belongs to the cloud. */
function keepBrokerQuiet(asRoot) {
  if (!existsSync('/run/systemd/system')) return;
  const [command = '', ...rest] = [...asRoot, 'systemctl', 'disable', '--now', 'mosquitto'];
  spawnSync(command, rest, { stdio: 'ignore' });
}

/** How to run a command as root: nothing to add, `sudo -n`, or null where there is no way without a question. */
function rootCommand() {
  if (process.getuid?.() === 0) return ['env'];
  if (!onPath('sudo')) return null;
  const answer = spawnSync('sudo', ['-n', 'true'], { stdio: 'ignore' });
  return answer.status === 0 ? ['sudo', '-n', '--preserve-env=DEBIAN_FRONTEND'] : null;
}

/** `/usr/sbin` too, where Debian puts daemons and which many users' paths lack. */
function onPath(command) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin'];
  return folders.some((folder) => {
    try {
      accessSync(join(folder, command), constants.X_OK);
      return folder !== '';
    } catch {
      return false;
    }
  });
}

function fail(message) {
  console.error(message);
  process.exit(1);
}
