import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { createTestApi, startScanThread, type TestApi } from '../../../test/api.ts';
import { addSampleVisits } from '../../../test/sample-visits.ts';
import { VISIT_FILE_SCAN } from '../../integration/reports/scan-keys.ts';
import type { ScanThread } from '../../platform/db/scan-thread.ts';
import { remoteScans, type Scans } from '../../platform/db/scans.ts';
import { WorkerScans } from '../../platform/db/worker-scans.ts';
import { startScanThread as startFromSource } from './scan-entry.ts';
import { scanJob } from './scan-jobs.ts';

const log = pino({ level: 'silent' });
/**
 * Six pages: more than lie ready. The threads give way to all others, so that each row takes long on a busy machine.
 */
const ROWS = 6000;
const FROM = '2026-01-01T00:00:00.000Z';
/** One a minute. */
const ROWS_A_DAY = 1440;
const never = new AbortController().signal;
const CSV = { filters: {}, now: FROM, language: 'en', format: { kind: 'csv', separator: ',' } } as const;
const ONE_DAY = { ...CSV, filters: { from: FROM, before: '2026-01-02T00:00:00.000Z' } } as const;

let api: TestApi;
let scans: Scans;
let threads: ScanThread[];

beforeAll(async () => {
  api = await createTestApi();
  await addSampleVisits(api.db, { siteId: api.site.id, from: FROM, count: ROWS });
});
afterAll(() => api.close());

beforeEach(() => {
  threads = [];
  scans = new WorkerScans(api.dbPath, log, (path, onGone) => {
    const thread = startScanThread(path, onGone);
    threads.push(thread);
    return thread;
  });
});

afterEach(() => scans.close());

async function linesOf(pieces: AsyncIterable<Uint8Array>): Promise<number> {
  let text = '';
  for await (const piece of pieces) text += Buffer.from(piece).toString();
  return text.split('\r\n').length - 1;
}

describe('scans in worker threads', () => {
  it('give everything, in order, while others are answered', async () => {
    let turns = 0;
    const beat = setInterval(() => turns++, 1);
    expect(await linesOf(scans.run(VISIT_FILE_SCAN, CSV, never))).toBe(ROWS + 1);
    clearInterval(beat);
    expect(turns).toBeGreaterThan(10);
  });

  it('run from source as they do when they are built', async () => {
    const fromSource = new WorkerScans(api.dbPath, log, startFromSource);
    expect(await linesOf(fromSource.run(VISIT_FILE_SCAN, ONE_DAY, never))).toBe(ROWS_A_DAY + 1);
    await fromSource.close();
  });

  it('share two threads, however many there are, and all come to their end', async () => {
    const all = Array.from({ length: 12 }, () => linesOf(scans.run(VISIT_FILE_SCAN, ONE_DAY, never)));
    expect(new Set(await Promise.all(all))).toEqual(new Set([ROWS_A_DAY + 1]));
    expect(threads.length).toBe(2);
  });

  it('read no further ahead than there is room', async () => {
    const pieces = scans.run(VISIT_FILE_SCAN, CSV, never);
    await pieces.next();
    const before = threads[0]?.running;
    // A scan that needs the same thread gets through, though the first one stands still.
    expect(await linesOf(scans.run(VISIT_FILE_SCAN, CSV, never))).toBe(ROWS + 1);
    expect(before).toBe(1);
    let rest = 0;
    for await (const piece of pieces) rest += piece.byteLength;
    expect(rest).toBeGreaterThan(0);
  });

  it.each(['abort', 'return'] as const)(
    'are broken off by %s, and leave their place to others',
    async (how) => {
      const gone = new AbortController();
      const pieces = scans.run(VISIT_FILE_SCAN, CSV, gone.signal);
      await pieces.next();
      if (how === 'abort') {
        gone.abort(new Error('enough'));
        await expect(linesOf(pieces)).rejects.toThrow('enough');
      } else {
        await pieces.return(undefined);
      }
      await expect.poll(() => threads[0]?.running).toBe(0);
    },
  );

  it('do not begin when no reader wants them any more', async () => {
    const pieces = scans.run(VISIT_FILE_SCAN, CSV, AbortSignal.abort(new Error('too late')));
    await expect(pieces.next()).rejects.toThrow('too late');
    expect(threads).toEqual([]);
  });

  it('say what went wrong, and the thread goes on', async () => {
    await api.db.write(async ({ q }) => void (await q.run('ALTER TABLE visit RENAME TO gone')));
    await expect(scans.run(VISIT_FILE_SCAN, CSV, never).next()).rejects.toThrow('no such table');
    await api.db.write(async ({ q }) => void (await q.run('ALTER TABLE gone RENAME TO visit')));
    expect(await linesOf(scans.run(VISIT_FILE_SCAN, CSV, never))).toBe(ROWS + 1);
    expect(threads.length).toBe(1);
  });

  it('start a new thread after one has broken down; what ran in it fails', async () => {
    const pieces = scans.run(VISIT_FILE_SCAN, CSV, never);
    await pieces.next();
    await threads[0]?.stop();
    await expect(linesOf(pieces)).rejects.toThrow('ended');
    expect(await linesOf(scans.run(VISIT_FILE_SCAN, CSV, never))).toBe(ROWS + 1);
    expect(threads.length).toBe(2);
  });

  it('end when they are closed', async () => {
    const pieces = scans.run(VISIT_FILE_SCAN, CSV, never);
    await pieces.next();
    await scans.close();
    await expect(linesOf(pieces)).rejects.toThrow();
    await expect(scans.run(VISIT_FILE_SCAN, CSV, never).next()).rejects.toThrow('closed');
  });
});

describe('scans of a remote database', () => {
  it('give the same, on its own connection', async () => {
    const remote = remoteScans(scanJob, async () => api.db);
    expect(await linesOf(remote.run(VISIT_FILE_SCAN, CSV, never))).toBe(ROWS + 1);
    const gone = new AbortController();
    const pieces = remote.run(VISIT_FILE_SCAN, CSV, gone.signal);
    await pieces.next();
    gone.abort(new Error('enough'));
    await expect(linesOf(pieces)).rejects.toThrow('enough');
    await remote.close();
    await expect(remote.run(VISIT_FILE_SCAN, CSV, never).next()).rejects.toThrow('closed');
  });
});
