import { expect, it } from 'vitest';
import { isLoopbackEdge, isOwnPage, mayRequest } from './address-policy.ts';

it.each([
  ['app://kiosk/index.html', true],
  ['app://kiosk/', true],
  ['app://kiosk/index.html#x', true],
  ['app://kiosk/help.html', true],
  ['app://kiosk/api/kiosk/site', false],
  ['app://kiosk/other.html', false],
  ['app://other/index.html', false],
  ['app://user@kiosk/index.html', false],
  ['app://kiosk:80/index.html', false],
  ['http://127.0.0.1:7070/kiosk/', false],
  ['https://kiosk/index.html', false],
  ['file:///app/index.html', false],
  ['data:text/html,hello', false],
  ['about:blank', false],
  ['javascript:alert(1)', false],
  ['not an address', false],
])('shows %s: %s', (address, own) => {
  expect(isOwnPage(address)).toBe(own);
});

it.each([
  ['app://kiosk/api/kiosk/visits?plate=ABC', true],
  ['app://kiosk/assets/page.js', true],
  ['app://kiosk.example/assets/page.js', false],
  ['http://127.0.0.1:7070/api/kiosk/site', false],
  ['ws://127.0.0.1:7070/', false],
  ['blob:app://kiosk/1f3c', false],
  ['file:///etc/passwd', false],
  ['devtools://devtools/bundled/inspector.html', false],
])('may ask for %s: %s', (address, may) => {
  expect(mayRequest(address)).toBe(may);
});

it.each([
  ['http://127.0.0.1:7070', true],
  ['http://127.0.0.1:7070/', true],
  ['http://localhost:7070', true],
  ['http://[::1]:7070', true],
  ['https://127.0.0.1:7070', false],
  ['http://192.168.1.10:7070', false],
  ['http://127.0.0.1.example:7070', false],
  ['http://localhost.example', false],
  ['http://me:secret@127.0.0.1:7070', false],
  ['http://127.0.0.1:7070/kiosk/', false],
  ['http://127.0.0.1:7070/?a', false],
  ['127.0.0.1:7070', false],
  ['', false],
])('an edge at %s: %s', (address, is) => {
  expect(isLoopbackEdge(address)).toBe(is);
});
