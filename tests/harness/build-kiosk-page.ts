import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT_ROOT } from './programs.ts';

/** Builds the page at which drivers pay, where it is not built or stale. Without it all else works. */
export async function buildKioskPage(say: (text: string) => void): Promise<void> {
  const texts: string[] = [];
  const build = spawn(process.execPath, [join(PROJECT_ROOT, 'kiosk', 'build-page.mjs')], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  build.stdout.on('data', (chunk: Buffer) => say(chunk.toString().trimEnd()));
  build.stderr.on('data', (chunk: Buffer) => texts.push(chunk.toString()));
  const code = await new Promise((resolve, reject) => build.once('error', reject).once('close', resolve));
  if (code !== 0) say(`The kiosk's page could not be built; the rest works.\n${texts.join('')}`);
}
