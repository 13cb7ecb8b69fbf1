import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { contentDigest } from '@hlid/node/digest';

const POM = fileURLToPath(new URL('pom.xml', import.meta.url));
const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));
const MAX_MS = 300_000;

/** Java for a run of seconds: its second compiler takes more processor time than it saves. */
export const SHORT_RUN = ['-XX:TieredStopAtLevel=1', '-XX:+UseSerialGC'];

/** The programs that judge our documents, or the reason why they are absent. */
export type OracleJars = { ok: true; folder: string } | { ok: false; missing: string };

let found: OracleJars | undefined;

/** Finds the jars of `pom.xml`; the first time Maven brings them. Without Java or Maven the tests that need them skip. */
export function oracleJars(): OracleJars {
  found ??= findJars();
  return found;
}

function findJars(): OracleJars {
  for (const program of ['java', 'mvn']) {
    const { error } = spawnSync(program, ['-version'], { stdio: 'ignore', timeout: MAX_MS });
    if (error) return { ok: false, missing: `needs ${program}` };
  }
  const folder = `${CACHE}hlid-oracles-${contentDigest(readFileSync(POM, 'utf8')).slice(0, 16)}`;
  if (existsSync(folder)) return { ok: true, folder };
  const made = mkdtempSync(`${CACHE}hlid-oracles-`);
  const options = ['-q', '-f', POM, 'dependency:copy-dependencies', `-DoutputDirectory=${made}`];
  const { status, stdout } = spawnSync('mvn', options, { encoding: 'utf8', timeout: MAX_MS });
  if (status !== 0) {
    rmSync(made, { recursive: true });
    return { ok: false, missing: `needs what Maven could not bring: ${stdout.split('\n')[0] ?? ''}` };
  }
  try {
    renameSync(made, folder);
  } catch {
    // Another worker was first.
    rmSync(made, { recursive: true });
  }
  return { ok: true, folder };
}
