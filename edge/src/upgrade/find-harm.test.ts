import { expect, it } from 'vitest';
import { upgradeSignal } from '../health/health-signals.ts';
import { findHarm, readStatus, type SiteStatus } from './find-harm.ts';

const SOFTWARE = 'hlid-edge/0.3.0';

function statusOf(
  devices: Readonly<Record<string, string>>,
  more: Partial<SiteStatus> = {},
): SiteStatus | null {
  const listed = Object.entries(devices).map(([device, state]) => {
    const [kind = '', id = 'site'] = device.split(' ');
    return { kind, id, state, detail: '' };
  });
  const base = { software: SOFTWARE, startedAt: 'x', faults: [], link: { connected: true } };
  return readStatus(JSON.stringify({ ...base, devices: listed, ...more }));
}

it.each<[string, SiteStatus | null, SiteStatus | null, string[]]>([
  ['nothing answers', statusOf({}), null, ['the daemon does not answer']],
  [
    'another version answers',
    statusOf({}),
    statusOf({}, { software: 'hlid-edge/0.2.0' }),
    ['hlid-edge/0.2.0 answers, not hlid-edge/0.3.0'],
  ],
  ['all works', statusOf({ 'camera a': 'ok' }), statusOf({ 'camera a': 'ok' }), []],
  ['a camera was not heard yet', statusOf({ 'camera a': 'ok' }), statusOf({ 'camera a': 'unknown' }), []],
  [
    'a camera fails now',
    statusOf({ 'camera a': 'ok' }),
    statusOf({ 'camera a': 'failing' }),
    ['camera a: failing'],
  ],
  ['a certificate ends soon', statusOf({}), statusOf({ certificate: 'expiring', backup: 'outdated' }), []],
  ['it failed before', statusOf({ 'camera a': 'failing' }), statusOf({ 'camera a': 'unreachable' }), []],
  ['a state is new', statusOf({}), statusOf({ 'gate a': 'on-fire' }), ['gate a: on-fire']],
  [
    'the database cannot be used',
    statusOf({}),
    statusOf({ database: 'failing' }),
    ['database site: failing'],
  ],
  [
    'the cloud is lost',
    statusOf({}),
    statusOf({}, { link: { connected: false } }),
    ['the cloud is not connected'],
  ],
  [
    'the cloud was away before',
    statusOf({}, { link: null }),
    statusOf({}, { link: { connected: false } }),
    [],
  ],
  ['nothing can be stored', statusOf({}), statusOf({}, { faults: ['disk full'] }), ['disk full']],
  [
    'none ran before',
    null,
    statusOf({ 'camera a': 'failing', database: 'failing' }),
    ['database site: failing'],
  ],
])('where %s', (_, before, now, harm) => {
  expect(findHarm(before, now, SOFTWARE)).toEqual(harm);
});

it('the alarm of an upgrade says what happened, until one works or a person has read it', () => {
  const at = '2026-11-23T08:00:00.000Z';
  const state = {
    orderId: null,
    from: '0.2.0',
    to: '0.3.0',
    reason: 'it ends',
    dismissed: false,
    at,
  } as const;
  expect(upgradeSignal({ ...state, outcome: 'went-back' })).toEqual({
    state: 'failing',
    detail: '0.3.0 went back to 0.2.0: it ends',
  });
  expect(upgradeSignal({ ...state, outcome: 'refused' }).detail).toBe('0.3.0 was not installed: it ends');
  for (const outcome of ['working', 'installing', 'done'] as const)
    expect(upgradeSignal({ ...state, outcome }).state).toBe('ok');
  expect(upgradeSignal({ ...state, outcome: 'stuck', dismissed: true }).state).toBe('ok');
});
