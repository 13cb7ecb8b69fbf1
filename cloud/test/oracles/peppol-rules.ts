import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { promisify } from 'node:util';
import { SHORT_RUN } from './oracle-jars.ts';

const RULES = 'external/schematron/openpeppol/2026.5/xslt';
/** EN 16931 itself, and Peppol BIS Billing 3.0 with the rules of each country, Iceland's too. */
const STYLESHEETS = ['CEN-EN16931-UBL.xslt', 'PEPPOL-EN16931-UBL.xslt'];

const run = promisify(execFile);

/**
 * Judges documents by the published rules, all in one run.
 *
 * @param folder of the jars
 * @param documents XML by name
 * @returns the rules that each document breaks, such as `BR-CO-15`, fatal or not
 */
export async function brokenRules(
  folder: string,
  documents: ReadonlyMap<string, string>,
): Promise<Map<string, string[]>> {
  const work = mkdtempSync(join(tmpdir(), 'hlid-rules-'));
  try {
    await run('unzip', ['-q', join(folder, 'phive-rules-peppol-4.3.7.jar'), `${RULES}/*`, '-d', work]);
    const stylesheets = STYLESHEETS.map((name) => join(work, RULES, name));
    return await brokenRulesOf(folder, stylesheets, documents);
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** The same by other stylesheets that make reports in SVRL. @param stylesheets their paths */
export async function brokenRulesOf(
  folder: string,
  stylesheets: readonly string[],
  documents: ReadonlyMap<string, string>,
): Promise<Map<string, string[]>> {
  const work = mkdtempSync(join(tmpdir(), 'hlid-peppol-'));
  try {
    const source = join(work, 'in');
    mkdirSync(source);
    for (const [name, xml] of documents) writeFileSync(join(source, `${name}.xml`), xml);
    const broken = new Map([...documents.keys()].map((name) => [name, [] as string[]]));
    for (const stylesheet of stylesheets) {
      const output = join(work, `by-${basename(stylesheet)}`);
      mkdirSync(output);
      const options = [...SHORT_RUN, '-cp', `${folder}/*`, 'net.sf.saxon.Transform', `-s:${source}`];
      await run('java', [...options, `-xsl:${stylesheet}`, `-o:${output}`]);
      for (const [name, rules] of broken) {
        const report = readFileSync(join(output, `${name}.xml`), 'utf8');
        if (!report.includes('fired-rule'))
          throw new Error(`${stylesheet} found nothing to judge in ${name}`);
        rules.push(...[...report.matchAll(/failed-assert[^>]*?\sid="([^"]+)"/g)].map(([, id = '']) => id));
      }
    }
    return broken;
  } finally {
    rmSync(work, { recursive: true });
  }
}
