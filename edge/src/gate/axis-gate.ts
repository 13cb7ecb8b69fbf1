import { MINUTE_MS } from '@hlid/protocol/base/durations';
import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import { z } from 'zod';
import type { RelayAnswer } from './ask-relay.ts';
import type { Gate, GateReport } from './gate.ts';
import { addressAt, GATE_DEVICE_SHAPE, GATE_LOGIN_SHAPE, openDeviceWithLogin } from './gate-device.ts';

/** A barrier at an output of an Axis device, over VAPIX (`port.cgi`) with HTTP Digest. */
export const AxisGateSchema = z.strictObject({
  kind: z.literal('axis'),
  ...GATE_DEVICE_SHAPE,
  ...GATE_LOGIN_SHAPE,
  /** The number of the output, as printed on the device. */
  port: z.int().min(1).max(64).default(1),
  /** How long the output stays on; the device sees to it. */
  pulseMs: z.int().min(100).max(MINUTE_MS).default(1000),
  /** An input with the gate's position, and its state when the gate is closed. */
  contact: z
    .strictObject({ port: z.int().min(1).max(64), closedWhen: z.enum(['active', 'inactive']) })
    .optional(),
});
export type AxisGateConfig = z.infer<typeof AxisGateSchema>;

/** VAPIX answers `OK` or nothing. Some firmware reports an error with 200; a page, such as one to log in, shows no movement. */
function readMoved({ outcome, text }: RelayAnswer): GateOutcome {
  if (outcome !== 'done') return outcome;
  if (/^\s*(?:#\s*)?error\b/i.test(text)) return 'refused';
  return /^\s*</.test(text) ? 'unknown' : 'done';
}

export function createAxisGate(config: AxisGateConfig): Gate {
  const { port, pulseMs, contact } = config;
  const { ask, login, check } = openDeviceWithLogin(config, `/axis-cgi/io/port.cgi?checkactive=${port}`);
  const get = (query: string) =>
    ask({ method: 'GET', url: addressAt(config.url, `/axis-cgi/io/port.cgi?${query}`) });
  /**
   * `/` switches on, `\` off, and a number between them waits that number of milliseconds: one request is the
   * whole pulse.
   */
  const move = async (steps: string): Promise<GateOutcome> => {
    return readMoved(await get(`action=${encodeURIComponent(`${port}:${steps}`)}`));
  };
  return {
    login,
    check,
    // A wrong password shows before the first car comes.
    start: login.tryAgain,
    pulse: () => move(`/${pulseMs}\\`),
    hold: () => move('/'),
    release: () => move('\\'),
    ...(contact && {
      async report(): Promise<GateReport> {
        const { outcome, text } = await get(`checkactive=${contact.port}`);
        const state = new RegExp(`^port${contact.port}=(active|inactive)\\s*$`, 'm').exec(text)?.[1];
        if (outcome !== 'done' || state === undefined) return 'unknown';
        return state === contact.closedWhen ? 'closed' : 'open';
      },
    }),
  };
}
