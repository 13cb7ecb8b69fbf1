/** A mail as a mail program shows it. */
export interface ReadMail {
  subject: string;
  /** Its plain text. */
  text: string;
}

/** Reads a mail as it came over SMTP (RFC 2045 and 2047), as far as our mailer uses these. */
export function readMail(raw: string): ReadMail {
  const { headers, body } = partsOf(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers)?.[1];
  const text = boundary === undefined ? decoded(headers, body) : firstPart(body, boundary);
  return { subject: decodedWords(/^Subject: (.*)$/m.exec(headers)?.[1] ?? ''), text };
}

/** A file that goes with a mail. */
export interface MailedFile {
  /** Such as `application/pdf`. */
  type: string;
  content: Buffer;
}

/** The files that go with a mail, as it came over SMTP. */
export function mailedFiles(raw: string): MailedFile[] {
  const { headers, body } = partsOf(raw);
  const boundary = /boundary="([^"]+)"/.exec(headers)?.[1];
  if (boundary === undefined) return [];
  return body.split(`--${boundary}`).flatMap((part) => {
    const { headers: own, body: content } = partsOf(part);
    const isFile = /^Content-Disposition: attachment/im.test(own);
    const type = /^Content-Type: ([^;\s]+)/im.exec(own)?.[1];
    return isFile && type !== undefined ? [{ type, content: Buffer.from(content, 'base64') }] : [];
  });
}

function partsOf(raw: string): { headers: string; body: string } {
  const end = raw.indexOf('\r\n\r\n');
  return { headers: raw.slice(0, end).replaceAll(/\r\n[ \t]+/g, ' '), body: raw.slice(end + 4) };
}

function firstPart(body: string, boundary: string): string {
  const [, part = ''] = body.split(`--${boundary}\r\n`);
  const { headers, body: text } = partsOf(part);
  return decoded(headers, text);
}

function decoded(headers: string, body: string): string {
  const encoding = /^Content-Transfer-Encoding: (\S+)/im.exec(headers)?.[1]?.toLowerCase();
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString();
  return encoding === 'quoted-printable' ? unquoted(body.replaceAll('=\r\n', '')) : body;
}

/** `=?UTF-8?Q?…?=` and `=?UTF-8?B?…?=`; what is between two of them is no text. */
function decodedWords(header: string): string {
  return header
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?([QB])\?(.*?)\?=/gi, (_whole, kind: string, word: string) =>
      kind.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString()
        : unquoted(word.replaceAll('_', ' ')),
    );
}

function unquoted(text: string): string {
  const bytes = text.replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) =>
    String.fromCharCode(Number.parseInt(hex, 16)),
  );
  return Buffer.from(bytes, 'latin1').toString();
}
