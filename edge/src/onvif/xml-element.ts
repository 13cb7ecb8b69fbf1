import { createXmlGrowth, hasMore, hasTooManyBlanks, withoutPadding } from '@hlid/protocol/camera/xml-growth';
import { escapeBareAmpersands } from '@hlid/protocol/camera/xml-tree';
import { SaxesParser } from 'saxes';
import { NS } from './namespaces.ts';

/** An XML element, its prefixes resolved. */
export interface XmlElement {
  /** Without its prefix. */
  name: string;
  /** The namespace's URI; empty for none. */
  namespace: string;
  /** By name without prefix; declarations of namespaces are not among them. */
  attributes: Readonly<Record<string, string>>;
  children: readonly XmlElement[];
  /** Its own text, trimmed. */
  text: string;
  /** Prefixes in force here, for names that stand in text. */
  prefixes: ReadonlyMap<string, string>;
}

interface OpenElement extends XmlElement {
  children: XmlElement[];
}

const LIMITS = { maxElements: 20_000, deepestNesting: 60 };

/** The document's root, or null where it is no XML, or no XML that a device would send. Never throws. */
export function readXml(text: string): XmlElement | null {
  if (text.length > MAX_CHARACTERS) return null;
  if (hasTooManyBlanks(text)) return null;
  if (hasMore(text, '=', MAX_MARKS) || hasMore(text, '&', MAX_MARKS)) return null;
  try {
    return buildTree(text);
  } catch {
    return null;
  }
}

/** Ten times what the longest answer of a real device takes. */
export const MAX_CHARACTERS = 4 * 1024 * 1024;
/** Of attributes and entities in one element or text: both take long, and no device sends them by the thousand. */
const MAX_MARKS = 40_000;

function buildTree(text: string): XmlElement | null {
  const parser = new SaxesParser({
    xmlns: true,
    additionalNamespaces: { ...NS },
    // Vendors’ own, that they forget to declare: what it stands for is not asked.
    resolvePrefix: (prefix: string) => `urn:undeclared:${prefix}`,
  });
  const growth = createXmlGrowth<OpenElement>(LIMITS);
  parser.on('doctype', growth.refuseDoctype);
  parser.on('opentag', ({ local, uri, attributes, ns }) => {
    const declared = Object.entries(ns);
    const outer = growth.innermost()?.prefixes ?? NO_PREFIXES;
    const own = Object.values(attributes).filter(({ uri: space }) => space !== XMLNS);
    growth.open({
      name: local,
      namespace: uri,
      attributes: Object.fromEntries(own.map((attribute) => [attribute.local, attribute.value])),
      children: [],
      text: '',
      prefixes: declared.length === 0 ? outer : new Map([...outer, ...declared]),
    });
  });
  parser.on('text', growth.addText);
  parser.on('cdata', growth.addText);
  parser.on('closetag', growth.close);
  // It throws at the first fault, as long as nobody listens to its errors.
  parser.write(escapeBareAmpersands(withoutPadding(text).trimStart())).close();
  return growth.root();
}

const XMLNS = 'http://www.w3.org/2000/xmlns/';
const NO_PREFIXES: ReadonlyMap<string, string> = new Map();

/** Prefix (empty for none) and name. */
export function splitName(name: string): [string, string] {
  const colon = name.indexOf(':');
  return colon === -1 ? ['', name] : [name.slice(0, colon), name.slice(colon + 1)];
}

/** The children of this name, in any namespace: devices disagree about those. */
export function children(element: XmlElement | null | undefined, name: string): XmlElement[] {
  return element?.children.filter((child) => child.name === name) ?? [];
}

/** The first element on the way along these names, or null. */
export function find(element: XmlElement | null | undefined, ...path: readonly string[]): XmlElement | null {
  let found = element ?? null;
  for (const name of path) found = found?.children.find((child) => child.name === name) ?? null;
  return found;
}

/** The text at the end of these names; null where it is not there or empty. */
export function textAt(element: XmlElement | null | undefined, ...path: readonly string[]): string | null {
  return find(element, ...path)?.text || null;
}

/** Every element of this name, at any depth. */
export function descendants(element: XmlElement, name: string): XmlElement[] {
  return element.children.flatMap((child) => [
    ...(child.name === name ? [child] : []),
    ...descendants(child, name),
  ]);
}
