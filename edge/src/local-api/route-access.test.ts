import { Hono } from 'hono';
import { pino } from 'pino';
import { expect, test } from 'vitest';
import { createApp } from './local-app.ts';
import type { LocalEnv } from './local-env.ts';
import { accessPoints, isLoopbackHost } from './on-site-access.ts';

test('a route without an entry in the access table is a fault at the start', () => {
  const routes = new Hono<LocalEnv>().post('/api/explode', (c) => c.json({}));
  const { loopback: accessPoint } = accessPoints({ loopback: 'open' });
  expect(() =>
    createApp([routes], { secret: 'x', accessPoint, isTraining: () => false, log: pino({ enabled: false }) }),
  ).toThrow('POST /api/explode');
});

test.each([
  'localhost',
  'LocalHost:7070',
  '127.0.0.1',
  '127.0.0.1:7070',
  '127.8.9.1:80',
  '[::1]',
  '[::1]:7070',
])('the machine itself: %s', (host) => {
  expect(isLoopbackHost(host)).toBe(true);
});

test.each([
  undefined,
  '',
  'evil.example',
  'localhost.evil.example',
  'evil.example:7070',
  '127.0.0.1.evil.example',
  '127.0.0.1@evil.example',
  '10.0.0.7:7070',
  '[::2]',
  'localhost:7070, evil.example',
])('any other name: %s', (host) => {
  expect(isLoopbackHost(host)).toBe(false);
});
