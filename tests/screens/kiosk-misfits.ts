import type { Language } from '@hlid/protocol/language';

/** How a screen is spoken and written while it is measured. */
export interface Manner {
  language: Language;
  /** With letters of twice the size. */
  large: boolean;
}

/**
 * Shows the screen in that manner, and returns what on it is too small to touch, too high to reach on tall glass, or does
 * not fit. What does not fit in large letters may be scrolled to. Runs in the page, and may use nothing from outside of
 * itself.
 */
export async function findMisfits(plan: Manner & { least: number }): Promise<string[]> {
  const { least, language, large } = plan;
  const found: string[] = [];
  const size = () => Number.parseFloat(getComputedStyle(document.body).fontSize);
  const isLarge = () => document.documentElement.dataset['text'] === 'large';
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
  if (large && grows && size() !== 2 * before) found.push(`letters grow from ${before} to ${size()}`);
  if (isLarge() !== large) found.push(`letters are ${large ? 'not ' : ''}large`);
  if (document.documentElement.lang !== language) found.push(`it speaks no ${language}`);

  const boxOf = (element: Element) => element.getBoundingClientRect();
  const note = (what: string, elements: readonly Element[]) => {
    for (const { className, textContent } of elements) {
      found.push(`${what}: ${String(className)} “${textContent?.slice(0, 60)}”`);
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
  if (innerHeight > innerWidth && !large) {
    note(
      'out of reach',
      targets.filter((target) => boxOf(target).bottom < innerHeight / 3 + least),
    );
  }
  return found;
}

/**
 * What a driver reads and touches next, and cannot see: it lies outside of the glass, or something covers it. Letters of
 * twice the size are no excuse. Runs in the page, and may use nothing from outside of itself.
 */
export function findHidden(): string[] {
  const isDialog = document.querySelector('dialog[open]') !== null;
  const always = isDialog
    ? 'dialog .phone-number'
    : '.typed, .key, .total, .pay-amount, .prompt, .button.huge, .bottom > .languages .button';
  const buttons = isDialog ? 'dialog .button' : '.controls .button:not(.card), .bottom .button';
  const isSeen = (element: Element): boolean => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [0.1, 0.5, 0.9].every((part) => {
      const [x, y] = [left + width * part, top + height * part];
      const seen = document.elementFromPoint(x, y);
      // A list that is open covers what it is a list for.
      return (
        seen !== null && (element.contains(seen) || seen.closest('.select-popup, .language-menu') !== null)
      );
    });
  };
  // A layout may do without a button, but not without the first of them.
  const shown = [...document.querySelectorAll(buttons)].filter((button) => button.checkVisibility());
  return [...new Set([...document.querySelectorAll(always), ...shown])]
    .filter((element) => !isSeen(element))
    .map(({ className, textContent }) => `not in sight: ${className} “${textContent?.slice(0, 60)}”`);
}
