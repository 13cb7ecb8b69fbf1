/** A piece of XML that is finished: nothing in it is escaped again. */
export interface Xml {
  readonly xml: string;
}

type Insertion = string | number | Xml | readonly Xml[] | null;

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&apos;',
};

/** Writes XML: what is put in is escaped, unless it is XML itself; null is left out. */
export function xml(texts: TemplateStringsArray, ...insertions: readonly Insertion[]): Xml {
  const pieces = texts.map(onOneLine);
  let whole = pieces[0] ?? '';
  insertions.forEach((insertion, at) => {
    whole += written(insertion) + (pieces[at + 1] ?? '');
  });
  return { xml: whole };
}

/** Text for XML, between tags or in an attribute; what XML cannot hold at all is dropped. */
export function escapeXml(text: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: exactly those have no place in XML 1.0
  return text.replace(/[\u0000-\u0008\u000b\u000c\u000e-\u001f]/g, '').replace(/[&<>"']/g, (character) => {
    return ESCAPES[character] ?? character;
  });
}

/** Line breaks and indentation are the template's own: not every device expects them. */
function onOneLine(text: string): string {
  return text.replace(/\n\s*/g, '');
}

function written(insertion: Insertion): string {
  if (insertion === null) return '';
  if (typeof insertion === 'string') return escapeXml(insertion);
  if (typeof insertion === 'number') return String(insertion);
  if ('xml' in insertion) return insertion.xml;
  return insertion.map((piece) => piece.xml).join('');
}
