import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { deadline } from '@hlid/protocol/test/deadline';
import { expect, it, vi } from 'vitest';
import { createServiceWatch, watchPauseMs } from './service-watch.ts';

it('is asked for a sign of life three times in what systemd waits', () => {
  expect(watchPauseMs({ NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '60000000' })).toBe(20_000);
  expect(watchPauseMs({ NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: '600000' })).toBe(1000);
});

it.each([
  ['nobody asked', {}],
  ['there is no watchdog', { NOTIFY_SOCKET: '/run/x' }],
  ['nobody listens', { WATCHDOG_USEC: '60000000' }],
  ['it is no number', { NOTIFY_SOCKET: '/run/x', WATCHDOG_USEC: 'soon' }],
])('gives none when %s', (_name, environment) => {
  expect(watchPauseMs(environment)).toBeNull();
});

it('notifies by systemd-notify, and only under a service manager', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-notify-'));
  const reported = join(folder, 'reported');
  const command = join(folder, 'notify');
  writeFileSync(command, `#!/bin/sh\necho "$@" >> ${reported}\n`, { mode: 0o755 });
  writeFileSync(reported, '');
  createServiceWatch({}, command).ready();
  const service = createServiceWatch({ NOTIFY_SOCKET: '/run/x' }, command);
  service.ready();
  await vi.waitFor(() => expect(readFileSync(reported, 'utf8')).toBe('READY=1\n'), deadline(10_000));
  service.alive();
  await vi.waitFor(
    () => expect(readFileSync(reported, 'utf8')).toBe('READY=1\nWATCHDOG=1\n'),
    deadline(10_000),
  );
  rmSync(folder, { recursive: true });
});

it('goes on where there is no such program', () => {
  expect(() => createServiceWatch({ NOTIFY_SOCKET: '/run/x' }, '/nowhere/notify').alive()).not.toThrow();
});
