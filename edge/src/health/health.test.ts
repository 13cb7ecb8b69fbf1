import { DAY_MS, HOUR_MS, MINUTE_MS } from '@hlid/protocol/base/durations';
import { CameraSettingsSchema, SiteSettingsSchema } from '@hlid/protocol/records/lane';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createTestSite, testRead } from '../../test/site.ts';
import { CameraClocks } from '../camera/camera-clock.ts';
import { CameraWatch } from '../camera/camera-watch.ts';
import type { LinkView } from '../cloud-link/link-view.ts';
import { HealthSettingsSchema } from '../config/config.ts';
import type { HealthSignal } from '../config/health-state.ts';
import type { GateCheck, GateLogin } from '../gate/gate.ts';
import { OnvifDevices } from '../onvif/onvif-devices.ts';
import { Health } from './health.ts';
import { KioskScreen } from './kiosk-screen.ts';
import { Metrics } from './metrics.ts';

const log = pino({ enabled: false });

let site: ReturnType<typeof createTestSite>;
let tick: number;
let link: LinkView;
let behindMs: number;
let watch: CameraWatch;
let health: Health;
let loginState: ReturnType<GateLogin['state']>;
let relayProblem: string | null = null;
/** How the gate of `in-1` answers a check. */
/** The lanes whose gate counts as reached again. */
let reached: string[];
let gateAnswers: GateCheck | Promise<GateCheck>;
/** The signals of terminals that the site no longer has. */
let left: Map<string, HealthSignal>;
let kiosk: KioskScreen;
/** The login at the gate of `in-1`. */
const login: GateLogin = {
  state: () => loginState,
  tryAgain: () => {
    loginState = 'ok';
  },
};

beforeEach(async () => {
  site = createTestSite();
  tick = 0;
  behindMs = 0;
  loginState = 'unknown';
  gateAnswers = 'done';
  reached = [];
  left = new Map();
  link = {
    connected: true,
    since: site.now(),
    lastError: null,
    seq: 5,
    acknowledged: 5,
    feedAt: 1,
    listsTrouble: null,
  };
  health = await startHealth(['in-1', 'out-1']);
});
afterEach(async () => {
  await health.stop();
  site.close();
});

async function startHealth(
  lanes: readonly string[],
  more: { dataDir?: string; kioskName?: string } = {},
): Promise<Health> {
  const clock = { now: () => new Date(Date.parse(site.now()) - behindMs) };
  const cameras = lanes.map((lane) => ({ id: `cam-${lane}`, lane, token: 'x'.repeat(16) }));
  watch = new CameraWatch({
    cameras,
    clocks: new CameraClocks(),
    onClockLearned: () => undefined,
    log,
  });
  kiosk = new KioskScreen({
    silentSeconds: 60,
    isExpected: false,
    tick: () => tick,
    now: clock.now,
  });
  const started = new Health({
    kiosk,
    config: {
      cameras: cameras.map((camera) => ({
        ...camera,
        directionReliable: true,
        opensOnGroup: false,
        settings: CameraSettingsSchema.parse({}),
      })),
      kiosk: { name: more.kioskName ?? 'Kiosk in the lobby' },
      terminal: null,
      lanes: lanes.map((id) => ({ id, name: `Lane ${id}`, direction: 'entry', gate: GATE })),
      // No server listens at this address, so the time is not known.
      cloud: { httpUrl: 'http://127.0.0.1:9', mqttUrl: 'mqtt://127.0.0.1:9', siteId: 's', secret: 's' },
      dataDir: more.dataDir ?? site.folder,
      health: HealthSettingsSchema.parse({ disk: { lowMegabytes: 0, fullMegabytes: 0 } }),
      backup: null,
    },
    db: site.db,
    core: site.core,
    watch,
    clock,
    log,
    onvif: new OnvifDevices({ clock, log }),
    gates: new Map([['in-1', { login, problem: () => relayProblem, check: async () => gateAnswers }]]),
    onGateReached: (laneId) => void reached.push(laneId),
    orphanedPayments: { signs: () => left },
    settings: () => SiteSettingsSchema.parse({}),
    link: { view: () => link, listsDiffer: () => null, subscribe: () => () => undefined },
    pictures: () => ({ pictures: 0, oldestAt: null }),
    metrics: new Metrics(),
    tick: () => tick,
  });
  await started.start();
  return started;
}

const GATE = {
  kind: 'http' as const,
  mode: 'pulse' as const,
  releaseAfterMs: 1000,
  timeoutMs: 500,
  open: { method: 'POST' as const, url: 'http://127.0.0.1:9/', headers: {}, body: '' },
  keepAlive: false,
};

/** Time goes by, and everything is looked at now and then. */
async function wait(ms: number, everyMs = MINUTE_MS): Promise<void> {
  for (let left = ms; left > 0; left -= everyMs) {
    const step = Math.min(left, everyMs);
    site.wait(step);
    tick += step;
    await health.check();
  }
}

const reported = (kind?: string) =>
  site
    .events()
    .flatMap(({ body }) =>
      body.type === 'device.changed' && (kind === undefined || body.kind === kind)
        ? [`${body.kind}:${body.deviceId} ${body.state}`]
        : [],
    );
const device = (kind: string, id: string) =>
  health.devices().find((one) => one.kind === kind && one.id === id);

function speak(heartbeat: boolean): void {
  const reads = heartbeat ? [] : [testRead('ABX12')];
  watch.documentArrived('cam-in-1', { kind: 'test', reads, heartbeat, pictures: [] }, new Date(site.now()));
}

describe('the health of a site', () => {
  it('starts with every device once, then reports changes', async () => {
    expect(reported()).toHaveLength(11);
    expect(reported('camera')).toEqual(['camera:cam-in-1 unknown', 'camera:cam-out-1 unknown']);
    speak(false);
    await wait(10 * MINUTE_MS);
    expect(reported('camera').slice(2)).toEqual(['camera:cam-in-1 ok']);
    expect(reported()).toHaveLength(12);
  });

  it('reports a kiosk whose page stops asking, also one that does not come back after a restart', async () => {
    expect(device('kiosk', 'site')).toBeUndefined();
    kiosk.polled();
    await wait(1000);
    expect(device('kiosk', 'site')).toMatchObject({ state: 'ok', alarm: false });
    await wait(2 * MINUTE_MS);
    expect(device('kiosk', 'site')).toMatchObject({ state: 'silent', alarm: true });
    expect(reported('kiosk')).toEqual(['kiosk:site ok', 'kiosk:site silent']);
    for (let polls = 0; polls < 40; polls += 1) {
      kiosk.polled();
      await wait(4000, 4000);
    }
    expect(reported('kiosk').at(-1)).toBe('kiosk:site ok');
    await health.stop();
    health = await startHealth(['in-1', 'out-1']);
    await wait(2 * MINUTE_MS);
    expect(device('kiosk', 'site')).toMatchObject({ state: 'silent', alarm: true });
  });

  it('reports at once a gate that does not answer, and later that it moves again', async () => {
    site.gates['in-1'].outcome = 'unreachable';
    await site.read('in-1', 'ABX12');
    await health.check();
    expect(reported('gate').slice(-1)).toEqual(['gate:in-1 failing']);
    expect(device('gate', 'in-1')).toMatchObject({
      alarm: true,
      lastError: { detail: 'it could not be reached' },
    });
    site.gates['in-1'].outcome = 'done';
    await wait(MINUTE_MS);
    await site.read('in-1', 'MKJ45');
    await wait(10 * MINUTE_MS);
    expect(reported('gate').slice(-2)).toEqual(['gate:in-1 failing', 'gate:in-1 ok']);
  });

  it('reports a gate that refuses the login, and tries it again on request', async () => {
    site.gates['in-1'].outcome = 'refused';
    loginState = 'refused';
    await site.read('in-1', 'ABX12');
    await health.check();
    expect(reported('gate').slice(-1)).toEqual(['gate:in-1 login-refused']);
    expect(health.tryAgain({ kind: 'gate', id: 'out-1' })).toBeNull();
    expect(health.tryAgain(null)).toEqual([{ kind: 'gate', id: 'in-1' }]);
    await wait(10 * MINUTE_MS);
    expect(reported('gate').slice(-1)).toEqual(['gate:in-1 ok']);
    expect(health.tryAgain(null)).toEqual([]);
  });

  it('reports a gate whose device has no relay, and not the camera that the device is', async () => {
    relayProblem = 'the device has no relay';
    await health.check();
    expect(device('gate', 'in-1')).toMatchObject({ state: 'failing', detail: relayProblem });
    expect(device('camera', 'cam-in-1')).toMatchObject({ state: 'unknown', alarm: false });
    relayProblem = null;
    await site.read('in-1', 'ABX12');
    await wait(10 * MINUTE_MS);
    expect(device('gate', 'in-1')).toMatchObject({ state: 'ok' });
  });

  it('reports a camera whose documents are refused, until one is accepted', async () => {
    for (let n = 0; n < 2; n++) watch.documentRefused('cam-in-1', { reason: 'malformed', detail: 'not XML' });
    await health.check();
    expect(reported('camera').slice(-1)).toEqual(['camera:cam-in-1 failing']);
    expect(device('camera', 'cam-in-1')).toMatchObject({ detail: 'its documents are refused: not XML' });
    speak(false);
    await wait(10 * MINUTE_MS);
    expect(reported('camera').slice(-1)).toEqual(['camera:cam-in-1 ok']);
  });

  it('reports a detail that changes while the state stays, at most once in ten minutes, also after a restart', async () => {
    const ref = { kind: 'camera', id: 'cam-in-1' } as const;
    const details = () =>
      site
        .events()
        .flatMap(({ body }) =>
          body.type === 'device.changed' && body.deviceId === ref.id ? [body.detail] : [],
        );
    const advise = (detail: string) => health.report(ref, 'advice', { state: 'ok', detail });
    speak(false);
    await wait(10 * MINUTE_MS);
    expect(details().at(-1)).toBe('');
    const before = details().length;
    advise('3 documents were mended');
    await wait(MINUTE_MS);
    expect(details().slice(before)).toEqual(['3 documents were mended']);
    for (let n = 4; n < 40; n++) {
      advise(`${n} documents were mended`);
      await wait(MINUTE_MS);
    }
    expect(details().slice(before + 1)).toEqual([]);
    for (let n = 0; n < 30; n++) {
      advise(n % 2 === 0 ? 'its clock is behind' : 'its login is weak');
      await wait(MINUTE_MS);
    }
    const counted = details().slice(before + 1);
    expect(counted.length).toBeGreaterThan(1);
    expect(counted.length).toBeLessThan(4);
    await wait(10 * MINUTE_MS);
    expect(details().at(-1)).toBe('its login is weak');
    const after = details().length;
    await health.stop();
    health = await startHealth(['in-1', 'out-1']);
    await wait(10 * MINUTE_MS);
    expect(details().slice(after)).toEqual([]);
  });

  it('reports the name of the kiosk, and once more where people change it', async () => {
    const names = () =>
      site
        .events()
        .flatMap(({ body }) => (body.type === 'device.changed' && body.kind === 'kiosk' ? [body.name] : []));
    kiosk.polled();
    await wait(1000);
    expect(device('kiosk', 'site')).toMatchObject({ name: 'Kiosk in the lobby', state: 'ok' });
    expect(names()).toEqual(['Kiosk in the lobby']);
    for (const name of ['Kiosk by the lift', 'Kiosk by the lift']) {
      await health.stop();
      health = await startHealth(['in-1', 'out-1'], { kioskName: name });
      kiosk.polled();
      await wait(1000);
    }
    expect(names()).toEqual(['Kiosk in the lobby', 'Kiosk by the lift']);
  });

  it('reports a camera that sends groups only, and names opensOnGroup', async () => {
    const group = { kind: 'alpr_group', heartbeat: false, pictures: [], summary: true };
    for (let n = 0; n < 3; n++) {
      const reads = [testRead('ABX12', { late: true, eventKey: `group-${n}` })];
      watch.documentArrived('cam-in-1', { ...group, reads }, new Date(site.now()));
    }
    await health.check();
    const detail = expect.stringContaining('opensOnGroup');
    expect(device('camera', 'cam-in-1')).toMatchObject({ state: 'failing', detail });
  });

  it('reports missing heartbeats of a camera, and their return', async () => {
    for (let beats = 0; beats < 10; beats++) {
      speak(true);
      await wait(MINUTE_MS);
    }
    await wait(10 * MINUTE_MS);
    expect(reported('camera').slice(-1)).toEqual(['camera:cam-in-1 silent']);
    speak(true);
    await wait(2 * MINUTE_MS, 5000);
    expect(reported('camera').slice(-1)).toEqual(['camera:cam-in-1 ok']);
  });

  it('keeps the activity of cameras, and what it has reported, over a restart', async () => {
    for (let beats = 0; beats < 10; beats++) {
      speak(true);
      await wait(MINUTE_MS);
    }
    await health.stop();
    const before = reported().length;
    health = await startHealth(['in-1', 'out-1']);
    await wait(2 * MINUTE_MS);
    expect(reported().length).toBe(before);
    await wait(10 * MINUTE_MS);
    expect(reported('camera').slice(-1)).toEqual(['camera:cam-in-1 silent']);
  });

  it('reports a device that is gone', async () => {
    await health.stop();
    health = await startHealth(['in-1']);
    expect(reported().slice(-2).sort()).toEqual(['camera:cam-out-1 gone', 'gate:out-1 gone']);
    expect(device('camera', 'cam-out-1')).toBeUndefined();
  });

  it('keeps a removed terminal as long as payments of it wait', async () => {
    await health.stop();
    left.set('pos-9', { state: 'failing', detail: 'a payment waits' });
    health = await startHealth(['in-1', 'out-1']);
    await wait(MINUTE_MS);
    expect(device('terminal', 'pos-9')).toMatchObject({ alarm: true, detail: 'a payment waits' });
    left.clear();
    await wait(2 * MINUTE_MS, 5000);
    expect(reported('terminal')).toEqual(['terminal:pos-9 failing', 'terminal:pos-9 gone']);
    expect(device('terminal', 'pos-9')).toBeUndefined();
  });

  it('does not report a link that is away for a moment', async () => {
    link = { ...link, connected: false, lastError: 'gone' };
    await wait(50_000, 5000);
    link = { ...link, connected: true, lastError: null };
    await wait(HOUR_MS);
    expect(reported('link')).toEqual(['link:site ok']);
  });

  it('raises one alarm each for link, events and lists when the cloud is away, and ends them', async () => {
    link = { ...link, connected: false, lastError: 'gone', seq: 9 };
    await wait(26 * HOUR_MS, HOUR_MS);
    expect([reported('link'), reported('outbox'), reported('lists')]).toEqual([
      ['link:site ok', 'link:site unreachable'],
      ['outbox:site ok', 'outbox:site backlog'],
      ['lists:site ok', 'lists:site outdated'],
    ]);
    link = { ...link, connected: true, lastError: null, acknowledged: 9 };
    await wait(5 * MINUTE_MS, 5000);
    for (const kind of ['link', 'outbox', 'lists'])
      expect(reported(kind).slice(2)).toEqual([`${kind}:site ok`]);
  });

  it('notices that the clock was set, and reports no camera for that', async () => {
    speak(false);
    await wait(5000, 5000);
    behindMs = -3 * DAY_MS - 2 * HOUR_MS;
    await wait(5000, 5000);
    expect(reported('clock')).toEqual(['clock:site ok', 'clock:site clock-off']);
    await wait(5 * MINUTE_MS);
    expect(device('camera', 'cam-in-1')?.state).toBe('ok');
    await wait(3 * HOUR_MS, 10 * MINUTE_MS);
    expect(reported('clock').slice(-1)).toEqual(['clock:site ok']);
  });

  it('raises few alarms where something comes and goes all day', async () => {
    for (let times = 0; times < 90; times++) {
      site.gates['in-1'].outcome = times % 2 === 0 ? 'refused' : 'done';
      await site.read('in-1', `CAR${times}`);
      await wait(4 * MINUTE_MS, 4 * MINUTE_MS);
    }
    // Six hours, and 90 movements.
    expect(reported('gate').length).toBeLessThan(30);
  });

  it('reports again what could not be stored', async () => {
    site.db.exec("CREATE TEMP TRIGGER no_more BEFORE INSERT ON event BEGIN SELECT RAISE(FAIL, 'full'); END");
    speak(false);
    await wait(10_000, 5000);
    expect(reported('camera')).toHaveLength(2);
    expect(device('camera', 'cam-in-1')?.state).toBe('ok');
    site.db.exec('DROP TRIGGER no_more');
    await wait(5000, 5000);
    expect(reported('camera').slice(2)).toEqual(['camera:cam-in-1 ok']);
  });

  it('reports a disk that cannot be measured as failing', async () => {
    await health.stop();
    health = await startHealth(['in-1'], { dataDir: `${site.folder}/not-there` });
    expect(device('disk', 'site')?.state).toBe('failing');
  });

  it('connects to a device on request, and reports at once how it is', async () => {
    gateAnswers = 'unreachable';
    const gate = { kind: 'gate', id: 'in-1' } as const;
    expect(await health.checkDevice(gate, 1000)).toMatchObject({ state: 'unreachable' });
    // It lasts, as if it had been so for long.
    await wait(MINUTE_MS, 5000);
    expect(reported('gate').filter((text) => text.startsWith('gate:in-1'))).toEqual([
      'gate:in-1 unknown',
      'gate:in-1 unreachable',
    ]);
    gateAnswers = 'done';
    expect(await health.checkDevice(gate, 1000)).toMatchObject({ state: 'ok', detail: '' });
    expect(await health.checkDevice({ kind: 'camera', id: 'cam-in-1' }, 1000)).toBe('not-checkable');
    expect(await health.checkDevice({ kind: 'gate', id: 'nowhere' }, 1000)).toBe('no-device');
  });

  it.each(['refused', 'unreachable'] as const)(
    'ends the alarm of a %s movement when a try succeeds',
    async (outcome) => {
      const gate = { kind: 'gate', id: 'in-1' } as const;
      site.gates['in-1'].outcome = outcome;
      // The fault has not been corrected yet.
      gateAnswers = outcome;
      await site.read('in-1', 'ABX12');
      await wait(MINUTE_MS, 5000);
      expect(device('gate', 'in-1')).toMatchObject({ alarm: true });
      expect(await health.checkDevice(gate, 1000)).toMatchObject({ alarm: true });
      gateAnswers = 'done';
      expect(await health.checkDevice(gate, 1000)).toMatchObject({ state: 'ok', alarm: false });
      await wait(10 * MINUTE_MS);
      expect(device('gate', 'in-1')).toMatchObject({ state: 'ok', alarm: false });
      // The next movement shows whether it works.
      await site.read('in-1', 'MKJ45');
      await wait(MINUTE_MS, 5000);
      expect(device('gate', 'in-1')).toMatchObject({ alarm: true });
    },
  );

  it.each(['unknown', 'refused'] as const)(
    'keeps the alarm of a movement that was %s while the device only accepts connections',
    async (outcome) => {
      const gate = { kind: 'gate', id: 'in-1' } as const;
      site.gates['in-1'].outcome = outcome;
      gateAnswers = 'connected';
      await site.read('in-1', 'ABX12');
      await wait(10 * MINUTE_MS, 10_000);
      expect(device('gate', 'in-1')).toMatchObject({ state: 'failing', alarm: true });
      expect(await health.checkDevice(gate, 1000)).toMatchObject({ state: 'failing', alarm: true });
      expect(reached).toEqual([]);
      // A command that is answered ends it.
      site.gates['in-1'].outcome = 'done';
      await site.read('in-1', 'MKJ45');
      await wait(10 * MINUTE_MS, 10_000);
      expect(device('gate', 'in-1')).toMatchObject({ state: 'ok', alarm: false });
    },
  );

  it('ends the alarm of a gate that was not reached, once it accepts connections', async () => {
    site.gates['in-1'].outcome = 'unreachable';
    gateAnswers = 'unreachable';
    await site.read('in-1', 'ABX12');
    await wait(MINUTE_MS, 5000);
    expect(device('gate', 'in-1')).toMatchObject({ alarm: true });
    gateAnswers = 'connected';
    expect(await health.checkDevice({ kind: 'gate', id: 'in-1' }, 1000)).toMatchObject({ state: 'ok' });
    expect(reached).toEqual(['in-1']);
  });

  it('does not wait for a device that does not answer', async () => {
    gateAnswers = new Promise(() => undefined);
    const asked = health.checkDevice({ kind: 'gate', id: 'in-1' }, 10);
    expect(await asked).toMatchObject({ kind: 'gate', id: 'in-1' });
  });

  it('does not retry a login that was not refused', () => {
    expect(health.tryAgain(null)).toEqual([]);
    expect(health.tryAgain({ kind: 'camera', id: 'cam-in-1' })).toBeNull();
  });

  it('accepts signals from other parts of the program, for unknown devices too', async () => {
    health.report({ kind: 'terminal', id: 'pos-1' }, 'answers', {
      state: 'unreachable',
      detail: 'no answer',
    });
    await wait(2 * MINUTE_MS);
    expect(reported('terminal').slice(-1)).toEqual(['terminal:pos-1 unreachable']);
  });
});
