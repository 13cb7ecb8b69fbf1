import { deadline } from '@hlid/protocol/test/deadline';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { CHROMIUM_IS_HERE, startChromium } from './chromium.ts';
import { car, chooseHours } from './kiosk-cars.ts';
import { createInspector, DRAWN_AT, type Inspector } from './kiosk-looks.ts';
import { takePictures } from './kiosk-pictures.ts';
import { type KioskStandIn, startKioskStandIn } from './kiosk-stand-in.ts';

/** More often than the page asks how the site is. */
const NEXT_QUESTION_MS = 4000;
const SEARCH_DEBOUNCE_MS = 250;

// Some eighty pictures each.
describe.skipIf(!CHROMIUM_IS_HERE)('every screen of the kiosk', () => {
  let browser: Browser;
  let pictures: Buffer[];
  let edge: KioskStandIn;
  let inspector: Inspector;
  let page: Page;
  const complaints: string[] = [];

  beforeAll(async () => {
    browser = await startChromium({ drawnAt: DRAWN_AT });
    pictures = await takePictures(browser);
    inspector = await createInspector(browser);
    page = inspector.page;
    // A step that cannot be taken is named by its own failure, before the test's time is over.
    page.setDefaultTimeout(deadline(10_000));
    page.on('pageerror', (error) => complaints.push(error.message));
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  });
  afterAll(async () => {
    await browser.close();
    await edge?.stop();
  });
  beforeEach(async () => {
    await page.goto('about:blank');
    await edge?.stop();
    edge = await startKioskStandIn(pictures);
  });

  const button = (name: string | RegExp) => page.getByRole('button', { name }).first();
  const press = (name: string | RegExp) => button(name).click();
  const type = async (text: string) => {
    await page.keyboard.type(text);
    await page.clock.fastForward(SEARCH_DEBOUNCE_MS);
  };
  const heading = (name: string | RegExp) => page.getByRole('heading', { name }).first().waitFor();
  const cars = () => page.getByRole('list', { name: 'Bílar sem fundust' }).waitFor();
  const askAgain = () => page.clock.fastForward(NEXT_QUESTION_MS);
  const inMinutes = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();

  async function begin(): Promise<void> {
    await page.goto(`${edge.url}/kiosk/`);
    await button('Greiða fyrir stæði').waitFor();
  }

  async function open(standing: string): Promise<void> {
    await press('Greiða fyrir stæði');
    await type('mkj');
    await page.getByRole('button', { name: /MKJ/ }).click();
    await heading(standing);
  }

  test('on the way to the price', async () => {
    edge.parked = [
      car('MKJ45'),
      car('MKJ12', { standing: 'nothing-due' }, 0.02),
      car('MKJ99', {}, 400),
      // More than are suggested, and more than the glass has room for.
      ...Array.from({ length: 6 }, (_, at) => car(`MKJABC${at}`, {}, at + 1)),
    ];
    await begin();
    await inspector.inspect('start');
    await press('Greiða fyrir stæði');
    await inspector.inspect('plate');
    await type('mkj');
    await cars();
    await inspector.inspect('plate-suggestions');
    await type('zz');
    await page.getByText('Ekkert bílnúmer hér byrjar á MKJZZ.').waitFor();
    await inspector.inspect('plate-none');
    for (const _key of 'zz') await page.keyboard.press('Backspace');
    edge.refuseSearch = 'too-many-requests';
    await page.keyboard.press('Backspace');
    await type('j');
    await page.getByText('Of margar leitir').waitFor();
    await inspector.inspect('plate-too-many');
    edge.refuseSearch = null;
    await askAgain();
    await cars();
    await press('Finna bílinn');
    await heading('Hver er bíllinn þinn?');
    await inspector.inspect('choose');
    await press('Til baka');
    await type('45');
    await button(/^Greiða 1\.450/).waitFor();
    await inspector.inspect('plate-one');
    await press('Finna bílinn');
    await heading('Til greiðslu');
    await press('Til baka');
    await page.keyboard.press('Backspace');
    await page.clock.fastForward(SEARCH_DEBOUNCE_MS);
    await page.getByRole('listitem').first().waitFor();
    await press('Finna bílinn');
    await heading('Er þetta bíllinn þinn?');
    await inspector.inspect('choose-one');
    await press('Nei, ekki þessi bíll');
    await heading('Við finnum ekki MKJ4');
    await inspector.inspect('not-found');
  });

  test('whose car it is', async () => {
    const { visit, ...rest } = car('BTE96');
    edge.parked = [{ ...rest, visit: { ...visit, doubtful: true } }];
    await begin();
    await press('Greiða fyrir stæði');
    await type('bte97');
    await page.getByRole('listitem').first().waitFor();
    await press('Finna bílinn');
    await heading('Er þetta bíllinn þinn?');
    await inspector.inspect('question');
    edge.refuseNotMine = 'not-in-doubt';
    await press('Nei, ekki minn bíll');
    await page.getByText('Ekki er hægt að opna hliðið héðan').waitFor();
    await inspector.inspect('question-refused');
    edge.refuseNotMine = null;
    await press('Til baka');
    await page.getByRole('listitem').first().click();
    await press('Nei, ekki minn bíll');
    await page.getByText('Hliðið er að opnast.').waitFor();
    await inspector.inspect('exit-opens');
    expect(edge.disowned).toEqual(['BTE97']);
  });

  test('cars by their pictures', async () => {
    edge.parked = [car('MKJ45'), car(null, {}, 0.02), car('MKJ99', {}, 0.5)];
    await begin();
    await press('Ég veit ekki bílnúmerið');
    await heading('Finndu bílinn þinn');
    await page.getByText('Veldu klukkan hvað þú komst inn.').waitFor();
    await inspector.inspect('browse-first');
    await chooseHours(page, edge.parked);
    await page.clock.fastForward(500);
    await page.getByRole('list', { name: 'Bílar sem komu inn þá' }).waitFor();
    await inspector.inspect('browse');
    expect(await page.getByText('•').count()).toBe(0);
    await page.getByRole('combobox', { name: /Klukkan/ }).click();
    await page.getByRole('listbox').waitFor();
    await inspector.inspect('browse-hours');
    await page.keyboard.press('Escape');
    await page.getByRole('combobox', { name: /Dagur/ }).click();
    // None of them came in on the first of the days that are shown, whatever the time is now; there are no more.
    await expect.poll(() => page.getByRole('option').count()).toBe(3);
    await page.getByRole('option').last().click();
    await page.getByText('Enginn bíll sem kom inn þá er hér enn.').waitFor();
    await inspector.inspect('browse-none');
    edge.parked = [car(null, { standing: 'need-plate' })];
    await press('Byrja aftur');
    await press('Ég veit ekki bílnúmerið');
    await chooseHours(page, edge.parked);
    await page.clock.fastForward(500);
    await page.getByRole('button', { name: /Ólesið númer/ }).click();
    await heading('Hvert er númer þessa bíls?');
    await inspector.inspect('name-plate');
  });

  test('what is due', async () => {
    edge.parked = [car('MKJ45')];
    await begin();
    await open('Til greiðslu');
    await inspector.inspect('due');
    edge.refuseOrder = 'amount-changed';
    await press(/^Greiða 1\.450/);
    await page.getByText('Verðið breyttist á meðan').waitFor();
    edge.refuseOrder = null;
    await inspector.inspect('due-changed');
    await press('Greiða með símanum');
    await page.getByRole('img', { name: 'Skannaðu með símanum' }).waitFor();
    await inspector.inspect('phone');
    await press('Til baka');
    edge.refusePayLink = 'cloud-away';
    await press('Greiða með símanum');
    await page.getByText('Ekki næst í netið núna.').waitFor();
    await inspector.inspect('phone-no-cloud', { alike: true });
    edge.refusePayLink = 'not-offered';
    await askAgain();
    await page.getByText('sláðu inn bílnúmerið í símanum').waitFor();
    await inspector.inspect('phone-no-link', { alike: true });
    edge.refusePayLink = null;
    await press('Til baka');
    await press('Vera lengur: kaupa daga');
    await press('7 dagar');
    await inspector.inspect('days');
    await press('Byrja aftur');
    const lines = Array.from({ length: 14 }, () => ({
      rule: 'step' as const,
      units: 3,
      minutes: 60,
      unitMinor: 400,
      amountMinor: 88_200,
      label: { is: 'Hátíðisdagagjald í miðborginni', en: 'Public holiday rate in the city centre' },
    }));
    edge.parked = [car('MKJ45ÞÆÖ1234', { standing: 'due', amountMinor: 1_234_800, lines }, 400)];
    await open('Til greiðslu');
    await inspector.inspect('due-long');
    const days = [{ rule: 'unit' as const, units: 2, unitMinor: 500, amountMinor: 1000 }];
    edge.parked = [car('MKJ45', { standing: 'due', amountMinor: 1000, lines: days }, 30)];
    await begin();
    await open('Til greiðslu');
    await page.getByText('500 kr. fyrir hvern byrjaðan sólarhring').waitFor();
    await inspector.inspect('due-days', { alike: true });
    edge.site = { ...edge.site, terminal: { id: 'posi-1', connection: 'DISCONNECTED' } };
    edge.parked = [car('MKJ45')];
    await begin();
    await page.getByText('Kortagreiðslur liggja niðri').waitFor();
    await inspector.inspect('start-no-cards');
    await open('Til greiðslu');
    await page.getByText('Ekki er hægt að greiða með korti hér').waitFor();
    await inspector.inspect('due-no-cards');
  });

  test('what is not due', async () => {
    await begin();
    for (const [standing, title] of [
      ['nothing-due', 'Ekkert að greiða'],
      ['paid', 'Dvölin er þegar greidd'],
      ['whitelisted', 'Bíllinn er með leyfi hér'],
      ['invoiced', 'Dvölin fer á reikning'],
      ['checking', 'Við erum að athuga greiðsluna'],
      ['ended', 'Bíllinn er farinn'],
      ['no-price', 'Verð vantar fyrir þessa dvöl'],
    ] as const) {
      edge.parked = [car('MKJ45', { standing, paidUntil: inMinutes(15), dayPriceMinor: 3500 })];
      await open(title);
      await inspector.inspect(`standing-${standing}`, { alike: !['paid', 'checking'].includes(standing) });
      await press('Byrja aftur');
    }
  });

  const order = async () => {
    await press('Greiða fyrir stæði');
    await type('mkj');
    await page.getByRole('button', { name: /MKJ/ }).click();
    await press(/^Greiða 1\.450/);
  };
  const ordered = async () => {
    await order();
    await page.getByRole('button', { name: 'Hætta við', disabled: false }).waitFor();
  };

  test('at the terminal', async () => {
    edge.parked = [car('MKJ45')];
    await begin();
    await ordered();
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
      await inspector.inspect(`pay-${prompt}`, { alike: !['present-card', 'approved'].includes(prompt) });
    }
  });

  test('the outcome of a payment', async () => {
    edge.parked = [car('MKJ45')];
    await begin();
    for (const [state, reason, title] of [
      ['declined', 'refused', 'Greiðslunni var hafnað'],
      ['cancelled', 'driver-gone', 'Hætt var við greiðsluna'],
      ['reversed', 'driver-gone', 'Greiðslan var bakfærð'],
      ['unknown', 'timeout', 'Við erum að athuga greiðsluna'],
    ] as const) {
      await ordered();
      edge.move({ state, reason, needsPerson: state === 'unknown', prompt: null });
      await heading(title);
      await inspector.inspect(`pay-${state}`, { alike: state === 'cancelled' || state === 'reversed' });
      await press('Byrja aftur');
    }
    for (const [fault, title] of [
      ['terminal-away', 'Posinn er bilaður'],
      ['terminal-busy', 'Posinn er í notkun'],
    ] as const) {
      edge.refuseOrder = fault;
      await order();
      await heading(title);
      await inspector.inspect(`pay-${fault}`, { alike: fault === 'terminal-busy' });
      if (fault === 'terminal-away') await press('Byrja aftur');
    }
    await press('Aðstoð');
    await heading('Þarftu aðstoð?');
    await inspector.inspect('help');
    // A browser takes no picture of itself: support gets the words on the screen.
    const picture = '01980000-0000-7000-8000-00000000000a';
    edge.site = { ...edge.site, picture };
    await expect
      .poll(() => edge.screens.get(picture), { timeout: deadline(15_000) })
      .toMatchObject({ text: expect.stringContaining('Þarftu aðstoð?') });
    const { picture: _taken, ...site } = edge.site;
    edge.site = site;
  });

  test('the receipt, and the way out', async () => {
    edge.parked = [car('MKJ45')];
    edge.site = { ...edge.site, cloudConnected: false, helpPhone: null, payOnline: null };
    await begin();
    await ordered();
    const days = { paidUntil: inMinutes(15), daysUntil: inMinutes(2 * 24 * 60) };
    edge.move({ state: 'settled', prompt: null, ...days });
    await heading('Greitt. Takk fyrir!');
    await page.getByRole('img', { name: 'Skannaðu með símanum' }).waitFor();
    await page.getByText('Netsamband liggur niðri.').waitFor();
    await inspector.inspect('receipt-no-cloud');
    await press('Aðstoð');
    await page.getByText('Talaðu við starfsfólk').waitFor();
    await inspector.inspect('help-no-phone');
    await page.keyboard.press('Escape');
    await press('Ljúka');
    await heading('Góða ferð!');
    await page.getByText('Dvölin er greidd').waitFor();
    await expect.poll(() => page.locator('.leaving').getByText(/kl\./).count()).toBe(1);
    await inspector.inspect('leave-days');
    edge.site = { ...edge.site, cloudConnected: true };
    await begin();
    await ordered();
    edge.move({ state: 'settled', prompt: null, paidUntil: inMinutes(15) });
    await page.getByText('Kvittunin opnast í símanum.').waitFor();
    await inspector.inspect('receipt');
    await press('Senda í tölvupósti');
    await type('anna@');
    await press('Senda');
    await page.getByRole('alert').waitFor();
    await inspector.inspect('mail-wrong');
    await type('daemi.is');
    await inspector.inspect('mail');
    await press('Senda');
    await heading('Góða ferð!');
    await page.getByText(/Þú hefur 1\d mínútur/).waitFor();
    await inspector.inspect('leave');
  });

  test('nothing was complained of on the way', () => {
    // Refusals are answers, too.
    expect(complaints.filter((text) => !text.includes('409'))).toEqual([]);
  });

  test('when a person has gone, and when the edge has', async () => {
    edge.parked = [car('MKJ45')];
    await begin();
    await open('Til greiðslu');
    await edge.stop();
    await askAgain();
    await heading('Augnablik');
    await inspector.inspect('lost');
    await edge.start();
    await askAgain();
    await press(/^Greiða 1\.450/);
    await heading('Greiddu í posanum');
    await edge.stop();
    await askAgain();
    await page.getByText('Við erum að athuga greiðsluna.').waitFor();
    await inspector.inspect('lost-paying');
    await edge.start();
    await askAgain();
    await button('Hætta við').waitFor();
    edge.move({ state: 'cancelled', prompt: null });
    await heading('Hætt var við greiðsluna');
    await press('Byrja aftur');
    await press('Greiða fyrir stæði');
    await page.clock.fastForward(43_000);
    await page.getByRole('alertdialog').waitFor();
    await inspector.inspect('idle');
  });
});
