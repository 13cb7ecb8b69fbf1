/** Each of these is read in one breath. */
const UNITS = 'h1, h2, h3, p, li, dt, dd, button, output, q, td, th, .plate';
/** A plate, and what is typed: letter by letter. */
const SPELLED = '.plate:not(.unread), .typed [aria-live]';
/** Elements with a text that is read aloud whenever it changes. */
const LIVE = '[role=status], [role=alert], [aria-live], .suggestions';
/** Its keys, and what stands on every screen, are found by the arrow keys. */
const PASSED_OVER = '.keyboard, .bottom, .top';

/** The content of the screen, as it is read aloud. */
export interface SpokenScreen {
  /** Another one is another screen. */
  name: string;
  texts: string[];
  live: string[];
}

/** The screen, or the question that lies over it. */
export function readScreen(document: Document): SpokenScreen {
  const dialog = document.querySelector('dialog[open]');
  const place = dialog ?? document.querySelector('.frame') ?? document.body;
  const title = place.querySelector('h1, h2');
  return {
    name: `${dialog === null ? 'screen' : 'dialog'} ${title?.textContent}`,
    texts: textsOf(place),
    live: [...place.querySelectorAll(LIVE)].map(spokenText),
  };
}

function textsOf(element: Element): string[] {
  if (!isRead(element) || element.matches(PASSED_OVER)) return [];
  const isUnit = element.matches(UNITS) || element.matches('img, svg') || element.children.length === 0;
  if (!isUnit) return [...element.children].flatMap(textsOf);
  const text = spokenText(element);
  return text === '' ? [] : [text];
}

/** The spoken text of a part of the screen, such as a button. */
export function spokenText(element: Element): string {
  return partsOf(element)
    .join(' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ (?=[:.,])/g, '')
    .trim();
}

function partsOf(element: Element): string[] {
  if (!isRead(element)) return [];
  const label = element.getAttribute('aria-label');
  if (element instanceof HTMLImageElement) return [element.alt];
  if (label !== null && element.matches('button, [role=img]')) return [label];
  if (element instanceof SVGElement) return [];
  if (element.matches(SPELLED)) return [spelled(element)];
  return [...element.childNodes].flatMap((node) => {
    if (node instanceof Element) return partsOf(node);
    return node.nodeType === Node.TEXT_NODE ? [node.textContent ?? ''] : [];
  });
}

/** The dots for letters that are not typed yet are not read. */
function spelled(element: Element): string {
  return [...(element.textContent ?? '')]
    .filter((letter) => letter !== '•' && letter.trim() !== '')
    .join(' ');
}

function isRead(element: Element): boolean {
  return element.getAttribute('aria-hidden') !== 'true' && element.checkVisibility();
}

/** The new part of a text that has changed: the last letter of a typed one, else all of it. */
export function newPart(before: string, now: string): string {
  return before !== '' && now.startsWith(`${before} `) ? now.slice(before.length + 1) : now;
}
