import { spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { portOf } from './port-of.ts';

/** Installs what the `package.json` of a folder names into that folder, where nothing else looks. */
export function installPeer(name: string, home: string, isInstalled: () => boolean): void {
  if (isInstalled()) return;
  console.log(`Installing ${name} for the comparison; this takes some minutes …`);
  const npm = process.env['npm_execpath'];
  const [command, first] = npm?.endsWith('.js') ? [process.execPath, [npm]] : ['npm', []];
  const args = [...first, 'install', '--no-package-lock', '--no-audit', '--no-fund'];
  const { status } = spawnSync(command, args, { cwd: home, stdio: 'inherit' });
  if (status !== 0 || !isInstalled()) throw new Error(`${name} could not be installed; npm says why above`);
}

export async function freePort(): Promise<number> {
  const server = createServer();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const port = portOf(server);
  server.close();
  await once(server, 'close');
  return port;
}
