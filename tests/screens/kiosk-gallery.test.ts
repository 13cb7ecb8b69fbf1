import { mkdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { car } from './kiosk-cars.ts';
import { findMisfits, speak } from './kiosk-misfits.ts';
import { takePictures } from './kiosk-pictures.ts';
import { type KioskStandIn, startKioskStandIn } from './kiosk-stand-in.ts';

/** Not part of the repository. */
const FOLDER = fileURLToPath(new URL('../../node_modules/.cache/hlid-screens/kiosk/', import.meta.url));
const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const LEAST_TARGET = 44;

const SIZES = [
  { width: 1080, height: 1920, scheme: 'light' },
  { width: 1024, height: 768, scheme: 'dark' },
] as const;

/** Both languages in light and dark at both sizes: takes a few minutes. Without it each screen is looked at twice. */
const EVERY_ONE = process.env['HLID_SCREENS'] === 'all';

describe.skipIf(!CHROMIUM_IS_HERE).each(SIZES)(
  'every screen of the kiosk at $width × $height',
  (viewport) => {
    let browser: Browser;
    let edge: KioskStandIn;
    let page: Page;
    const complaints: string[] = [];

    beforeAll(async () => {
      mkdirSync(FOLDER, { recursive: true });
      browser = await startChromium();
      edge = await startKioskStandIn(await takePictures(browser));
      page = await browser.newPage({
        viewport: { width: viewport.width, height: viewport.height },
        hasTouch: true,
        colorScheme: viewport.scheme,
        reducedMotion: 'reduce',
      });
      // A step that cannot be taken is named by its own failure, before the test's time is over.
      page.setDefaultTimeout(10_000);
      page.on('pageerror', (error) => complaints.push(error.message));
      page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
      await page.goto(`${edge.url}/kiosk/`);
      // The policy of the page forbids scripts of others; this one comes in as the test's own.
      await page.evaluate(AXE);
    });
    afterAll(async () => {
      await browser.close();
      await edge.stop();
    });

    const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
    const press = (name: string | RegExp) => button(name).click();
    const type = (text: string) => page.keyboard.type(text);
    const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor();

    /**
     * Looks at the screen in both languages, and with letters of twice the size. Of screens that are all `alike` but for
     * their words, axe and the camera see one, unless every one is asked for.
     */
    async function look(name: string, { alike = false } = {}): Promise<void> {
      expect.soft(await misfits(), name).toEqual([]);
      if (alike && !EVERY_ONE) return;
      for (const language of EVERY_ONE ? (['en', 'is'] as const) : (['is'] as const)) {
        if (EVERY_ONE) await page.evaluate(speak, language);
        for (const scheme of EVERY_ONE ? (['dark', 'light'] as const) : [viewport.scheme]) {
          if (EVERY_ONE) await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
          await lookAt(`${name}-${language}-${viewport.width}-${scheme}.jpg`);
        }
      }
      if (EVERY_ONE) await page.emulateMedia({ colorScheme: viewport.scheme, reducedMotion: 'reduce' });
    }

    /** As it is: a touch on the languages would close it. */
    async function lookAt(file: string): Promise<void> {
      await page.screenshot({ path: `${FOLDER}${file}`, type: 'jpeg', quality: 75 });
      expect.soft(await faults(), file).toEqual([]);
    }

    function faults(): Promise<string[]> {
      return page.evaluate(async () => {
        const { axe } = window as unknown as {
          axe: { run(options: object): Promise<{ violations: { id: string; nodes: { html: string }[] }[] }> };
        };
        const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];
        const { violations } = await axe.run({ runOnly: tags, resultTypes: ['violations'] });
        return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
      });
    }

    function misfits(): Promise<string[]> {
      return page.evaluate(findMisfits, { least: LEAST_TARGET, languages: ['en', 'is'] });
    }

    test('on the way to the price', async () => {
      edge.parked = [car('MKJ45'), car('MKJ12', { standing: 'nothing-due' }, 0.02), car('MKJ99', {}, 40)];
      await button('Greiða fyrir stæði').waitFor();
      await look('start');
      await press('Greiða fyrir stæði');
      await look('plate');
      await type('mkj');
      await page.getByRole('list', { name: 'Bílar sem fundust' }).waitFor();
      await look('plate-suggestions');
      await type('zz');
      await page.getByText('Ekkert bílnúmer hér byrjar á MKJZZ.').waitFor();
      await look('plate-none');
      for (const _key of 'zz') await page.keyboard.press('Backspace');
      edge.refuseSearch = 'too-many-requests';
      await page.keyboard.press('Backspace');
      await type('j');
      await page.getByText('Of margar leitir').waitFor();
      await look('plate-too-many');
      edge.refuseSearch = null;
      await page.getByRole('list', { name: 'Bílar sem fundust' }).waitFor();
      await press('Finna bílinn');
      await heading('Hver er bíllinn þinn?');
      await look('choose');
      await press('Til baka');
      await type('45');
      await page.getByRole('listitem').first().waitFor();
      await press('Finna bílinn');
      await heading('Er þetta bíllinn þinn?');
      await look('choose-one');
      await press('Enginn þessara');
      await heading('Við finnum ekki MKJ45');
      await look('not-found');
      await press('Finna bílinn eftir mynd');
      await heading('Hvenær komstu inn?');
      await page.getByRole('list', { name: 'Bílar sem komu inn þá' }).waitFor();
      await look('browse');
      await page.getByRole('combobox', { name: /Klukkustund/ }).click();
      await page.getByRole('listbox').waitFor();
      await lookAt(`browse-hours-is-${viewport.width}-${viewport.scheme}.jpg`);
      await page.keyboard.press('Escape');
      await page.getByRole('combobox', { name: /Dagur/ }).click();
      // So long ago that none of them came in then, whatever the time is now.
      await page.getByRole('option').nth(6).click();
      await page.getByText('Enginn bíll sem kom inn þá er hér enn.').waitFor();
      await look('browse-none');
      await press('Byrja aftur');
    });

    test('what is due, and what is not', async () => {
      const paidUntil = new Date(Date.now() + 900_000).toISOString();
      edge.parked = [car('MKJ45')];
      const open = async (standing: string) => {
        await press('Greiða fyrir stæði');
        await type('mkj');
        await page.getByRole('button', { name: /MKJ/ }).click();
        await heading(standing);
      };
      await open('Til greiðslu');
      await look('due');
      edge.refuseOrder = 'amount-changed';
      await press(/^Greiða 1\.450/);
      await page.getByText('Verðið breyttist á meðan').waitFor();
      edge.refuseOrder = null;
      await look('due-changed');
      await press('Vera lengur: kaupa daga');
      await press('7 dagar');
      await look('days');
      await press('Byrja aftur');
      for (const [standing, title] of [
        ['nothing-due', 'Ekkert að greiða'],
        ['paid', 'Dvölin er þegar greidd'],
        ['whitelisted', 'Bíllinn er með leyfi hér'],
        ['invoiced', 'Dvölin fer á reikning'],
        ['checking', 'Við erum að athuga greiðsluna'],
        ['ended', 'Bíllinn er farinn'],
        ['no-price', 'Verð fyrir dvölina vantar'],
      ] as const) {
        edge.parked = [car('MKJ45', { standing, paidUntil, dayPriceMinor: 3500 })];
        await open(title);
        await look(`standing-${standing}`, { alike: !['paid', 'checking'].includes(standing) });
        await press('Byrja aftur');
      }
      edge.site = { ...edge.site, terminal: { id: 'posi-1', connection: 'DISCONNECTED' } };
      await page.getByText('Kortagreiðslur liggja niðri').waitFor();
      await look('start-no-cards');
      edge.parked = [car('MKJ45')];
      await open('Til greiðslu');
      await page.getByText('Ekki er hægt að greiða með korti hér').waitFor();
      await look('due-no-cards');
      edge.site = { ...edge.site, terminal: { id: 'posi-1', connection: 'CONNECTED' } };
      await press('Byrja aftur');
      edge.parked = [car(null, { standing: 'need-plate' })];
      await press('Ég veit ekki bílnúmerið');
      await page.getByRole('button', { name: /Ólesið númer/ }).click();
      await heading('Hvert er númer þessa bíls?');
      await look('name-plate');
      await press('Byrja aftur');
      const lines = Array.from({ length: 14 }, () => ({
        ...{ rule: 'step' as const, units: 3, minutes: 60, unitMinor: 400, amountMinor: 1200 },
        label: { is: 'Hátíðisdagagjald í miðborginni', en: 'Public holiday rate in the city centre' },
      }));
      edge.parked = [car('MKJ45', { standing: 'due', amountMinor: 16_800, lines }, 400)];
      await open('Til greiðslu');
      await look('due-long');
      await press('Byrja aftur');
    });

    test('at the terminal, and after it', async () => {
      edge.parked = [car('MKJ45')];
      edge.site = { ...edge.site, cloudConnected: false, helpPhone: null, payOnline: null };
      const order = async () => {
        await press('Greiða fyrir stæði');
        await type('mkj');
        await page.getByRole('button', { name: /MKJ/ }).click();
        await press(/^Greiða 1\.450/);
      };
      await order();
      await heading('Greiddu á posanum');
      for (const [prompt, text] of [
        ['wait', 'Augnablik'],
        ['present-card', 'Leggðu kort'],
        ['insert-card', 'Settu kortið'],
        ['enter-pin', 'Sláðu inn PIN'],
        ['wrong-pin', 'Rangt PIN'],
        ['confirm-amount', 'Staðfestu upphæðina'],
        ['see-terminal', 'Fylgdu leiðbeiningum'],
        ['contacting-bank', 'Spyr bankann'],
        ['remove-card', 'Taktu kortið'],
        ['approved', 'Greiðsla samþykkt'],
      ] as const) {
        edge.move({ prompt, promptText: prompt === 'remove-card' ? 'TAKTU KORTID' : null });
        await page.getByText(text).waitFor();
        await look(`pay-${prompt}`, { alike: !['present-card', 'enter-pin', 'approved'].includes(prompt) });
      }
      const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
      const byTheDay = viewport.width === 1024;
      edge.move({
        ...{ state: 'settled', prompt: null, paidUntil: inMinutes(15) },
        ...(byTheDay && { daysUntil: inMinutes(2 * 24 * 60) }),
      });
      await heading('Greitt. Takk fyrir!');
      await page.getByRole('img', { name: 'Skannaðu með símanum' }).waitFor();
      await page.getByText('Netsamband liggur niðri.').waitFor();
      await look('receipt-no-cloud');
      await press('Aðstoð');
      await page.getByText('Talaðu við starfsfólk').waitFor();
      await look('help-no-phone');
      await page.keyboard.press('Escape');
      edge.site = {
        ...edge.site,
        cloudConnected: true,
        helpPhone: '555 1234',
        payOnline: 'https://hlid.example/greida',
      };
      await press('Senda í tölvupósti');
      await type('anna@');
      await press('Senda');
      await page.getByRole('alert').waitFor();
      await look('mail-wrong');
      await press('Til baka');
      await page.getByText('Kvittunin opnast í símanum.').waitFor();
      await look('receipt');
      await press('Senda í tölvupósti');
      await type('anna@daemi.is');
      await look('mail');
      await press('Senda');
      await heading('Góða ferð!');
      await page.getByText('Þú hefur 15 mínútur').waitFor();
      if (byTheDay) await page.getByText('Bílastæðið sjálft er greitt').waitFor();
      await look('leave');
      await press('Ljúka');

      for (const [state, reason, title] of [
        ['declined', 'refused', 'Greiðslunni var hafnað'],
        ['cancelled', 'driver-gone', 'Hætt var við greiðsluna'],
        ['reversed', 'driver-gone', 'Greiðslan var bakfærð'],
        ['unknown', 'timeout', 'Við erum að athuga greiðsluna'],
      ] as const) {
        await order();
        await heading('Greiddu á posanum');
        await button('Hætta við').waitFor();
        edge.move({ state, reason, needsPerson: state === 'unknown', prompt: null });
        await heading(title);
        await look(`pay-${state}`, { alike: state === 'cancelled' || state === 'reversed' });
        await press('Byrja aftur');
      }
      for (const [fault, title] of [
        ['terminal-away', 'Posinn er bilaður'],
        ['terminal-busy', 'Posinn er upptekinn'],
      ] as const) {
        edge.refuseOrder = fault;
        await order();
        await heading(title);
        await look(`pay-${fault}`, { alike: fault === 'terminal-busy' });
        if (fault === 'terminal-away') await press('Byrja aftur');
      }
      await press('Aðstoð');
      await heading('Þarftu aðstoð?');
      await look('help');
      await page.keyboard.press('Escape');
      await press('Byrja aftur');
      expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
    });

    test.runIf(EVERY_ONE || viewport.width === 1024)(
      'when somebody has gone, and when the edge has',
      async () => {
        edge.refuseOrder = null;
        await press('Greiða fyrir stæði');
        await type('mkj');
        await page.getByRole('button', { name: /MKJ/ }).click();
        await edge.stop();
        await heading('Augnablik');
        await look('lost');
        await edge.start();
        await press(/^Greiða 1\.450/);
        await heading('Greiddu á posanum');
        await edge.stop();
        await page.getByText('Við fylgjumst með greiðslunni.').waitFor();
        await look('lost-paying');
        await edge.start();
        await button('Hætta við').waitFor();
        edge.move({ state: 'cancelled', prompt: null });
        await heading('Hætt var við greiðsluna');
        await page.clock.install();
        await press('Byrja aftur');
        await press('Greiða fyrir stæði');
        await page.clock.fastForward(43_000);
        await page.getByRole('alertdialog').waitFor();
        await lookAt(`idle-is-${viewport.width}-${viewport.scheme}.jpg`);
      },
    );
  },
);
