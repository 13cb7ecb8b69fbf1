import { LANGUAGE_NAMES, LANGUAGES, LOCALES } from '@hlid/protocol/base/language';
import { deadline } from '@hlid/protocol/test/deadline';
import type { Browser, Page, Route } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHROMIUM_IS_HERE, STILL_KIOSK, startChromium } from './chromium.ts';
import { car } from './kiosk-cars.ts';
import { findMisfits } from './kiosk-misfits.ts';
import { takePictures } from './kiosk-pictures.ts';
import { type KioskStandIn, startKioskStandIn } from './kiosk-stand-in.ts';

/** No person presses a key twice within this time. */
const BOUNCE_MS = 60;

/** The speech since the last interruption, and its language. */
interface Speech {
  said: { text: string; lang: string }[];
  /** All of it, with what was interrupted. */
  log: string[];
  tones: number[];
}

/** Runs in the page before its own code: gives it these voices, and records its speech and sounds. */
function speakInto(voices: readonly string[]): void {
  const speech: Speech = { said: [], log: [], tones: [] };
  const synthesis = {
    getVoices: () => voices.map((lang) => ({ lang, name: `Voice of ${lang}`, localService: true })),
    speak({ text, lang, voice }: { text: string; lang: string; voice: { lang: string } }) {
      if (voice.lang !== lang) throw new Error(`The voice of ${voice.lang} speaks ${lang}.`);
      speech.said.push({ text, lang });
      speech.log.push(text);
    },
    cancel: () => speech.said.splice(0),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  };
  class Utterance {
    readonly text: string;
    constructor(text: string) {
      this.text = text;
    }
  }
  class Oscillator extends OscillatorNode {
    constructor(context: BaseAudioContext, options: OscillatorOptions) {
      super(context, options);
      speech.tones.push(options.frequency ?? 0);
    }
  }
  Object.defineProperty(window, 'speechSynthesis', { value: synthesis });
  Object.assign(window, { SpeechSynthesisUtterance: Utterance, OscillatorNode: Oscillator, speech });
}

/** The step of the page's clock while a test waits for speech. */
const STEP_MS = 200;
const MAX_STEPS = 50;

describe.skipIf(!CHROMIUM_IS_HERE)('the kiosk for who cannot see it', () => {
  let browser: Browser;
  let pictures: Buffer[];
  let edge: KioskStandIn;
  let page: Page;
  let complaints: string[];

  beforeAll(async () => {
    browser = await startChromium();
    pictures = await takePictures(browser);
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    edge = await startKioskStandIn(pictures);
    edge.parked = [car('MKJ45'), car('AB123')];
    page = await browser.newPage(STILL_KIOSK);
    page.setDefaultTimeout(deadline(10_000));
    complaints = [];
    page.on('pageerror', (error) => complaints.push(error.message));
    await page.clock.install();
  });
  afterEach(async () => {
    await page.close();
    await edge.stop();
    expect(complaints).toEqual([]);
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true }).first();
  const speech = () => page.evaluate<Speech>('window.speech');
  const said = async () => (await speech()).said.map(({ text }) => text.replaceAll('\u00a0', ' '));
  /** Waits until it is spoken. The page's clock goes on meanwhile, but not so far that the kiosk forgets its driver. */
  const says = async (text: string | RegExp) => {
    let steps = 0;
    await expect
      .poll(
        async () => {
          if (steps < MAX_STEPS) await page.clock.runFor(STEP_MS);
          steps += 1;
          return (await said()).join('\n');
        },
        { timeout: deadline(10_000) },
      )
      .toMatch(text);
  };
  const open = async (voices: readonly string[] = Object.values(LOCALES)) => {
    await page.addInitScript(speakInto, voices);
    await page.goto(`${edge.url}/kiosk/`);
    await button('Greiða fyrir stæði').waitFor();
  };
  /** Goes by the arrow keys to the control that is read like this. */
  async function goTo(name: RegExp): Promise<void> {
    for (let steps = 0; steps < 80; steps++) {
      await page.keyboard.press('ArrowDown');
      if (name.test((await said()).join(' '))) return;
    }
    throw new Error(`The arrow keys do not lead to ${name}.`);
  }

  test('works by keys alone, from the first screen to the way out', async () => {
    await open();
    await page.keyboard.press('ArrowDown');
    expect((await speech()).log).toEqual([]);
    await page.keyboard.press('*');
    await says('Skjárinn er lesinn upphátt');
    expect(await said()).toEqual(
      expect.arrayContaining(['Greiddu hér áður en þú ekur út', 'Greiða fyrir stæði']),
    );
    expect(await said()).toContainEqual(expect.stringContaining('500 kr.'));
    expect((await speech()).tones.length).toBeGreaterThan(0);
    await goTo(/^Greiða fyrir stæði$/);
    await page.keyboard.press('Enter');
    await says('Hvert er bílnúmerið?');
    // The keys of the screen are not listed each time.
    expect((await said()).filter((text) => /^[A-ZÐÞÆÖ]$/.test(text))).toEqual([]);
    for (const letter of 'MK') {
      await page.keyboard.press(letter.toLowerCase());
      await says(new RegExp(`^${letter}$`));
    }
    await page.keyboard.press('j');
    await says(/M K J.*Kom inn.*Greiða 1\.450 kr\./s);
    await page.keyboard.press('*');
    expect((await said())[0]).toBe('Hvert er bílnúmerið?');
    expect((await said()).join(' ')).toContain('Bílnúmer: M K J');
    await goTo(/^Greiða 1\.450 kr\.$/);
    await page.keyboard.press('Enter');
    await says('Greiddu í posanum');
    await expect.poll(() => edge.orders.length).toBe(1);
    edge.move({ prompt: 'enter-pin' });
    await says('PIN');
    const before = (await speech()).tones.length;
    edge.move({ state: 'settled', prompt: null, paidUntil: new Date(Date.now() + 900_000).toISOString() });
    await says('Greitt. Takk fyrir!');
    expect((await speech()).tones.length).toBeGreaterThan(before);
    await page.keyboard.press('/');
    await page.keyboard.press('ArrowDown');
    expect(await said()).toEqual([]);
  });

  test('reads a car to the end when its price comes later', async () => {
    const held: Route[] = [];
    await page.route(/\/api\/kiosk\/visits\/[^/?]+\?/, (route) => void held.push(route));
    await open();
    await page.keyboard.press('*');
    await says('Greiddu hér');
    await goTo(/^Greiða fyrir stæði$/);
    await page.keyboard.press('Enter');
    await says('Hvert er bílnúmerið?');
    await page.keyboard.type('mkj', { delay: 2 * BOUNCE_MS });
    await says(/M K J.*Kom inn/s);
    expect(await said()).not.toContain('Greiða 1.450 kr.');
    await expect.poll(() => held.length).toBe(1);
    await held[0]?.continue();
    await says('Greiða 1.450 kr.');
    expect((await said()).join('\n')).toMatch(/M K J.*Kom inn.*Greiða 1\.450 kr\./s);
  });

  test('a touch says what it is, and the next one presses it, also at once', async () => {
    await open();
    await page.keyboard.press('*');
    await says('Greiddu hér');
    await button('Greiða fyrir stæði').tap();
    expect(await said()).toEqual(['Greiða fyrir stæði']);
    await expect.poll(() => button('Greiða fyrir stæði').isVisible()).toBe(true);
    await button('Greiða fyrir stæði').tap();
    await says('Hvert er bílnúmerið?');
    const typed = page.locator('.typed [aria-live]');
    await button('M').tap();
    expect([await said(), await typed.textContent()]).toEqual([['M'], '']);
    await button('M').tap();
    await expect.poll(() => typed.textContent()).toBe('M');
    // The same key again is a press, once it is no bounce of the finger.
    const typedAt = performance.now();
    await expect.poll(() => performance.now() - typedAt).toBeGreaterThan(BOUNCE_MS);
    await button('M').tap();
    await expect.poll(() => typed.textContent()).toBe('MM');
    await page.getByRole('heading', { name: 'Hvert er bílnúmerið?' }).tap();
    expect(await said()).toEqual(['Hvert er bílnúmerið?']);
    await button('Hreinsa').dblclick();
    await expect.poll(() => typed.textContent()).toBe('');
  });

  test('speaks each language with its own voice, and not at all if there is none', async () => {
    await open(Object.values(LOCALES).filter((locale) => locale !== LOCALES.pl));
    await page.keyboard.press('*');
    for (const language of LANGUAGES.toReversed().filter((each) => each !== 'pl')) {
      await page.getByRole('button', { name: LANGUAGE_NAMES[language] }).focus();
      await page.keyboard.press('Enter');
      await expect
        .poll(
          async () => {
            await page.clock.runFor(200);
            return (await speech()).said.map(({ lang }) => lang);
          },
          { timeout: deadline(10_000) },
        )
        .toContain(LOCALES[language]);
      const title = await page.getByRole('heading', { level: 1 }).textContent();
      await says(title ?? '?');
    }
    await page.getByRole('button', { name: LANGUAGE_NAMES.pl }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Pomoc' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').waitFor();
    expect(await button('Czytaj na głos').count()).toBe(0);
    await page.clock.runFor(1000);
    expect(await said()).toEqual([]);
  });

  test('stops reading when the driver has gone, and a button in the help turns it on as well', async () => {
    await open();
    await button('Greiða fyrir stæði').tap();
    await button('Aðstoð').tap();
    const misfits = await page.evaluate(findMisfits, {
      least: 44,
      manners: (['is', 'de', 'pl'] as const).flatMap((language) => [
        { language, large: false },
        { language, large: true },
      ]),
    });
    expect(misfits).toEqual([]);
    await page.getByRole('button', { name: 'Czytaj na głos' }).tap();
    await says('Ekran jest czytany na głos');
    await expect.poll(() => page.locator('[aria-pressed=true]', { hasText: 'Czytaj na' }).count()).toBe(1);
    await page.keyboard.press('Escape');
    await says('Jaki jest numer rejestracyjny?');
    // Longer than who reads needs.
    await page.clock.runFor(60_000);
    await page.getByRole('heading', { name: 'Jaki jest numer rejestracyjny?' }).waitFor();
    await page.clock.runFor(60_000);
    await button('Greiða fyrir stæði').waitFor();
    await button('Greiða fyrir stæði').tap();
    await page.getByRole('heading', { name: 'Hvert er bílnúmerið?' }).waitFor();
  });
});
