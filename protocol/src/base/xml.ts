import { SaxesParser } from 'saxes';

/** An element of an XML document. */
export interface XmlElement {
  /**
   * The name without its prefix: devices write the same name under several namespaces, with a prefix and
   * without.
   */
  name: string;
  /** The attributes by name without prefix; declarations of namespaces are not among them. */
  attributes: Readonly<Record<string, string>>;
  /** Its own text, trimmed. */
  text: string;
  children: readonly XmlElement[];
}

/** An element with its namespace. */
export interface QualifiedElement extends XmlElement {
  /** The namespace's URI; empty for none. */
  namespace: string;
  /** Prefixes declared for this element, for names that stand in text. */
  prefixes: ReadonlyMap<string, string>;
  children: readonly QualifiedElement[];
}

/** An element that is being read. */
interface OpenElement extends QualifiedElement {
  children: QualifiedElement[];
}

/** The bounds of a document: no device sends more, and time and memory grow with it. */
export interface XmlBounds {
  maxCharacters: number;
  maxElements: number;
  maxDepth: number;
  /** Absent: as many as a device sends. */
  maxBlanks?: number;
  /** Attributes and entities together. Absent: as many as a device sends. */
  maxMarks?: number;
}

/** Twice what the longest answer of a real device is indented by. The parser reads blanks one by one. */
const MAX_BLANKS = 200_000;
/** Attributes and entities: each takes long, and no device sends this many. */
const MAX_MARKS = 40_000;

/** Names that people give to cameras (`In & Out`) are not always escaped. Only entities of XML itself are known. */
const BARE_AMPERSAND = /&(?!(?:amp|lt|gt|quot|apos|#\d{1,7}|#x[\da-f]{1,6});)/gi;
const PADDING = new Set(['\0', ' ', '\t', '\r', '\n']);
const NO_PREFIXES: ReadonlyMap<string, string> = new Map();

/**
 * Reads a whole document. It must be well formed, so that half a document is refused. A document type is refused: there
 * are no entities but those of XML itself. Devices leave namespaces undeclared and ampersands bare, and pad documents;
 * all of that is accepted. Never throws.
 *
 * @param namespaces by prefix, for prefixes that a document does not declare
 */
export function parseXml(
  text: string,
  bounds: XmlBounds,
  namespaces: Readonly<Record<string, string>> = {},
): { ok: true; root: QualifiedElement } | { ok: false; reason: string } {
  if (text.length > bounds.maxCharacters) return { ok: false, reason: 'it is too long' };
  if (hasMore(text, ['=', '&'], bounds.maxMarks ?? MAX_MARKS))
    return { ok: false, reason: 'it has too many attributes or entities' };
  if (hasMore(text, [' ', '\t', '\r', '\n'], bounds.maxBlanks ?? MAX_BLANKS))
    return { ok: false, reason: 'it has too many blanks' };
  try {
    const root = buildTree(text, bounds, namespaces);
    return root === null ? { ok: false, reason: 'there is no element' } : { ok: true, root };
  } catch (error) {
    return { ok: false, reason: error instanceof Error ? error.message : 'it is broken' };
  }
}

function buildTree(
  text: string,
  { maxElements, maxDepth }: XmlBounds,
  namespaces: Readonly<Record<string, string>>,
): QualifiedElement | null {
  const opened: OpenElement[] = [];
  let root: QualifiedElement | null = null;
  let elements = 0;
  const addText = (piece: string) => {
    const element = opened.at(-1);
    if (element) element.text += piece;
  };
  // The namespace mode is off, since it refuses names that devices do send.
  const parser = new SaxesParser();
  parser.on('doctype', () => {
    throw new Error('a document type is not accepted');
  });
  parser.on('opentag', ({ name, attributes }) => {
    if (++elements > maxElements) throw new Error(`more than ${maxElements} elements`);
    if (opened.length >= maxDepth) throw new Error(`nested deeper than ${maxDepth}`);
    opened.push(openElement(name, attributes, { outer: opened.at(-1), namespaces }));
  });
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const element = opened.pop();
    if (!element) return;
    element.text = element.text.trim();
    const parent = opened.at(-1);
    if (parent) parent.children.push(element);
    else root = element;
  });
  // The parser throws at the first fault, unless there is a listener for its errors.
  parser.write(escapeBareAmpersands(withoutPadding(text))).close();
  return root;
}

function openElement(
  qualifiedName: string,
  given: Readonly<Record<string, string>>,
  {
    outer,
    namespaces,
  }: { outer: QualifiedElement | undefined; namespaces: Readonly<Record<string, string>> },
): OpenElement {
  const [prefix, name] = splitName(qualifiedName);
  const attributes: Record<string, string> = {};
  const declared: [prefix: string, uri: string][] = [];
  for (const [attribute, value] of Object.entries(given)) {
    const [space, own] = splitName(attribute);
    if (attribute === 'xmlns') declared.push(['', value]);
    else if (space === 'xmlns') declared.push([own, value]);
    else attributes[own] = value;
  }
  const outerPrefixes = outer?.prefixes ?? NO_PREFIXES;
  const prefixes = declared.length === 0 ? outerPrefixes : new Map([...outerPrefixes, ...declared]);
  const unknown = prefix === '' ? '' : `urn:undeclared:${prefix}`;
  const namespace = prefixes.get(prefix) ?? namespaces[prefix] ?? unknown;
  return { name, namespace, attributes, text: '', children: [], prefixes };
}

/** Prefix (empty for none) and name. */
export function splitName(name: string): [string, string] {
  const colon = name.indexOf(':');
  return colon === -1 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
}

function escapeBareAmpersands(text: string): string {
  // Much faster for megabytes without any.
  return text.includes('&') ? text.replace(BARE_AMPERSAND, '&amp;') : text;
}

/**
 * The text without what devices leave around a document, such as zero bytes. In time proportional to the
 * text.
 */
function withoutPadding(text: string): string {
  let end = text.length;
  while (end > 0 && PADDING.has(text.charAt(end - 1))) end--;
  return text.slice(0, end).trimStart();
}

/** Whether one of these marks occurs more often than `max`. It stops counting there. */
function hasMore(text: string, marks: readonly string[], max: number): boolean {
  return marks.some((mark) => {
    let count = 0;
    for (let at = text.indexOf(mark); at !== -1; at = text.indexOf(mark, at + 1)) {
      if (++count > max) return true;
    }
    return false;
  });
}
