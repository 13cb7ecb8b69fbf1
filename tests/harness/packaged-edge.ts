import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { cp, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { PROJECT_ROOT } from './programs.ts';
import { PROGRAMS_BUILT } from './programs-built.ts';

const run = promisify(execFile);
const HOME = 'usr/lib/hlid-edge';

/** A package of the edge with real programs, and links in the place of what is large. @returns its file */
export async function packageEdge(folder: string, given: { tree: string; version: string }): Promise<string> {
  const { tree, version } = given;
  const built = process.env[PROGRAMS_BUILT] ?? '';
  const root = join(folder, `package-${version}`);
  const home = join(root, HOME);
  await mkdir(join(home, 'edge'), { recursive: true });
  await mkdir(join(root, 'DEBIAN'));
  await symlink(process.execPath, join(home, 'node'));
  await writeFile(join(home, 'package.json'), '{"type":"module"}');
  await cp(join(tree, 'edge', built), join(home, 'edge', built), { recursive: true });
  for (const path of ['node_modules', 'edge/page', 'kiosk']) {
    await symlink(join(PROJECT_ROOT, path), join(home, path));
  }
  const { stdout: architecture } = await run('dpkg', ['--print-architecture']);
  const control = {
    Package: 'hlid-edge',
    Version: version,
    Architecture: architecture.trim(),
    Maintainer: 'Hlid <hlid@hlid.example>',
    Description: 'a test',
  };
  const lines = Object.entries(control).map(([key, value]) => `${key}: ${value}\n`);
  await writeFile(join(root, 'DEBIAN/control'), lines.join(''));
  const file = join(folder, `hlid-edge_${version}_${control.Architecture}.deb`);
  await run('dpkg-deb', ['--root-owner-group', '-Znone', '--build', root, file]);
  return file;
}

/**
 * A folder with the commands that an upgrade calls: Debian's own dpkg on a root below `folder`, and a `systemctl` that runs the one
 * service that is installed there.
 */
export async function makeDebian(folder: string, environment: Readonly<Record<string, string>>) {
  const root = join(folder, 'root');
  const bin = join(folder, 'bin');
  for (const path of [bin, join(root, 'var/lib/dpkg/updates'), join(root, 'var/lib/dpkg/info')]) {
    await mkdir(path, { recursive: true });
  }
  await writeFile(join(root, 'var/lib/dpkg/status'), '');
  const pidFile = join(folder, 'pid');
  const logFile = join(folder, 'log');
  const script = (name: string, text: string) =>
    writeFile(join(bin, name), `#!/bin/sh\n${text}\n`, { mode: 0o755 });
  await script('dpkg', `exec /usr/bin/dpkg --root='${root}' --force-not-root --log=/dev/null "$@"`);
  await script('dpkg-query', `exec /usr/bin/dpkg-query --admindir='${root}/var/lib/dpkg' "$@"`);
  const variables = Object.entries(environment).map(([key, value]) => `${key}='${value}'`);
  await script(
    'systemctl',
    `running() { [ -s '${pidFile}' ] && kill -0 "$(cat '${pidFile}')" 2>/dev/null; }
stop() {
  running && kill "$(cat '${pidFile}')"
  while running; do sleep 0.05; done
}
start() {
  running || { env ${variables.join(' ')} '${root}/${HOME}/node' '${root}/${HOME}/edge/dist/bundled/main.js' \\
    >>'${logFile}' 2>&1 & echo $! >'${pidFile}'; }
}
case $1 in
is-active) running ;;
stop) stop ;;
start) start ;;
restart) stop; start ;;
esac`,
  );
  return {
    root,
    bin,
    log: () => (existsSync(logFile) ? readFileSync(logFile, 'utf8').split('\n').slice(-30).join('\n') : ''),
  };
}
