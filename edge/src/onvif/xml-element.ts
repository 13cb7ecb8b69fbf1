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
  /** Its own text, trimmed: the standards themselves print values padded. */
  text: string;
  /** Prefixes in force here, for names that stand in text. */
  prefixes: ReadonlyMap<string, string>;
}

interface OpenElement extends XmlElement {
  children: XmlElement[];
}

const MOST_ELEMENTS = 20_000;
const DEEPEST_NESTING = 60;

/** The document's root, or null where it is no XML, or no XML that a device would send. Never throws. */
export function readXml(text: string): XmlElement | null {
  try {
    return buildTree(text);
  } catch {
    return null;
  }
}

function buildTree(text: string): XmlElement | null {
  const parser = new SaxesParser({ xmlns: true, additionalNamespaces: { ...NS } });
  const open: OpenElement[] = [];
  let root: XmlElement | null = null;
  let elements = 0;
  parser.on('doctype', () => {
    // Nothing in SOAP has one; it is where entities that grow without end come from.
    throw new Error('a document type is not taken');
  });
  parser.on('opentag', ({ local, uri, attributes, ns }) => {
    if (++elements > MOST_ELEMENTS || open.length >= DEEPEST_NESTING) throw new Error('too much of it');
    const declared = Object.entries(ns);
    const outer = open.at(-1)?.prefixes ?? NO_PREFIXES;
    const own = Object.values(attributes).filter(({ uri: space }) => space !== XMLNS);
    open.push({
      name: local,
      namespace: uri,
      attributes: Object.fromEntries(own.map((attribute) => [attribute.local, attribute.value])),
      children: [],
      text: '',
      prefixes: declared.length === 0 ? outer : new Map([...outer, ...declared]),
    });
  });
  const addText = (piece: string) => {
    const element = open.at(-1);
    if (element) element.text += piece;
  };
  parser.on('text', addText);
  parser.on('cdata', addText);
  parser.on('closetag', () => {
    const element = open.pop();
    if (!element) return;
    element.text = element.text.trim();
    const parent = open.at(-1);
    if (parent) parent.children.push(element);
    else root = element;
  });
  // It throws at the first fault, as long as nobody listens to its errors. Devices end a text with zero bytes.
  parser.write(text.replace(/[\0\s]+$/, '')).close();
  return root;
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
