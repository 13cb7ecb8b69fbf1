import { expect, test } from 'vitest';
import { hideUrlLogins } from './url-login.ts';

test.each([
  ['https://me:swordfish@parking.example/a', 'https://parking.example/a'],
  ['mqtts://swordfish@broker.example', 'mqtts://broker.example'],
  [
    '“https://me:sword@fish@x.example:8443”, and http://swordfish:@[::1]:80/',
    '“https://x.example:8443”, and http://[::1]:80/',
  ],
  [
    '{"url":"rtsp://me:swordfish@10.0.0.9/1","mail":"anna@x.example"}',
    '{"url":"rtsp://10.0.0.9/1","mail":"anna@x.example"}',
  ],
  ['http://me:sword/fish?#@relay/1', 'http://relay/1'],
])('hides user and password of %s', (text, shown) => {
  expect(hideUrlLogins(text)).toBe(shown);
});

test.each([
  'mail to anna@x.example',
  'https://x.example:8443/people/anna@x.example?from=a@b.example',
  'http://10.0.0.9/onvif/device_service, anna@x.example',
  'https://x.example',
])('leaves %s as it is', (text) => {
  expect(hideUrlLogins(text)).toBe(text);
});

test('reads a long text once', () => {
  const text = `@${'://a:b'.repeat(200_000)}`;
  expect(hideUrlLogins(text)).toBe(text);
});
