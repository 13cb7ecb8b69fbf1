import { createHash } from 'node:crypto';
import {
  chownSync,
  closeSync,
  constants,
  copyFileSync,
  existsSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname } from 'node:path';
import { syncNow } from '@hlid/node/durable-files';
import { writeSecretFile } from '@hlid/node/private-files';
import { EditedYaml } from '@hlid/protocol/command-line/edit-yaml';
import { placeholdersIn } from '@hlid/protocol/command-line/read-yaml';
import { z } from 'zod';

/** The parts of the interview, in their order. */
export const SETUP_PARTS = ['site', 'lanes', 'cameras', 'terminal', 'drivers', 'network'] as const;
export type SetupPart = (typeof SETUP_PARTS)[number];

const KeptSchema = z.object({
  base: z.string(),
  finished: z.array(z.enum(SETUP_PARTS)),
  text: z.string(),
});

/** The first lines of a new configuration file. */
const FIRST_LINES = '# Configuration of this site. `setup` asks for it; `config check` reports mistakes.\n';

/** A configuration while its questions are answered: beside the file, until it is written into it. */
export class SetupDraft {
  readonly path: string;
  readonly finished = new Set<SetupPart>();
  /** Answers of a run that was stopped, and whether the file is still that to which they belong. */
  readonly kept: { finished: readonly SetupPart[]; fits: boolean } | null;
  /** The configuration was never finished: everything is asked. */
  readonly isFirst: boolean;
  file: EditedYaml;
  readonly #base: string;
  readonly #dataDir: string;
  readonly #keptText: string | null;

  /**
   * @param path of the configuration file, which need not exist
   * @param dataDir its owner gets a new file: the daemon must read it
   */
  constructor(path: string, dataDir: string) {
    this.path = existsSync(path) ? realpathSync(path) : path;
    this.#dataDir = dataDir;
    const text = readOrEmpty(this.path);
    this.#base = hashOf(text);
    this.isFirst = text === '' || placeholdersIn(text).length > 0;
    this.file = new EditedYaml(text === '' ? FIRST_LINES : text);
    const kept = readKept(`${this.path}.setup`);
    this.kept = kept && { finished: kept.finished, fits: kept.base === this.#base };
    this.#keptText = kept?.text ?? null;
  }

  /** Goes on with the answers of the run that was stopped. */
  goOn(): void {
    if (this.#keptText !== null) this.file = new EditedYaml(this.#keptText);
    for (const part of this.kept?.finished ?? []) this.finished.add(part);
  }

  /** Keeps the answers up to here. */
  keep(part?: SetupPart): void {
    if (part) this.finished.add(part);
    const kept = { base: this.#base, finished: [...this.finished], text: this.file.text() };
    writeSecretFile(dirname(this.path), `${basename(this.path)}.setup`, kept);
  }

  forget(): void {
    rmSync(`${this.path}.setup`, { force: true });
  }

  hasChanged(): boolean {
    return hashOf(this.file.text()) !== hashOf(new EditedYaml(readOrEmpty(this.path)).text());
  }

  /**
   * Writes the configuration, whole or not at all, for the user who owns it. `changed`: the file is not the one that was
   * read any more.
   *
   * @param at names the copy of the former file
   */
  write(at: Date): { ok: true; backup: string | null } | { ok: false; reason: 'changed' } {
    const { path } = this;
    if (hashOf(readOrEmpty(path)) !== this.#base) return { ok: false, reason: 'changed' };
    const folder = dirname(path);
    const former = existsSync(path) ? statSync(path) : null;
    const { uid, gid } = former ?? statSync(existsSync(this.#dataDir) ? this.#dataDir : folder);
    let backup: string | null = null;
    if (former) {
      backup = `${path}.${at.toISOString().replace(/[-:]|\.\d+/g, '')}`;
      copyFileSync(path, backup, constants.COPYFILE_FICLONE);
      if (isRoot()) chownSync(backup, uid, gid);
    }
    const next = `${path}.next`;
    rmSync(next, { force: true });
    const file = openSync(next, 'wx', 0o600);
    try {
      writeSync(file, this.file.text());
      fchmodSync(file, former ? former.mode & 0o777 : 0o600);
      if (isRoot()) fchownSync(file, uid, gid);
      fsyncSync(file);
    } finally {
      closeSync(file);
    }
    renameSync(next, path);
    syncNow(folder);
    this.forget();
    return { ok: true, backup };
  }
}

const isRoot = () => process.getuid?.() === 0;

function readOrEmpty(path: string): string {
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
}

function readKept(path: string): z.infer<typeof KeptSchema> | null {
  if (!existsSync(path)) return null;
  try {
    return KeptSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch {
    // Written by another version: the questions are asked again.
    return null;
  }
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}
