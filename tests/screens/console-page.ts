import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, BrowserContextOptions, Page, Request } from 'playwright-core';
import { afterAll, beforeAll, expect } from 'vitest';
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
  /** A page in a separate browser, at a path below `/console/`, with the operator logged in. */
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

/** A page of the console on which one goes from room to room without loading the page again, which takes five times as long. */
export class ConsoleWalk {
  readonly #page: Page;
  readonly #underWay = new Set<Request>();

  constructor(page: Page) {
    this.#page = page;
    page.on('request', (request) => {
      if (request.isNavigationRequest()) this.#underWay.clear();
      // Events are never through.
      if (!/\/events\b/.test(request.url())) this.#underWay.add(request);
    });
    page.on('requestfinished', (request) => this.#underWay.delete(request));
    page.on('requestfailed', (request) => this.#underWay.delete(request));
  }

  /** The paths of all rooms in the menu. */
  async rooms(): Promise<string[]> {
    const links = this.#page.locator('nav.rooms a');
    await links.first().waitFor();
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    expect(paths.length).toBeGreaterThan(15);
    return paths;
  }

  /** Goes to a path of the console, and waits until all of it is there. */
  async goTo(path: string): Promise<void> {
    await this.#page.evaluate((to) => {
      if (location.pathname + location.search !== to) history.pushState(null, '', to);
    }, path);
    await this.settles(path);
  }

  /** Waits until nothing is on its way and nothing is shown as loading. */
  async settles(where: string): Promise<void> {
    await this.#page.locator('main h1').first().waitFor();
    let quiet = 0;
    await expect
      .poll(
        async () => {
          const loading = await this.#page.evaluate(async () => {
            await new Promise((resolve) => setTimeout(resolve));
            await new Promise(requestAnimationFrame);
            return document.querySelectorAll('.skeleton').length;
          });
          quiet = loading + this.#underWay.size === 0 ? quiet + 1 : 0;
          return quiet;
        },
        { message: `${where} to be loaded` },
      )
      .toBeGreaterThan(1);
  }

  /** The next press of Tab leads to the first stop of the page. */
  async beginAtTop(): Promise<void> {
    await this.#page.evaluate(() => {
      const start = document.createElement('span');
      start.tabIndex = -1;
      document.body.prepend(start);
      start.focus();
      start.remove();
    });
  }
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
