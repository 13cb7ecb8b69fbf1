import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { PROJECT_ROOT } from './programs.ts';

type Say = (text: string) => void;

/** Builds the page of the kiosk, where it is not built or stale. Without it all else works. */
export function buildKioskPage(say: Say): Promise<void> {
  return buildPage('kiosk/build-page.mjs', say);
}

/** Builds the lanes page of a site, likewise. */
export function buildLanesPage(say: Say): Promise<void> {
  return buildPage('edge/page/build-page.mjs', say);
}

/** Builds the payment page for drivers, likewise. */
export function buildPayPage(say: Say): Promise<void> {
  return buildPage('cloud/pay-page/build-page.mjs', say);
}

/** Builds the operators' console, likewise. */
export function buildConsole(say: Say): Promise<void> {
  return buildPage('cloud/console/build-page.mjs', say);
}

const built = new Map<string, Promise<void>>();

/** Once per process: its sources do not change while tests run. */
function buildPage(script: string, say: Say): Promise<void> {
  const known = built.get(script) ?? runBuild(script, say);
  built.set(script, known);
  return known;
}

async function runBuild(script: string, say: Say): Promise<void> {
  const texts: string[] = [];
  const build = spawn(process.execPath, [join(PROJECT_ROOT, script)], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  build.stdout.on('data', (chunk: Buffer) => say(chunk.toString().trimEnd()));
  build.stderr.on('data', (chunk: Buffer) => texts.push(chunk.toString()));
  const code = await new Promise((resolve, reject) => build.once('error', reject).once('close', resolve));
  if (code !== 0) say(`A page could not be built (${script}); the rest works.\n${texts.join('')}`);
}
