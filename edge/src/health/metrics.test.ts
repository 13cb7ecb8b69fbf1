import type { SiteEventBody } from '@hlid/protocol/site-link/site-event';
import { expect, it } from 'vitest';
import { testRead } from '../../test/site.ts';
import type { DeviceView } from './device-health.ts';
import { Metrics } from './metrics.ts';

const AT = '2026-11-21T12:00:00.000Z';
const PASSAGE_ID = '01980000-0000-7000-8000-000000000002';

const NAME = '[a-zA-Z_:][a-zA-Z0-9_:]*';
const LABEL = '[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\\\\n]|\\\\["\\\\n])*"';
const SAMPLE = new RegExp(`^(${NAME})(?:\\{(${LABEL}(?:,${LABEL})*)\\})? ([Nn]a[Nn]|[+-]Inf|-?[0-9.eE+-]+)$`);

/**
 * The text format of Prometheus, read as strictly as it is described: every line, and each family in one piece. Numbers
 * are read as Go does, which takes the `Nan` of prom-client.
 */
function parse(text: string): Map<string, number> {
  expect(text.endsWith('\n')).toBe(true);
  const samples = new Map<string, number>();
  const types = new Map<string, string>();
  let family = '';
  const over = new Set<string>();
  for (const line of text.split('\n')) {
    if (line === '') continue;
    const [, kind, named = '', rest = ''] = /^# (HELP|TYPE) (\S+) (.+)$/.exec(line) ?? [];
    if (kind === 'HELP') {
      expect(over.has(named), `${named} comes twice`).toBe(false);
      over.add(family);
      family = named;
      continue;
    }
    if (kind === 'TYPE') {
      expect([named, rest]).toEqual([family, expect.stringMatching(/^(counter|gauge|histogram|summary)$/)]);
      types.set(named, rest);
      continue;
    }
    const [, name = '', labels = '', value = ''] = SAMPLE.exec(line) ?? [];
    expect(name, `not a sample: ${line}`).not.toBe('');
    const suffixes = types.get(family) === 'histogram' ? ['_bucket', '_sum', '_count'] : [''];
    expect(suffixes.map((suffix) => family + suffix)).toContain(name);
    if (types.get(family) === 'counter') expect(name).toMatch(/_total$/);
    const key = `${name}{${labels}}`;
    expect(samples.has(key), `${key} comes twice`).toBe(false);
    samples.set(key, Number(value.replace('Inf', 'Infinity')));
  }
  return samples;
}

const EVENTS: SiteEventBody[] = [
  {
    type: 'gate.moved',
    movementId: '01980000-0000-7000-8000-000000000001',
    laneId: 'in-1',
    passageId: null,
    action: 'pulse',
    outcome: 'done',
    by: 'lane:in-1',
    reason: 'ABX12',
    tookMs: 40,
  },
  { type: 'lane.alert', laneId: 'in-1', alert: 'tailgating', plate: 'ABX12', passageId: null },
  {
    type: 'passage.decided',
    passageId: PASSAGE_ID,
    laneId: 'in-1',
    direction: 'entry',
    plate: 'ABX12',
    decision: { open: true, reason: 'welcome', visit: { kind: 'none' }, settlement: null, flags: [] },
    visitId: null,
    feedAt: 0,
    alerts: ['tailgating'],
    read: {
      ...testRead('ABX12'),
      id: PASSAGE_ID,
      cameraId: 'cam',
      laneId: 'in-1',
      receivedAt: AT,
      standing: 'counts',
      passageId: PASSAGE_ID,
    },
  },
];

function watched(devices: readonly DeviceView[] = []) {
  const metrics = new Metrics();
  metrics.watch({
    devices: () => devices,
    cameras: () => [
      {
        id: 'cam',
        laneId: 'in-1',
        lastSeenAt: AT,
        lastReadAt: null,
        clockBehindMs: 0,
        clockSuspectedMs: 0,
        refused: null,
        mended: [],
        groupsOnly: false,
      },
    ],
    link: () => ({
      connected: false,
      since: AT,
      lastError: null,
      seq: 9,
      acknowledged: 4,
      feedAt: 3,
      listsTrouble: null,
    }),
    kioskSeenAt: () => new Date(1_700_000_000_000),
    disk: () => ({ free: 10, total: 100 }),
    listsAgeMs: () => 61_000,
    cloudAheadMs: () => null,
    certificates: () => [
      {
        path: '/tls/cert.pem',
        name: 'site',
        endsAt: new Date(Date.parse(AT) + 60_000),
        warnFrom: new Date(AT),
      },
    ],
    nowMs: () => Date.parse(AT),
    databasePath: '/not/there',
    software: 'hlid-edge/"\\1',
  });
  return metrics;
}

it('counts events and shows states in the format of Prometheus', async () => {
  const camera: DeviceView = {
    kind: 'camera',
    id: 'cam',
    state: 'silent',
    since: AT,
    detail: 'x',
    alarm: true,
    lastError: null,
  };
  const metrics = watched([camera]);
  for (const event of [...EVENTS, ...EVENTS]) metrics.eventWritten(event);
  metrics.flushed(4, null);
  metrics.flushed(2, new Error('disk full'));
  metrics.relayCommanded(7);
  const samples = parse(await metrics.text());
  expect(Object.fromEntries(samples)).toMatchObject({
    'hlid_gate_movements_total{lane="in-1",action="pulse",outcome="done"}': 2,
    'hlid_gate_movement_duration_seconds_bucket{le="0.05",lane="in-1"}': 2,
    'hlid_decisions_total{lane="in-1",reason="welcome",open="true"}': 2,
    'hlid_reads_total{camera="cam",standing="counts"}': 2,
    'hlid_lane_alerts_total{lane="in-1",alert="tailgating"}': 4,
    'hlid_commit_duration_seconds_count{}': 1,
    'hlid_commit_failures_total{}': 1,
    'hlid_document_to_relay_seconds_bucket{le="0.005"}': 0,
    'hlid_document_to_relay_seconds_bucket{le="0.01"}': 1,
    'hlid_device_state{kind="camera",device="cam",state="silent"}': 1,
    'hlid_device_alarm{kind="camera",device="cam"}': 1,
    'hlid_link_up{}': 0,
    'hlid_outbox_waiting_events{}': 5,
    'hlid_feed_lag_seconds{}': 61,
    'hlid_kiosk_last_seen_timestamp_seconds{}': 1_700_000_000,
    'hlid_disk_free_bytes{}': 10,
    'hlid_camera_last_seen_timestamp_seconds{camera="cam"}': Date.parse(AT) / 1000,
  });
  expect([...samples.keys()].some((key) => key.startsWith('process_cpu_seconds_total'))).toBe(true);
});

it('contains no plates', async () => {
  const metrics = watched();
  for (const event of EVENTS) metrics.eventWritten(event);
  expect(await metrics.text()).not.toContain('ABX12');
});

it('drops a state that is over', async () => {
  const device: DeviceView = {
    kind: 'gate',
    id: 'in-1',
    state: 'failing',
    since: AT,
    detail: '',
    alarm: true,
    lastError: null,
  };
  const metrics = watched([device]);
  await metrics.text();
  Object.assign(device, { state: 'ok', alarm: false });
  const samples = parse(await metrics.text());
  expect([...samples.keys()].filter((key) => key.startsWith('hlid_device_state'))).toEqual([
    'hlid_device_state{kind="gate",device="in-1",state="ok"}',
  ]);
  expect(samples.get('hlid_device_alarm{kind="gate",device="in-1"}')).toBe(0);
});

it('has the reason why the last transaction failed, until one succeeds', () => {
  const metrics = new Metrics();
  metrics.flushed(2, new Error('disk full'));
  expect(metrics.commitFault()).toBe('disk full');
  metrics.flushed(2, null);
  expect(metrics.commitFault()).toBeNull();
});
