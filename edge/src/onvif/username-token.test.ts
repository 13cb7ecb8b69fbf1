import { expect, test } from 'vitest';
import { usernameToken } from './username-token.ts';
import { find, readXml, textAt } from './xml-element.ts';

test("the digest of ONVIF's programmer's guide", () => {
  const nonce = Buffer.from('LKqI6G/AikKCQrN0zqZFlg==', 'base64');
  const created = new Date('2010-09-16T07:50:45Z');
  const token = usernameToken({ user: 'user', password: 'userpassword' }, created, nonce);
  // `s` is declared by the envelope around it.
  const security = readXml(token.xml);
  expect(textAt(security, 'UsernameToken', 'Password')).toBe('tuOSpGlFlIXsozq4HFNeeGeFLEI=');
  expect(textAt(security, 'UsernameToken', 'Created')).toBe('2010-09-16T07:50:45Z');
});

test('a name that would break an envelope', () => {
  const token = usernameToken({ user: '<a&b>', password: 'þ' }, new Date());
  expect(find(readXml(token.xml), 'UsernameToken', 'Username')?.text).toBe('<a&b>');
});
