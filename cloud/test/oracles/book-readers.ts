import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { z } from 'zod';

const CACHE = fileURLToPath(new URL('../../../node_modules/.cache/', import.meta.url));
const LEDGER = 'mloda-community-german-ledger==0.11.0';
const MAX_MS = 120_000;

export const PYTHON_IS_HERE = spawnSync('python3', ['--version'], { stdio: 'ignore' }).status === 0;

const BooksSchema = z.strictObject({
  rows: z.int(),
  sums: z.record(z.string(), z.string()),
  unbalanced: z.array(z.string()),
});
const BatchSchema = z.strictObject({
  from: z.string(),
  to: z.string(),
  consultant: z.string(),
  rows: z.int(),
  sums: z.record(z.string(), z.string()),
  documents: z.array(z.string()),
  reversals: z.int(),
});

/** Reads a CSV of the books with Python's own reader. */
export function readBooks(bytes: Uint8Array) {
  return BooksSchema.parse(run('read-books.py', [], bytes));
}

/** Reads a batch for DATEV with a reader that others wrote. @param folder see `ledgerReader` */
export function readBatch(folder: string, bytes: Uint8Array) {
  return BatchSchema.parse(run('read-extf.py', [folder], bytes));
}

function run(program: string, args: readonly string[], bytes: Uint8Array): unknown {
  const work = mkdtempSync(join(tmpdir(), 'hlid-books-'));
  try {
    const path = join(work, 'books.csv');
    writeFileSync(path, bytes);
    const script = fileURLToPath(new URL(program, import.meta.url));
    const { status, stdout, stderr } = spawnSync('python3', [script, ...args, path], {
      encoding: 'utf8',
      timeout: MAX_MS,
    });
    if (status !== 0) throw new Error(stderr.trim().split('\n').at(-1));
    return JSON.parse(stdout);
  } finally {
    rmSync(work, { recursive: true });
  }
}

/** The folder of the reader of EXTF, which pip brings the first time; null: Python or pip is not there. */
export function ledgerReader(): string | null {
  const folder = join(CACHE, 'hlid-german-ledger-0.11.0');
  if (existsSync(folder)) return folder;
  const made = mkdtempSync(join(CACHE, 'hlid-german-ledger-'));
  const options = ['install', '-q', '--no-deps', '--only-binary', ':all:', '--target', made, LEDGER];
  const { status } = spawnSync('python3', ['-m', 'pip', ...options], { stdio: 'ignore', timeout: MAX_MS });
  if (status !== 0) {
    rmSync(made, { recursive: true });
    return null;
  }
  try {
    renameSync(made, folder);
  } catch {
    // Another worker was first.
    rmSync(made, { recursive: true });
  }
  return folder;
}
