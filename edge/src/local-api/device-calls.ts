import { DeviceKindSchema } from '@hlid/protocol/device';
import { z } from 'zod';
import type { Health } from '../health/health.ts';
import type { CallAnswer } from './technician-call.ts';

/** What a technician wants of devices: the body of `POST /api/devices`. */
export const DeviceCallSchema = z.strictObject({
  /** The login that a device has refused is right now, and worth another try. */
  action: z.literal('try-again'),
  /** Null: every device that has refused. */
  device: z.strictObject({ kind: DeviceKindSchema, id: z.string().min(1) }).nullable(),
});

export async function callDevices(
  health: Pick<Health, 'tryAgain'>,
  { device }: z.infer<typeof DeviceCallSchema>,
): Promise<CallAnswer> {
  const devices = health.tryAgain(device);
  if (devices !== null) return { status: 200, body: { devices } };
  return {
    status: 404,
    message: `No login was refused by ${device?.kind} ${device?.id}, or it is tried anyhow with the next request.`,
  };
}
