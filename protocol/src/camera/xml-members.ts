import type { XmlElement } from '../base/xml.ts';
import type { Checked } from './json-border.ts';
import { readXml } from './xml-tree.ts';

/**
 * An XML document as the JSON that the same maker writes elsewhere. The root is a member of its name.
 * Attributes and children are members; those that come several times are a list. An element that has neither
 * is its text; one with attributes has its text as `#text`.
 */
export function readXmlMembers(body: Uint8Array): Checked<Record<string, unknown>> {
  const xml = readXml(body);
  return xml.ok ? { ok: true, value: membersOf([xml.value]) } : xml;
}

function membersOf(elements: readonly XmlElement[]): Record<string, unknown> {
  const members = new Map<string, unknown[]>();
  for (const element of elements) {
    const same = members.get(element.name);
    if (same) same.push(contentOf(element));
    else members.set(element.name, [contentOf(element)]);
  }
  return Object.fromEntries(
    [...members].map(([name, values]) => [name, values.length === 1 ? values[0] : values]),
  );
}

function contentOf({ attributes, text, children }: XmlElement): unknown {
  if (Object.keys(attributes).length === 0 && children.length === 0) return text;
  return { ...(text !== '' && { '#text': text }), ...attributes, ...membersOf(children) };
}
