import { HOUR_MS } from '@hlid/protocol/base/durations';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { type DeviceState, DeviceStateSchema, isAlarm } from '@hlid/protocol/records/device';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type HealthRecord, judgeHealth, noteSignal, unknownHealth } from './health-state.ts';

const START = Date.parse('2026-11-21T12:00:00.000Z');
const moment = (tick: number) => ({ wall: utcTime(START + tick), tick });

/** Sends signals of a device, and collects what is reported of it. */
function device() {
  let health: HealthRecord = unknownHealth(utcTime(START));
  const reported: { state: DeviceState; tick: number }[] = [];
  return {
    reported,
    health: () => health,
    states: () => reported.map(({ state }) => state),
    report(tick: number, state: DeviceState | null, source = 'a') {
      health = noteSignal(health, source, state && { state, detail: state }, moment(tick));
      this.judge(tick);
    },
    judge(tick: number) {
      const next = judgeHealth(health, moment(tick));
      if (next.state !== health.state) reported.push({ state: next.state, tick });
      health = next;
    },
  };
}

describe('a device', () => {
  it('is reported at once with its first signal, and when something is wrong', () => {
    const camera = device();
    camera.report(0, 'ok');
    camera.report(5000, 'silent');
    expect(camera.reported).toEqual([
      { state: 'ok', tick: 0 },
      { state: 'silent', tick: 5000 },
    ]);
    expect(camera.health()).toMatchObject({ since: utcTime(START + 5000), detail: 'silent' });
  });

  it('that is away for a moment is no alarm', () => {
    const camera = device();
    camera.report(0, 'ok');
    camera.report(10_000, 'unreachable');
    camera.judge(69_000);
    camera.report(69_500, 'ok');
    camera.judge(500_000);
    expect(camera.states()).toEqual(['ok']);
    expect(camera.health().lastError).toEqual({ detail: 'unreachable', at: utcTime(START + 10_000) });
  });

  it('has the state of its worst signal, and is well when nothing is wrong any more', () => {
    const camera = device();
    camera.report(0, 'ok', 'heard');
    camera.report(0, 'clock-off', 'clock');
    camera.report(1000, 'login-refused', 'onvif');
    camera.report(2000, null, 'onvif');
    camera.judge(200_000);
    camera.report(300_000, 'ok', 'clock');
    camera.judge(600_000);
    camera.judge(900_000);
    expect(camera.states()).toEqual(['ok', 'clock-off', 'login-refused', 'clock-off', 'ok']);
  });

  it('keeps its state without signals', () => {
    const gate = device();
    gate.report(0, 'failing');
    gate.report(1000, null);
    gate.judge(HOUR_MS);
    expect(gate.states()).toEqual(['failing']);
  });
});

const messages = fc.array(
  fc.record({
    afterMs: fc.integer({ min: 0, max: 200_000 }),
    source: fc.constantFrom('a', 'b'),
    state: fc.option(fc.constantFrom(...DeviceStateSchema.options)),
  }),
  { maxLength: 400 },
);

describe('whatever is reported of a device', () => {
  it('its state changes rarely within an hour', () => {
    fc.assert(
      fc.property(messages, (signs) => {
        const one = device();
        let tick = 0;
        for (const { afterMs, source, state } of signs) {
          tick += afterMs;
          one.report(tick, state, source);
        }
        for (const { tick: from } of one.reported) {
          const hour = one.reported.filter(
            (reported) => reported.tick >= from && reported.tick < from + HOUR_MS,
          );
          expect(hour.length).toBeLessThanOrEqual(20);
        }
      }),
    );
  });

  it('an alarm ends within the hour after all is well', () => {
    fc.assert(
      fc.property(messages, (signs) => {
        const one = device();
        let tick = 0;
        for (const { afterMs, source, state } of signs) {
          tick += afterMs;
          one.report(tick, state, source);
        }
        one.report(tick, 'ok', 'a');
        one.report(tick, 'ok', 'b');
        for (let later = tick; later <= tick + HOUR_MS; later += 60_000) one.judge(later);
        expect(one.health().state).toBe('ok');
      }),
    );
  });

  it('there is no alarm without a signal of it', () => {
    fc.assert(
      fc.property(messages, (signs) => {
        const one = device();
        let tick = 0;
        const possible = new Set<DeviceState>();
        for (const { afterMs, source, state } of signs) {
          tick += afterMs;
          if (state !== null) possible.add(state);
          one.report(tick, state, source);
        }
        for (const { state } of one.reported) expect(!isAlarm(state) || possible.has(state)).toBe(true);
      }),
    );
  });
});
