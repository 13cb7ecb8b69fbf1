import type { XmlElement } from '../base/xml.ts';
import { type Checked, readJson } from './json-border.ts';

/**
 * An alert in JSON as the tree that its XML would be: members are children of that name, lists the same name several
 * times. Some firmware sends JSON where other sends XML, with the same names.
 *
 * @param name of the root, which JSON has none of
 */
export function readJsonAlerts(body: Uint8Array, name: string): Checked<XmlElement[]> {
  const json = readJson(body);
  if (!json.ok) return json;
  const values: unknown[] = Array.isArray(json.value) ? json.value : [json.value];
  return { ok: true, value: values.flatMap((value) => alertsIn(elementOf(name, value), name)) };
}

function elementOf(name: string, value: unknown): XmlElement {
  if (typeof value !== 'object' || value === null) {
    return { name, attributes: {}, text: String(value ?? '').trim(), children: [] };
  }
  const children = Object.entries(value).flatMap(([member, inside]) =>
    (Array.isArray(inside) ? inside : [inside]).map((one: unknown) => elementOf(member, one)),
  );
  return { name, attributes: {}, text: '', children };
}

/** The alert is the whole, or stands under its name. */
function alertsIn(root: XmlElement, name: string): XmlElement[] {
  const inside = root.children.filter((child) => child.name.toLowerCase() === name.toLowerCase());
  return inside.length > 0 ? inside : [root];
}
