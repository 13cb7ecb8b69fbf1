import type { XmlElement } from '../base/xml.ts';
import type { DocumentContext } from '../plate/plate-read.ts';
import { beginsAsJson, beginsAsXml, fromUtf16 } from './body-text.ts';
import { CAMERA_FORMATS, type CameraFormat, CameraFormatSchema } from './camera-formats.ts';
import { fromForm } from './form-body.ts';
import { readJson } from './json-border.ts';
import { splitMultipart } from './multipart-frame.ts';
import { pictureType } from './picture-type.ts';
import { readXml } from './xml-tree.ts';

const MAX_NAMES = 5000;
const MAX_DEPTH = 12;
/** The limit for documents that are neither JSON nor XML: lines of `name=value`. */
const MAX_TEXT_BYTES = 64 * 1024;

/**
 * Finds the formats that match a document and have a parser that accepts it. If there is not exactly one, the
 * maker is unknown.
 */
export function recogniseFormats(body: Uint8Array, context: DocumentContext): CameraFormat[] {
  const names = namesIn(body, context);
  return CameraFormatSchema.options.filter((format) => {
    const { recognises, parse } = CAMERA_FORMATS[format];
    return recognises?.(names) === true && parse(body, context).ok;
  });
}

/** The names of all members, elements and attributes of a document, folded as `foldKeys` folds them. */
function namesIn(body: Uint8Array, context: DocumentContext): ReadonlySet<string> {
  const names = new Set<string>();
  const plain = fromUtf16(body) ?? body;
  const split = splitMultipart(plain, context.headers['content-type']);
  const pieces = split?.ok ? split.value.map(({ content }) => content) : [fromForm(plain) ?? plain];
  for (const piece of pieces) if (pictureType(piece) === null) addNamesOf(piece, names);
  return names;
}

function addNamesOf(piece: Uint8Array, names: Set<string>): void {
  if (beginsAsJson(piece)) {
    const json = readJson(piece);
    if (json.ok) addMembers(json.value, names, MAX_DEPTH);
    // Some write quotes of the wrong kind.
    else addNamesInText(piece, names);
  } else if (beginsAsXml(piece)) {
    const xml = readXml(piece);
    if (xml.ok) addElement(xml.value, names, MAX_DEPTH);
  } else {
    addNamesInText(piece, names);
  }
}

function addNamesInText(piece: Uint8Array, names: Set<string>): void {
  const text = new TextDecoder().decode(piece.subarray(0, MAX_TEXT_BYTES));
  for (const [, name = ''] of text.matchAll(/([A-Za-z]\w{0,60})(?=[.[=]|["']\s*:)/g)) add(name, names);
}

function addMembers(value: unknown, names: Set<string>, depth: number): void {
  if (typeof value !== 'object' || value === null || depth === 0) return;
  const isList = Array.isArray(value);
  for (const [name, inside] of Object.entries(value)) {
    if (!isList) add(name, names);
    addMembers(inside, names, depth - 1);
  }
}

function addElement({ name, attributes, children }: XmlElement, names: Set<string>, depth: number): void {
  if (depth === 0) return;
  add(name, names);
  for (const [attribute, value] of Object.entries(attributes)) {
    add(attribute, names);
    // An item of ONVIF has its name in an attribute.
    if (attribute === 'Name') add(value, names);
  }
  for (const child of children) addElement(child, names, depth - 1);
}

function add(name: string, names: Set<string>): void {
  if (names.size < MAX_NAMES) names.add(name.toLowerCase().replace(/[^\p{L}\p{N}]/gu, ''));
}
