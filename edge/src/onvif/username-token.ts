import { createHash, randomBytes } from 'node:crypto';
import { NS } from './namespaces.ts';
import { type Xml, xml } from './xml-text.ts';

export interface Credentials {
  user: string;
  password: string;
}

const PASSWORD_DIGEST =
  'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-username-token-profile-1.0#PasswordDigest';
const BASE64 =
  'http://docs.oasis-open.org/wss/2004/01/oasis-200401-wss-soap-message-security-1.0#Base64Binary';

/**
 * A WS-UsernameToken for one message: Base64(SHA1(nonce + created + password)).
 *
 * @param created by the device's clock, which judges it
 */
export function usernameToken(
  { user, password }: Credentials,
  created: Date,
  nonce: Uint8Array = randomBytes(16),
): Xml {
  // Whole seconds, which every device understands.
  const when = `${created.toISOString().slice(0, 19)}Z`;
  const digest = createHash('sha1').update(nonce).update(when).update(password).digest('base64');
  return xml`<wsse:Security s:mustUnderstand="1" xmlns:wsse="${NS.wsse}" xmlns:wsu="${NS.wsu}"><wsse:UsernameToken>
<wsse:Username>${user}</wsse:Username>
<wsse:Password Type="${PASSWORD_DIGEST}">${digest}</wsse:Password>
<wsse:Nonce EncodingType="${BASE64}">${Buffer.from(nonce).toString('base64')}</wsse:Nonce>
<wsu:Created>${when}</wsu:Created>
</wsse:UsernameToken></wsse:Security>`;
}
