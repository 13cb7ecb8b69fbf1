import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import { z } from 'zod';
import type { RelayAnswer } from './ask-relay.ts';
import type { Gate } from './gate.ts';
import { addressAt, GATE_DEVICE_SHAPE, GATE_LOGIN_SHAPE, openDeviceWithLogin } from './gate-device.ts';

/** A barrier at a Hikvision camera for entrances, over ISAPI with HTTP Digest. */
export const HikvisionGateSchema = z.strictObject({
  kind: z.literal('hikvision'),
  ...GATE_DEVICE_SHAPE,
  ...GATE_LOGIN_SHAPE,
  channel: z.int().min(1).default(1),
});
export type HikvisionGateConfig = z.infer<typeof HikvisionGateSchema>;

export function createHikvisionGate(config: HikvisionGateConfig): Gate {
  const { ask, login, check } = openDeviceWithLogin(config, '/ISAPI/System/deviceInfo');
  const url = addressAt(config.url, `/ISAPI/Parking/channels/${config.channel}/barrierGate`);

  async function sendMode(mode: CtrlMode): Promise<GateOutcome> {
    const body = barrierControl(mode);
    const answer = await ask({ method: 'PUT', url, headers: { 'content-type': 'application/xml' }, body });
    return readResponseStatus(answer);
  }

  /**
   * A locked barrier does not move until it is unlocked; one that is not locked may refuse to be unlocked.
   */
  async function unlockAnd(...modes: readonly CtrlMode[]): Promise<GateOutcome> {
    let outcome = await sendMode('unlock');
    if (outcome === 'refused') outcome = 'done';
    for (const mode of modes) if (outcome === 'done') outcome = await sendMode(mode);
    return outcome;
  }

  return {
    login,
    check,
    // A wrong password shows before the first car comes.
    start: login.tryAgain,
    pulse: () => sendMode('open'),
    // Unlocked first: it may be held already, and gets the command again.
    hold: () => unlockAnd('open', 'lock'),
    release: () => unlockAnd('close'),
    close: () => unlockAnd('close'),
  };
}

type CtrlMode = 'open' | 'close' | 'lock' | 'unlock';

function barrierControl(mode: CtrlMode): string {
  return `<?xml version="1.0" encoding="UTF-8"?><BarrierGate><ctrlMode>${mode}</ctrlMode></BarrierGate>`;
}

/**
 * ISAPI answers 200 with statusCode 1 (OK) in its text, in XML or in JSON; some firmware answers 200 with
 * another code, which means a refusal, or with nothing. A whole text without a code, such as a page to log in, does not
 * show that the barrier has moved.
 */
function readResponseStatus({ outcome, text, whole }: RelayAnswer): GateOutcome {
  if (outcome !== 'done') return outcome;
  const code = /(?:<(?:\w+:)?statusCode>|"statusCode"\s*:)\s*(\d+)/.exec(text)?.[1];
  if (code === undefined) return whole && text.trim() !== '' ? 'unknown' : 'done';
  return Number(code) <= 1 ? 'done' : 'refused';
}
