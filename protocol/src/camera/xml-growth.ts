/** An element that is being read. */
export interface GrowingElement {
  text: string;
  children: unknown[];
}

/** A document's tree while a parser goes through it; what it is fed is bounded. */
export interface XmlGrowth<Element extends GrowingElement> {
  /** The element in which the parser is. */
  innermost(): Element | undefined;
  open(element: Element): void;
  addText(piece: string): void;
  close(): void;
  /** Entities that grow without end come from there, and no device needs one. */
  refuseDoctype(): void;
  /** When the parser is through; null where there was no element. */
  root(): Element | null;
}

/** The text of elements is trimmed: makers, and the standards themselves, pad it. `open` throws beyond the limits. */
export function createXmlGrowth<Element extends GrowingElement>(limits: {
  maxElements: number;
  deepestNesting: number;
}): XmlGrowth<Element> {
  const { maxElements, deepestNesting } = limits;
  const opened: Element[] = [];
  let root: Element | null = null;
  let elements = 0;
  return {
    innermost: () => opened.at(-1),
    open(element) {
      elements++;
      if (elements > maxElements) throw new Error(`more than ${maxElements} elements`);
      if (opened.length >= deepestNesting) throw new Error(`nested deeper than ${deepestNesting}`);
      opened.push(element);
    },
    addText(piece) {
      const element = opened.at(-1);
      if (element) element.text += piece;
    },
    close() {
      const element = opened.pop();
      if (!element) return;
      element.text = element.text.trim();
      const parent = opened.at(-1);
      if (parent) parent.children.push(element);
      else root = element;
    },
    refuseDoctype() {
      throw new Error('a document type is not taken');
    },
    root: () => root,
  };
}

/** Twice what the longest answer of a real device is indented by; a parser goes through them one by one. */
const MAX_BLANKS = 200_000;

/** Whether a text has more blanks than any document of a device. It stops counting there. */
export function hasTooManyBlanks(text: string): boolean {
  return [' ', '\t', '\r', '\n'].some((blank) => hasMore(text, blank, MAX_BLANKS));
}

/** Whether a mark occurs more often than that in a text. */
export function hasMore(text: string, mark: string, max: number): boolean {
  let count = 0;
  for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
    if (++count > max) return true;
  }
  return false;
}

const PADDING = new Set(['\0', ' ', '\t', '\r', '\n']);

/** The document without what devices leave behind it, zero bytes for instance. In time proportional to the text. */
export function withoutPadding(text: string): string {
  let end = text.length;
  while (end > 0 && PADDING.has(text.charAt(end - 1))) end--;
  return text.slice(0, end);
}
