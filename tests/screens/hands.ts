import type { Locator, Page } from 'playwright-core';

/** Text is typed either way. */
export type Means = 'mouse' | 'keyboard';
export const MEANS = ['mouse', 'keyboard'] as const satisfies readonly Means[];

/** More than any screen has. */
const MAX_STOPS = 150;

/** A person at the console, who uses a mouse, or nothing but the keyboard. */
export class Hands {
  readonly #page: Page;
  readonly #means: Means;

  constructor(page: Page, means: Means) {
    this.#page = page;
    this.#means = means;
  }

  /** Presses a button or a link. */
  async press(target: Locator): Promise<void> {
    if (this.#means === 'mouse') return await target.click();
    await this.#reach(target);
    await this.#page.keyboard.press('Enter');
  }

  /** Opens the only row of a table that is shown, or the first one. */
  async open(row: Locator): Promise<void> {
    if (this.#means === 'mouse') return await row.getByRole('rowheader').click();
    await this.press(row);
  }

  /** Ticks a box. */
  async check(box: Locator): Promise<void> {
    // What is seen and pressed is its label.
    if (this.#means === 'mouse') return await box.locator('xpath=ancestor::label').click();
    await this.#reach(box);
    await this.#page.keyboard.press('Space');
  }

  async type(field: Locator, text: string): Promise<void> {
    if (this.#means === 'mouse') await field.click();
    else await this.#reach(field);
    await this.#page.keyboard.press('Control+a');
    await this.#page.keyboard.type(text);
  }

  /**
   * Chooses from a list of the browser's own. Letters would find it too, but a pause between two of them
   * starts over.
   */
  async choose(field: Locator, label: string): Promise<void> {
    if (this.#means === 'mouse') return void (await field.selectOption({ label }));
    await this.#reach(field);
    await this.#page.keyboard.press('Home');
    const chosen = () => field.evaluate((list: HTMLSelectElement) => list.selectedOptions[0]?.label);
    for (let stop = 0; stop < MAX_STOPS && (await chosen()) !== label; stop++) {
      await this.#page.keyboard.press('ArrowDown');
    }
  }

  async tab(name: string): Promise<void> {
    const tab = this.#page.getByRole('tab', { name });
    if (this.#means === 'mouse') return await tab.click();
    await this.#reach(this.#page.getByRole('tab', { selected: true }));
    for (let stop = 0; stop < MAX_STOPS && !(await hasFocus(tab)); stop++) {
      await this.#page.keyboard.press('ArrowRight');
    }
  }

  /** Goes to a room by the menu, or by its name. */
  async goTo(room: string): Promise<void> {
    if (this.#means === 'mouse') {
      const menu = this.#page.getByRole('button', { name: /^(Menu|Valmynd)$/ });
      if (await menu.isVisible()) await menu.click();
      const rooms = this.#page.getByRole('navigation', { name: /^(Rooms|Herbergi)$/ });
      await rooms.getByRole('link', { name: room }).click();
    } else {
      await this.find(room, this.#page.getByRole('option', { name: room }));
    }
    await this.#page.getByRole('heading', { name: room, level: 1 }).waitFor();
  }

  /** Opens what is found for a text. */
  async find(text: string, found: Locator): Promise<void> {
    await this.#page.getByRole('heading', { level: 1 }).first().waitFor();
    if (this.#means === 'mouse') await this.#page.getByRole('button', { name: /Ctrl K$/ }).click();
    else await this.#page.keyboard.press('Control+k');
    await this.#page.getByRole('dialog').getByRole('combobox').waitFor();
    await this.#page.keyboard.type(text);
    await found.first().waitFor();
    if (this.#means === 'mouse') return await found.first().click();
    // Results that arrive later may come before it.
    const isChosen = () => found.first().getAttribute('aria-selected');
    for (let stop = 0; stop < MAX_STOPS && (await isChosen()) !== 'true'; stop++) {
      await this.#page.keyboard.press('ArrowDown');
    }
    await this.#page.keyboard.press('Enter');
  }

  async #reach(target: Locator): Promise<void> {
    await target.waitFor();
    // The notice is found once: it is gone after some seconds, and finding it after each stop takes longer
    // than the stop.
    let element = await target.elementHandle();
    for (let stop = 0; stop < MAX_STOPS; stop++) {
      const place = await element?.evaluate((one) =>
        one === document.activeElement ? 'here' : one.isConnected ? 'elsewhere' : 'replaced',
      );
      if (place === 'here') return;
      if (place === 'replaced') element = await target.elementHandle();
      await this.#page.keyboard.press('Tab');
    }
    throw new Error(`The Tab key does not lead to ${target}`);
  }
}

function hasFocus(target: Locator): Promise<boolean> {
  return target.evaluate((element) => element === document.activeElement);
}
