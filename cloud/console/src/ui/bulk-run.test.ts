import { describe, expect, it } from 'vitest';
import { type BulkProgress, BulkRun, everyPage, onePage } from './bulk-run.ts';

describe('BulkRun', () => {
  it('does four at a time, goes on after failures, and lists them', async () => {
    const reports: BulkProgress<number>[] = [];
    let now = 0;
    let most = 0;
    const act = async (row: number) => {
      most = Math.max(most, ++now);
      await Promise.resolve();
      now--;
      if (row % 5 === 0) throw new Error(`not ${row}`);
    };
    const rows = Array.from({ length: 10 }, (_, place) => place + 1);
    await new BulkRun(onePage(rows), act, { total: 10, onProgress: (one) => reports.push(one) }).start();
    expect(most).toBe(4);
    expect(reports.at(-1)).toMatchObject({ done: 10, total: 10, state: 'finished', listError: null });
    expect(
      reports
        .at(-1)
        ?.failures.map(({ row }) => row)
        .sort((a, b) => a - b),
    ).toEqual([5, 10]);
  });

  it('begins nothing more once it is stopped', async () => {
    const reports: BulkProgress<number>[] = [];
    const run: BulkRun<number> = new BulkRun(onePage([1, 2, 3, 4, 5, 6, 7, 8]), async () => run.stop(), {
      total: 8,
      onProgress: (one) => reports.push(one),
    });
    await run.start();
    expect(reports.at(-1)?.state).toBe('stopped');
    expect(reports.at(-1)?.done).toBeLessThanOrEqual(4);
  });

  it('reads all pages of a list, and says where it could not be read', async () => {
    const pages: Record<string, { data: number[]; next: string | null }> = {
      first: { data: [1, 2], next: 'b' },
      b: { data: [3], next: 'c' },
    };
    const done: number[] = [];
    const reports: BulkProgress<number>[] = [];
    const read = async (next = 'first') => {
      const page = pages[next];
      if (!page) throw new Error('gone');
      return page;
    };
    const act = async (row: number) => void done.push(row);
    await new BulkRun(everyPage(read), act, { total: null, onProgress: (one) => reports.push(one) }).start();
    expect(done).toEqual([1, 2]);
    expect(reports.at(-1)?.listError).toEqual(new Error('gone'));

    pages['c'] = { data: [4], next: null };
    done.length = 0;
    await new BulkRun(everyPage(read), act, { total: null, onProgress: (one) => reports.push(one) }).start();
    expect(done).toEqual([1, 2, 3, 4]);
    expect(reports.at(-1)?.listError).toBeNull();
  });
});
