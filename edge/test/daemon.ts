import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach } from 'vitest';
import { writeTechnicianKey } from '../src/local-api/technician-key.ts';
import { createTestBoard } from './board.ts';
import { runAtTerminal, runInShell } from './shell.ts';

/** A data folder on which a daemon runs, new for each test of the file that calls this. */
export function useDaemon() {
  const daemon = {
    folder: '',
    site: undefined as unknown as ReturnType<typeof createTestBoard>,
    /** Runs a command of the technician on it, at a terminal. */
    run: (line: string) => runAtTerminal(line.split(' '), { environment: { HLID_DATA_DIR: daemon.folder } }),
    /** The same in a pipe. */
    runInPipe: (line: string) =>
      runInShell(line.split(' '), { environment: { HLID_DATA_DIR: daemon.folder } }),
  };

  beforeEach(async () => {
    daemon.folder = mkdtempSync(join(tmpdir(), 'hlid-daemon-'));
    daemon.site = createTestBoard();
    const { url } = await daemon.site.api.start();
    writeTechnicianKey(daemon.folder, { url, secret: 'the-secret' });
  });
  afterEach(async () => {
    await daemon.site.api.stop();
    rmSync(daemon.folder, { recursive: true });
  });
  return daemon;
}
