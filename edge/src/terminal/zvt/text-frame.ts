/** The character set of the bytes above 7F. Only `cp437` needs no announcement (PA00P015). */
export type Charset = 'cp437' | 'latin1' | 'utf-8' | `iso8859-${number}`;

const CP437_UPPER =
  'ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀' +
  'αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u00A0';

export function readText(bytes: Uint8Array, charset: Charset): string {
  switch (charset) {
    case 'cp437':
      return Array.from(bytes, (byte) =>
        byte < 0x80 ? String.fromCharCode(byte) : (CP437_UPPER[byte - 0x80] ?? ''),
      ).join('');
    case 'latin1':
    case 'iso8859-1':
      return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
    case 'utf-8':
      return new TextDecoder().decode(bytes);
    default:
      return new TextDecoder(charset.replace('iso8859', 'iso-8859')).decode(bytes);
  }
}

/** Writes a text; characters outside the character set become question marks. */
export function writeText(text: string, charset: Charset): Uint8Array {
  if (charset === 'utf-8') return new TextEncoder().encode(text);
  return Uint8Array.from(text, (letter) => {
    const code = letter.codePointAt(0) ?? 0;
    if (code < 0x80) return code;
    const upper = charset === 'cp437' ? CP437_UPPER.indexOf(letter) + 0x80 : code;
    return upper >= 0x80 && upper <= 0xff ? upper : 0x3f;
  });
}

/**
 * The character set of tag 14: 01 to 10 are ISO 8859-1 to -16 (there is no 12), FE is UTF-8, FF is CP437;
 * null: unknown.
 */
export function charsetOfTag14(value: Uint8Array): Charset | null {
  const [code = 0] = value;
  if (code === 0xfe) return 'utf-8';
  if (code === 0xff) return 'cp437';
  return code >= 1 && code <= 16 && code !== 12 ? `iso8859-${code}` : null;
}

/**
 * Guesses the character set of the texts of a message that names none. The default is CP437, and genuine
 * terminals send Latin-1 all the same. The letters of both our languages are C0 to FF in Latin-1, where CP437
 * has lines and Greek. The bytes of CP437's letters, 80 to A5, are control characters and signs in Latin-1.
 * The same byte twice is a line that is drawn, and no letter. What is well-formed UTF-8 makes no sense in
 * either.
 */
export function guessCharset(texts: readonly Uint8Array[]): Charset {
  if (texts.some(isUtf8)) return 'utf-8';
  const upper = texts.flatMap((text) =>
    Array.from(text).filter((byte, at) => byte >= 0x80 && byte !== text[at - 1] && byte !== text[at + 1]),
  );
  // ß of CP437 is á of Latin-1: alone it decides nothing.
  const significant = upper.filter((byte) => byte !== 0xe1);
  const latin1 =
    significant.length > 0 && significant.every((byte) => byte >= 0xc0 && byte !== 0xd7 && byte !== 0xf7);
  return latin1 ? 'latin1' : 'cp437';
}

/** Whether a letter above 7F is written in it; few other texts have those bytes in such an order by chance. */
function isUtf8(text: Uint8Array): boolean {
  if (text.every((byte) => byte < 0x80)) return false;
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(text);
    return true;
  } catch {
    return false;
  }
}
