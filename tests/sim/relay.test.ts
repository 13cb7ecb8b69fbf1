import { afterEach, describe, expect, it } from 'vitest';
import { type Relay, startRelay } from './relay.ts';

let relay: Relay;
afterEach(() => relay.stop());

const pulse = (output: number, init: RequestInit = {}) =>
  fetch(`${relay.url}/relay/${output}/pulse`, { method: 'POST', ...init });
const stateOf = async (output: number) => (await fetch(`${relay.url}/relay/${output}`)).json();

describe('the relay board', () => {
  it('pulses an output, and the gate behind it closes again', async () => {
    relay = await startRelay({ pulseMs: 400, gateOpenMs: 800 });
    const opened: number[] = [];
    relay.onOpening((output) => opened.push(output));
    expect((await pulse(2)).status).toBe(200);
    expect(await stateOf(2)).toEqual({ output: 2, relay: 'on', gate: 'open' });
    await expect.poll(() => stateOf(2)).toEqual({ output: 2, relay: 'off', gate: 'closed' });
    expect(opened).toEqual([2]);
    expect([relay.openings(1), relay.openings(2)]).toEqual([0, 1]);
  });

  it('holds a bistable output until it is released', async () => {
    relay = await startRelay({ gateOpenMs: 1 });
    await fetch(`${relay.url}/relay/1/on`, { method: 'POST' });
    await expect.poll(() => stateOf(1)).toEqual({ output: 1, relay: 'on', gate: 'open' });
    await fetch(`${relay.url}/relay/1/off`, { method: 'POST' });
    await expect.poll(() => stateOf(1)).toEqual({ output: 1, relay: 'off', gate: 'closed' });
    expect(relay.openings(1)).toBe(1);
  });

  it('refuses unknown commands, and moves nothing', async () => {
    relay = await startRelay({ outputs: 2 });
    const statuses = await Promise.all([
      pulse(3),
      pulse(1, { method: 'GET' }),
      pulse(1, { body: '{}' }),
      fetch(`${relay.url}/relay/1/pulse?time=5`, { method: 'POST' }),
    ]);
    expect(statuses.map(({ status }) => status)).toEqual([404, 405, 400, 404]);
    expect(relay.openings(1)).toBe(0);
    expect(relay.requests.map(({ acted }) => acted)).toEqual([false, false, false, false]);
  });

  it('can refuse a given number of times', async () => {
    relay = await startRelay();
    relay.fail({ kind: 'refusing' }, 1);
    expect((await pulse(1)).status).toBe(503);
    expect((await pulse(1)).status).toBe(200);
    expect(relay.openings(1)).toBe(1);
  });

  it('can stay silent, moved or not', async () => {
    relay = await startRelay();
    for (const acts of [true, false]) {
      relay.fail({ kind: 'silent', acts });
      await expect(pulse(1, { signal: AbortSignal.timeout(50) })).rejects.toThrow();
    }
    expect(relay.openings(1)).toBe(1);
  });

  it('can cut the connection during its answer', async () => {
    relay = await startRelay();
    relay.fail({ kind: 'dropped', acts: true });
    await expect(pulse(1).then((response) => response.text())).rejects.toThrow();
    expect(relay.openings(1)).toBe(1);
  });

  it('can be slow, and then moves at once and answers late', async () => {
    relay = await startRelay();
    relay.fail({ kind: 'slow', answersAfterMs: 60 });
    const answer = pulse(1);
    await expect.poll(() => relay.openings(1)).toBe(1);
    expect((await answer).status).toBe(200);
    relay.heal();
    expect((await pulse(1)).status).toBe(200);
  });
});
