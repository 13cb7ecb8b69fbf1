import { z } from 'zod';

/** How one ONVIF device is reached; a camera and a gate that name the same address and user share it. */
export const ONVIF_SHAPE = {
  /** The address of its device service, usually `http://…/onvif/device_service`. */
  url: z
    .url({ protocol: /^https?$/, error: 'an address such as http://192.168.1.64/onvif/device_service' })
    .refine((url) => !/^https?:\/\/[^/]*@/.test(url), 'user and password stand beside it, not in it'),
  user: z.string().default(''),
  password: z.string().default(''),
  /** `digest`: HTTP Digest; `token`: WS-UsernameToken; `auto`: what the device demands. */
  login: z.enum(['auto', 'digest', 'token']).default('auto'),
  /** https: accepts a self-signed certificate, as cameras have when they are new. */
  selfSigned: z.boolean().default(false),
  timeoutMs: z.int().min(100).max(30_000).default(3000),
};

export const ONVIF_OPTIONS = z.strictObject(ONVIF_SHAPE);
export type OnvifOptions = z.infer<typeof ONVIF_OPTIONS>;

/** The group and port that are probed for devices; by default those of the standard. */
export interface ProbeOptions {
  group?: string;
  port?: number;
  waitMs?: number;
}

/** `HLID_ONVIF_PROBE`: one address to probe, for networks that block multicast. */
export const ProbeTextSchema = z
  .string()
  .regex(/^[^:\s]+(:\d{1,5})?$/, 'an address such as 192.168.1.64:3702')
  .transform((text): ProbeOptions => {
    const [group, port] = text.split(':');
    return { ...(group && { group }), ...(port && { port: Number(port) }) };
  });
