import { parseXml, type XmlElement } from '../base/xml.ts';
import { utf16Of } from './body-text.ts';
import { type Checked, quoted, refuse } from './json-border.ts';

/** The limit beside its pictures: an alert has some thousand bytes. */
const MAX_BYTES = 128 * 1024;
const BOUNDS = { maxCharacters: MAX_BYTES, maxElements: 3000, maxDepth: 50 };

/** A longer text that is nothing but base64 is a picture. */
const MIN_PICTURE_CHARACTERS = 2048;
const NO_BASE64 = /[^\w+/=\s-]/;
/** The stand-in for a picture while the document is parsed. */
const PLACE = /^\uE000(\d+)\uE000$/;

/** Reads the XML document of a camera. Never throws. */
export function readXml(body: Uint8Array): Checked<XmlElement> {
  const decoded = decodeXml(body);
  if (decoded === null) return refuse('malformed', 'the XML names an encoding that is not known');
  const { text, pictures } =
    decoded.length > MAX_BYTES ? withoutPictures(decoded) : { text: decoded, pictures: [] };
  if (text.length > MAX_BYTES) return refuse('malformed', `the XML is longer than ${MAX_BYTES} bytes`);
  if (text.trim() === '') return refuse('malformed', 'the body is empty');
  const xml = parseXml(text, BOUNDS);
  if (!xml.ok) return refuse('malformed', `the body is not XML: ${xml.reason}`);
  return { ok: true, value: pictures.length === 0 ? xml.root : withPictures(xml.root, pictures) };
}

/** The parser reads texts slowly, and pictures in base64 are megabytes of them. */
function withoutPictures(whole: string): { text: string; pictures: string[] } {
  const pictures: string[] = [];
  const kept: string[] = [];
  let from = 0;
  for (let start = whole.indexOf('>'); start !== -1; start = whole.indexOf('>', start + 1)) {
    const end = whole.indexOf('<', start);
    if (end === -1) break;
    const content = end - start > MIN_PICTURE_CHARACTERS ? whole.slice(start + 1, end) : '';
    if (content !== '' && !NO_BASE64.test(content)) {
      kept.push(whole.slice(from, start + 1), `\uE000${pictures.push(content.trim()) - 1}\uE000`);
      from = end;
    }
    start = Math.max(start, end - 1);
  }
  return { text: kept.join('') + whole.slice(from), pictures };
}

function withPictures(element: XmlElement, pictures: readonly string[]): XmlElement {
  const [, place] = PLACE.exec(element.text) ?? [];
  return {
    ...element,
    text: place === undefined ? element.text : (pictures[Number(place)] ?? ''),
    children: element.children.map((child) => withPictures(child, pictures)),
  };
}

/**
 * Decodes by the first bytes if it is UTF-16, else by its declaration, else as UTF-8; null: unknown encoding. Invalid
 * bytes, as in the name of a camera, become U+FFFD.
 */
function decodeXml(body: Uint8Array): string | null {
  const declared = /^\s*<\?xml[^>]{0,100}?encoding\s*=\s*["']([\w.:-]{1,40})["']/i.exec(
    String.fromCharCode(...body.subarray(0, 200)),
  )?.[1];
  // A declaration that was readable as single bytes cannot be UTF-16, even if it claims to be.
  const encoding = declared === undefined || /^utf-?16/i.test(declared) ? 'utf-8' : declared;
  try {
    return new TextDecoder(utf16Of(body) ?? encoding).decode(body);
  } catch {
    return null;
  }
}

/** Whether an element has this name, in any case. */
export function isNamed(element: XmlElement, name: string): boolean {
  return element.name.toLowerCase() === name.toLowerCase();
}

/** The children of a name, in any case; if there is none, those with names that are a slip away from it. */
export function childrenNamed(parent: XmlElement, name: string): readonly XmlElement[] {
  const exact = parent.children.filter((child) => isNamed(child, name));
  if (exact.length > 0) return exact;
  return parent.children.filter((child) => isSlipOf(child.name.toLowerCase(), name.toLowerCase()));
}

/** All elements of a name inside an element, in any case and at any depth, in the document's order. */
export function elementsNamed(parent: XmlElement, name: string): XmlElement[] {
  return parent.children.flatMap((child) => [
    ...(isNamed(child, name) ? [child] : []),
    ...elementsNamed(child, name),
  ]);
}

/** The text of the first child of any of these names that has one; undefined where none has. */
export function childText(parent: XmlElement, ...names: readonly string[]): string | undefined {
  for (const name of names) {
    for (const child of childrenNamed(parent, name)) if (child.text !== '') return child.text;
  }
  return undefined;
}

/** The root's name, which a refusal reports. */
export function rootName(element: XmlElement): string {
  return quoted(element.name);
}

const SHORTEST_SLIP = 6;

/**
 * Firmware is known to misspell its elements (`vehicelRect`, `vehileModel`, `palteTypeByGAT`): a letter left out, too
 * many or wrong, or letters in another order.
 */
function isSlipOf(word: string, name: string): boolean {
  if (name.length < SHORTEST_SLIP || Math.abs(word.length - name.length) > 1) return false;
  let at = 0;
  while (at < name.length && word[at] === name[at]) at++;
  if (word.length < name.length) return word.slice(at) === name.slice(at + 1);
  if (word.length > name.length) return word.slice(at + 1) === name.slice(at);
  return word.slice(at + 1) === name.slice(at + 1) || lettersOf(word) === lettersOf(name);
}

function lettersOf(word: string): string {
  return [...word].sort().join('');
}
