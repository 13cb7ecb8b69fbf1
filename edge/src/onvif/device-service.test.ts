import { expect, test } from 'vitest';
import { asSeenFrom } from './device-service.ts';
import { readDateTime, readDuration } from './device-time.ts';

const HERE = 'http://camera.example:8081/onvif/device_service';

test.each([
  ['http://camera.example:8081/onvif/events?Idx=7', 'http://camera.example:8081/onvif/events?Idx=7'],
  ['http://camera.example/onvif/events', 'http://camera.example/onvif/events'],
  // The device is behind a router, or names an address that it had before.
  ['http://192.168.1.64/onvif/events?Idx=7', 'http://camera.example:8081/onvif/events?Idx=7'],
  ['http://[fe80::1]:8000/events', 'http://camera.example:8081/events'],
  ['/onvif/events', 'http://camera.example:8081/onvif/events'],
  [
    'http://192.168.1.64/onvif/events http://[fe80::1]/onvif/events',
    'http://camera.example:8081/onvif/events',
  ],
  ['http://', HERE],
  // Some firmware leaves its own host out of the address.
  ['http:///onvif/events?session=392', 'http://camera.example:8081/onvif/events?session=392'],
  ['http:/onvif/events', 'http://camera.example:8081/onvif/events'],
  ['https:///onvif/events', 'http://camera.example:8081/onvif/events'],
  ['http://:80/onvif/events', 'http://camera.example:8081/onvif/events'],
  ['http://[/onvif/events', 'http://camera.example:8081/onvif/events'],
])('%s, as seen from here', (reported, address) => {
  expect(asSeenFrom(HERE, reported)).toBe(address);
});

test('https stays https', () => {
  expect(
    asSeenFrom('https://camera.example/onvif/device_service', 'http://camera.example/onvif/events'),
  ).toBe('https://camera.example/onvif/events');
});

test.each([
  ['PT1S', 1000],
  ['PT0.5S', 500],
  ['PT1M30S', 90_000],
  ['P1DT1H', 90_000_000],
  ['PT', null],
  ['1', null],
  ['', null],
])('the duration %s', (text, ms) => {
  expect(readDuration(text)).toBe(ms);
});

test.each([
  ['2008-10-09T13:52:59', '2008-10-09T13:52:59.000Z'],
  ['2026-11-21T10:00:00+01:00', '2026-11-21T09:00:00.000Z'],
  ['2021-05-20T11:54:21.894000Z', '2021-05-20T11:54:21.894Z'],
  ['yesterday', undefined],
  ['2026-13-45T99:00:00Z', undefined],
])('the time %s', (text, iso) => {
  expect(readDateTime(text)?.toISOString()).toBe(iso);
});
