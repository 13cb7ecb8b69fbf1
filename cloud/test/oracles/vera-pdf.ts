import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SHORT_RUN } from './oracle-jars.ts';

const PROGRAM = fileURLToPath(new URL('CheckPdf.java', import.meta.url));
const run = promisify(execFile);

/**
 * Judges files by PDF/UA-1 with veraPDF, all in one run.
 *
 * @param folder of the jars
 * @returns what each file breaks, as clauses of ISO 14289-1 with a text
 */
export async function brokenClauses(folder: string, files: readonly Uint8Array[]): Promise<string[][]> {
  const work = mkdtempSync(join(tmpdir(), 'hlid-vera-'));
  try {
    const paths = files.map((file, n) => {
      const path = join(work, `${n}.pdf`);
      writeFileSync(path, file);
      return path;
    });
    const { stdout } = await run('java', [...SHORT_RUN, '-cp', `${folder}/*`, PROGRAM, ...paths]);
    const reports = stdout.split('== ').slice(1);
    if (reports.length !== files.length)
      throw new Error(`veraPDF judged ${reports.length} of ${files.length}`);
    return reports.map((report) => report.split('\n').slice(1).filter(Boolean));
  } finally {
    rmSync(work, { recursive: true });
  }
}
