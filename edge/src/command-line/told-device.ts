import { DeviceKindSchema, DeviceStateSchema } from '@hlid/protocol/device';
import { z } from 'zod';

/** As far as it is shown; the daemon may be of another version than this tool. */
const ToldDeviceSchema = z.looseObject({
  kind: DeviceKindSchema,
  id: z.string(),
  state: DeviceStateSchema,
  since: z.string().nullish(),
  detail: z.string().default(''),
  lastError: z.looseObject({ at: z.string(), detail: z.string() }).nullish(),
});

/** A device, as the running daemon tells how it is. */
export type ToldDevice = z.infer<typeof ToldDeviceSchema>;

/** Those of its devices that this tool knows the kind and state of. */
export function toldDevices(told: readonly unknown[]): ToldDevice[] {
  return told.flatMap((device) => ToldDeviceSchema.safeParse(device).data ?? []);
}
