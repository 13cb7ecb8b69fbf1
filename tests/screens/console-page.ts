import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll } from 'vitest';
import { buildConsole } from '../harness/build-pages.ts';
import { type OperatedCloud, startOperatedCloud } from '../harness/cloud-program.ts';
import { startChromium } from './chromium.ts';

const START_TIMEOUT_MS = 120_000;

/** The cloud with its console, and a browser. */
export interface ConsoleStage {
  operated: OperatedCloud;
  browser: Browser;
  /** The address has a name, since browsers make no passkeys for a numeric address. */
  address: string;
  /** A page of its own browser, at a path below `/console/`, with the operator logged in. */
  open(path: string, how?: ConsoleLook): Promise<Page>;
  stop(): Promise<void>;
}

interface ConsoleLook extends BrowserContextOptions {
  language?: 'is' | 'en';
  /** The login; null: none; absent: the operator's. */
  login?: { id: string; password: string } | null;
}

export async function startConsole(drawn: { drawnAt?: number } = {}): Promise<ConsoleStage> {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-console-'));
  await buildConsole(console.warn);
  const operated = await startOperatedCloud({ folder });
  const stopCloud = async () => {
    await operated.cloud.stop();
    rmSync(folder, { recursive: true });
  };
  return await showConsole(operated, stopCloud, drawn);
}

/** Sets up a stage for the tests of a group. */
export function stageForGroup(start: () => Promise<void>, stop: () => Promise<void> | undefined): void {
  beforeAll(start, START_TIMEOUT_MS);
  afterAll(stop);
}

/** The console of a cloud that runs; it was built before the cloud was started. */
export async function showConsole(
  operated: OperatedCloud,
  stopCloud: () => Promise<void>,
  drawn: { drawnAt?: number } = {},
): Promise<ConsoleStage> {
  const address = `http://localhost:${new URL(operated.cloud.httpUrl()).port}`;
  const browser = await startChromium(drawn);
  return {
    operated,
    browser,
    address,
    async open(path, { language = 'en', login = operated.operatorLogin, ...options } = {}) {
      const context = await browser.newContext({
        locale: language === 'is' ? 'is-IS' : 'en-GB',
        viewport: { width: 1280, height: 800 },
        ...options,
      });
      const page = await context.newPage();
      if (login !== null) {
        const headers = { Origin: address };
        const opened = await page.request.post(`${address}/session`, { data: login, headers });
        if (!opened.ok()) throw new Error(`The login was refused: ${await opened.text()}`);
      }
      await page.goto(`${address}/console/${path}`);
      return page;
    },
    async stop() {
      await browser.close();
      await stopCloud();
    },
  };
}
