/* Both run in the page, and may use nothing from outside of themselves. */

/** Touches the language, and waits until it is painted. */
export async function speak(language: string): Promise<void> {
  const button = [...document.querySelectorAll<HTMLElement>('.languages button')]
    .filter((each) => each.querySelector(`[lang=${language}]`))
    .at(-1);
  button?.click();
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
}

/**
 * What on this screen is too small to touch, too high to reach on tall glass, or does not fit: in each language, and in
 * the last one with letters of twice the size, where what does not fit may be scrolled to.
 */
export async function findMisfits(plan: { least: number; languages: readonly string[] }): Promise<string[]> {
  const found: string[] = [];
  // React is through with it by then; what it looks like when painted is not measured here.
  const drawn = () => new Promise((resolve) => setTimeout(resolve));
  const touch = async (element: HTMLElement | undefined) => {
    element?.click();
    await drawn();
  };
  const note = (what: string, elements: readonly Element[]) => {
    for (const { className, textContent } of elements) {
      found.push(`${what}: ${String(className)} “${textContent?.slice(0, 60)}”`);
    }
  };
  const look = (when: string) => {
    const targets = [...document.querySelectorAll('button, a, [role=option]')];
    const boxOf = (element: Element) => element.getBoundingClientRect();
    note(
      `${when}, too small`,
      targets.filter((target) => boxOf(target).width < plan.least || boxOf(target).height < plan.least),
    );
    const scrolls = '.cards, .select-list, [data-text=large] :is(.stage, .dialog)';
    note(
      `${when}, outside of the glass`,
      [...document.querySelectorAll('button, h1, .lead, .hint, .bill, .prompt')].filter((element) => {
        const { left, right, top, bottom } = boxOf(element);
        return (
          left < 0 || right > innerWidth || (!element.closest(scrolls) && (top < 0 || bottom > innerHeight))
        );
      }),
    );
    const boxes =
      'html, main, main *:not(svg *, .unseen), dialog, dialog *:not(svg *), footer, footer *:not(svg *)';
    note(
      `${when}, cut off`,
      [...document.querySelectorAll(boxes)].filter(
        ({ scrollWidth, clientWidth }) => clientWidth > 0 && scrollWidth > clientWidth + 1,
      ),
    );
    if (innerHeight > innerWidth && !when.startsWith('200')) {
      note(
        `${when}, out of reach`,
        targets.filter((target) => boxOf(target).bottom < innerHeight / 3 + plan.least),
      );
    }
  };
  for (const language of plan.languages) {
    const buttons = [...document.querySelectorAll<HTMLElement>('.languages button')];
    await touch(buttons.findLast((each) => each.querySelector(`[lang=${language}]`)));
    if (document.documentElement.lang !== language) found.push(`it does not speak ${language}`);
    look(language);
  }
  const larger = document.querySelector<HTMLElement>('.larger');
  const size = () => Number.parseFloat(getComputedStyle(document.body).fontSize);
  const before = size();
  await touch(larger ?? undefined);
  if (size() !== 2 * before) found.push(`letters grow from ${before} to ${size()}`);
  look('200 %');
  await touch(larger ?? undefined);
  return found;
}
