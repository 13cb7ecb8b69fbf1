import { EventEmitter } from 'node:events';
import { deadline } from '@hlid/protocol/test/deadline';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { HELP_ADDRESS, PAGE_ADDRESS } from './address-policy.ts';
import { type KeptPage, keepPage } from './keep-page.ts';
import type { ShellFact } from './shell-log.ts';

/** A fake of Electron's `WebContents`: its process ends a moment after the order. */
class FakePage extends EventEmitter implements KeptPage {
  loads: string[] = [];
  crashes = 0;
  #crashed = false;

  isCrashed(): boolean {
    return this.#crashed;
  }

  async loadURL(address: string): Promise<void> {
    if (this.#crashed === false && this.listenerCount('render-process-gone') === 0)
      throw new Error('too early');
    this.#crashed = false;
    this.loads.push(address);
  }

  forcefullyCrashRenderer(): void {
    this.crashes++;
    setImmediate(() => this.crash('crashed'));
  }

  crash(reason: string): void {
    this.#crashed = true;
    this.emit('render-process-gone', {}, { reason });
  }

  async load(times: number): Promise<void> {
    await vi.waitFor(() => expect(this.loads).toHaveLength(times), deadline(10_000));
  }
}

let page: FakePage;
let kept: ReturnType<typeof keepPage>;
let now: number;
let left: number;
let facts: ShellFact[];

beforeEach(() => {
  page = new FakePage();
  now = 0;
  left = 0;
  facts = [];
  kept = keepPage(page, {
    log: (fact) => facts.push(fact),
    tick: () => now,
    leave: () => {
      left++;
    },
    checkEveryMs: 2,
  });
});

afterEach(() => kept.stop());

it('loads the page, and loads it again when its process has gone', async () => {
  await page.load(1);
  kept.beat({ shows: true, idle: true });
  page.crash('oom');
  // Electron reports the end of the process before it has finished with it.
  expect(page.loads).toHaveLength(1);
  await page.load(2);
  expect(page.loads).toEqual([PAGE_ADDRESS, PAGE_ADDRESS]);
  expect(page.crashes).toBe(0);
  expect(facts).toEqual(['kiosk.page-failed', 'kiosk.page-reloaded']);
});

it('ends the process of a page that hangs before it loads it again, which counts once', async () => {
  await page.load(1);
  kept.beat({ shows: true, idle: false });
  now += 21_000;
  await page.load(2);
  expect(page.crashes).toBe(1);
  expect(facts.filter((fact) => fact === 'kiosk.page-reloaded')).toHaveLength(1);
  expect(facts).not.toContain('kiosk.page-failed');

  kept.beat({ shows: true, idle: false });
  page.emit('unresponsive');
  await page.load(3);
  expect(page.crashes).toBe(2);
});

it('shows the help screen for a page that keeps failing, then the page again', async () => {
  await page.load(1);
  for (let times = 0; times < 4; times++) {
    page.emit('did-fail-load', {}, -6, 'ERR_FILE_NOT_FOUND', PAGE_ADDRESS, true);
    await page.load(times + 2);
  }
  expect(page.loads.at(-1)).toBe(HELP_ADDRESS);
  now += 61_000;
  await page.load(6);
  expect(page.loads.at(-1)).toBe(PAGE_ADDRESS);
});

it('is not bothered by parts of the page, or by a load that took the place of another', async () => {
  await page.load(1);
  page.emit('did-fail-load', {}, -6, 'ERR_FILE_NOT_FOUND', 'app://kiosk/x', false);
  page.emit('did-fail-load', {}, -3, 'ERR_ABORTED', PAGE_ADDRESS, true);
  expect(facts).toEqual([]);
});

it('ends the program when nothing helps, once', async () => {
  for (let times = 0; times < 6; times++) {
    for (let faults = 0; faults < 4; faults++) page.emit('preload-error');
    await vi.waitFor(
      () => expect(left > 0 || page.loads.at(-1) === HELP_ADDRESS).toBe(true),
      deadline(10_000),
    );
    now += 61_000;
    await vi.waitFor(
      () => expect(left > 0 || page.loads.at(-1) === PAGE_ADDRESS).toBe(true),
      deadline(10_000),
    );
  }
  page.emit('preload-error');
  expect(left).toBe(1);
  expect(facts.filter((fact) => fact === 'kiosk.gave-up')).toHaveLength(1);
});

it('does nothing more once it is stopped', async () => {
  await page.load(1);
  kept.stop();
  page.crash('killed');
  now += 3_600_000;
  await new Promise((resolve) => setImmediate(resolve));
  expect(page.loads).toHaveLength(1);
  expect(facts).toEqual([]);
});
