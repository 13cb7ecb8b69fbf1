/** The text in base64, whatever stands before it: without the characters that depend on its neighbours. */
function base64Forms(text: string): string[] {
  return [0, 1, 2].map((shift) => {
    const encoded = Buffer.from(' '.repeat(shift) + text).toString('base64');
    const first = shift === 0 ? 0 : shift + 1;
    const left = (shift + text.length) % 3;
    return encoded.replace(/=+$/, '').slice(first, left === 0 ? undefined : -1);
  });
}

function bytesOf(text: string): Buffer[] {
  const utf16 = Buffer.from(text, 'utf16le');
  const escaped = [...text].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');
  const urlEncoded = [...text].map((sign) => `%${sign.charCodeAt(0).toString(16)}`).join('');
  return [
    Buffer.from(text),
    utf16,
    Buffer.from(utf16).swap16(),
    Buffer.from(escaped),
    Buffer.from(urlEncoded),
    ...[Buffer.from(text).toString('hex'), ...base64Forms(text)].map((each) => Buffer.from(each)),
  ];
}

/** A card's number however it is written: with separators, escaped, encoded. */
export function numberForms(number: string): Buffer[] {
  const groups = number.length === 15 ? /^(.{4})(.{6})(.{5})$/ : /^(.{4})(.{4})(.{4})(.*)$/;
  const split = [' ', '-', '.', '+', '%20', '\u00a0'].map((separator) =>
    Buffer.from(number.replace(groups, (_all, ...parts: string[]) => parts.slice(0, -2).join(separator))),
  );
  return [...bytesOf(number), ...split];
}

/** A security code is so short that it stands in any number: it is looked for as a value, in quotes or behind a sign. */
export function codeForms(code: string): Buffer[] {
  const values = [
    `"${code}"`,
    `'${code}'`,
    `=${code}&`,
    `:${code},`,
    `:${code}}`,
    `\\"${code}\\"`,
    `%22${code}%22`,
  ];
  return [...values.map((each) => Buffer.from(each)), ...bytesOf(`"${code}"`)];
}

/** The forms that the content contains. */
export function formsIn(content: Uint8Array, forms: readonly Buffer[]): string[] {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength);
  return forms.filter((form) => bytes.includes(form)).map((form) => form.toString('latin1'));
}
