import type { GateOutcome } from '@hlid/protocol/site-link/site-event';
import { z } from 'zod';
import type { RelayAnswer } from './ask-relay.ts';
import type { Gate } from './gate.ts';
import { addressAt, GATE_DEVICE_SHAPE, openDevice } from './gate-device.ts';
import { reachHost } from './reach-host.ts';

/**
 * A barrier at the output of a Survision camera, over its web service (SSWS). How long the output stays on is
 * set in the camera (`io.defaultImpulse`); it cannot hold the gate open.
 */
export const SurvisionGateSchema = z.strictObject({
  kind: z.literal('survision'),
  ...GATE_DEVICE_SHAPE,
});
export type SurvisionGateConfig = z.infer<typeof SurvisionGateSchema>;

const AnswerSchema = z.object({ answer: z.object({ '@status': z.string() }) });

export function createSurvisionGate(config: SurvisionGateConfig): Gate {
  const { ask, login } = openDevice(config);
  const request = {
    method: 'POST',
    url: addressAt(config.url, '/sync'),
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ openBarrier: null }),
  };
  return {
    login,
    check: () => reachHost(config.url, config.timeoutMs),
    pulse: async () => readAnswer(await ask(request)),
  };
}

/** The status line means only that the camera has understood; the result is in its text. */
function readAnswer({ outcome, text }: RelayAnswer): GateOutcome {
  if (outcome !== 'done') return outcome;
  try {
    const { answer } = AnswerSchema.parse(JSON.parse(text));
    return answer['@status'] === 'ok' ? 'done' : 'refused';
  } catch {
    return 'unknown';
  }
}
