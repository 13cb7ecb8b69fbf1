import type { Language } from '@hlid/protocol/base/language';

/** How a screen is spoken and written while it is measured. */
export interface Manner {
  language: Language;
  /** Whether the letters have twice the size. */
  large: boolean;
}

/**
 * Shows the screen in each manner, and returns the elements that are too small to touch, too high to reach on
 * tall glass, do not fit, or are not in sight. What does not fit in large letters may be scrolled to, but
 * what a driver reads and touches next is in sight in letters of any size. Runs in the page, and may use
 * nothing from outside of itself.
 */
export async function findMisfits({ least, manners }: { least: number; manners: readonly Manner[] }) {
  const found: string[] = [];
  const size = () => Number.parseFloat(getComputedStyle(document.body).fontSize);
  const isLarge = () => document.documentElement.dataset['text'] === 'large';
  const boxOf = (element: Element) => element.getBoundingClientRect();

  const show = async ({ language, large }: Manner): Promise<string[]> => {
    const [before, grows] = [size(), large !== isLarge()];
    // A menu that is not open is touched all the same.
    const languages = [...document.querySelectorAll<HTMLElement>('.languages button')];
    if (document.documentElement.lang !== language) {
      languages.findLast((each) => each.querySelector(`[lang=${language}]`))?.click();
    }
    if (grows) document.querySelector<HTMLElement>('.larger')?.click();
    // React is through with it by then; what it looks like when painted is not measured here. The page's clock is a test's.
    await new Promise((resolve) => {
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = resolve;
      port2.postMessage(null);
    });
    return [
      ...(large && grows && size() !== 2 * before ? [`letters grow from ${before} to ${size()}`] : []),
      ...(isLarge() === large ? [] : [`letters are ${large ? 'not ' : ''}large`]),
      ...(document.documentElement.lang === language ? [] : ['it is not spoken']),
    ];
  };

  /** The driver can see the element: it is the topmost at its place. */
  const isSeen = (element: Element): boolean => {
    const { left, top, width, height } = boxOf(element);
    return [0.1, 0.5, 0.9].every((part) => {
      const seen = document.elementFromPoint(left + width * part, top + height * part);
      // A list that is open covers what it is a list for.
      return (
        seen !== null && (element.contains(seen) || seen.closest('.select-popup, .language-menu') !== null)
      );
    });
  };
  const next = (): Element[] => {
    const isDialog = document.querySelector('dialog[open]') !== null;
    const always = isDialog
      ? 'dialog .phone-number, dialog h2'
      : '.typed, .key, .total, .pay-amount, .prompt, .button.huge, .bottom > .languages .button, ' +
        // These come first too: the price before anything is typed, the car's plate, and warnings.
        '.prices li:first-child, .view > .plate, .bill-car .plate, .card.large :is(.plate, .card-when), .note, .verdict .until';
    const buttons = isDialog ? 'dialog .button' : '.controls .button:not(.card), .bottom .button';
    // A layout may do without a button, but not without the first of them.
    const shown = [...document.querySelectorAll(buttons)].filter((button) => button.checkVisibility());
    return [...new Set([...document.querySelectorAll(always), ...shown])];
  };

  for (const manner of manners) {
    const where = `${manner.language}${manner.large ? ', large' : ''}: `;
    for (const fault of await show(manner)) found.push(where + fault);
    const note = (what: string, elements: readonly Element[]) => {
      for (const { className, textContent } of elements) {
        found.push(`${where}${what}: ${String(className)} “${textContent?.slice(0, 60)}”`);
      }
    };
    const targets = [...document.querySelectorAll('button, a, [role=option]')].filter((target) =>
      target.checkVisibility(),
    );
    note(
      'too small',
      targets.filter((target) => boxOf(target).width < least || boxOf(target).height < least),
    );
    const scrolls = '.cards, .select-list, [data-text=large] :is(.stage, .dialog)';
    note(
      'outside of the glass',
      [...document.querySelectorAll('button, h1, .lead, .hint, .bill, .prompt, .until')].filter((element) => {
        const { left, right, top, bottom } = boxOf(element);
        return (
          left < 0 || right > innerWidth || (!element.closest(scrolls) && (top < 0 || bottom > innerHeight))
        );
      }),
    );
    const boxes =
      'html, main, main *:not(svg *, .unseen), dialog, dialog *:not(svg *), footer, footer *:not(svg *)';
    note(
      'cut off',
      [...document.querySelectorAll(boxes)].filter(
        ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1,
      ),
    );
    if (innerHeight > innerWidth && !manner.large) {
      note(
        'out of reach',
        targets.filter((target) => boxOf(target).bottom < innerHeight / 3 + least),
      );
    }
    note(
      'not in sight',
      next().filter((element) => !isSeen(element)),
    );
  }
  return found;
}
