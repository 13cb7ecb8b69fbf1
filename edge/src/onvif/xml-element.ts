import { parseXml, type QualifiedElement } from '@hlid/protocol/base/xml';
import { NS } from './namespaces.ts';

export type XmlElement = QualifiedElement;

/** Ten times the longest answer of a real device. */
export const MAX_CHARACTERS = 4 * 1024 * 1024;
const BOUNDS = { maxCharacters: MAX_CHARACTERS, maxElements: 20_000, maxDepth: 60 };

/** The root of a device's answer; null where it is not XML, or not XML that a device would send. Never throws. */
export function readXml(text: string): XmlElement | null {
  const xml = parseXml(text, BOUNDS, NS);
  return xml.ok ? xml.root : null;
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
