import { randomUUID } from 'node:crypto';
import { CameraSettingsSchema, DirectionSchema, SiteSettingsSchema } from '@hlid/protocol/lane';
import { type SiteItem, SiteItemSchema } from '@hlid/protocol/site-change';
import { z } from 'zod';
import { PlateMapSchema } from './camera/onvif-plate.ts';
import { GateConfigSchema } from './gate/gate-kinds.ts';
import type { LogLevel } from './log.ts';
import { ONVIF_SHAPE } from './onvif/onvif-options.ts';

/** Ids stand in addresses, topics and logs. */
const IdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'letters, digits, dots, dashes and underscores, at most 64');

const LaneConfigSchema = z.strictObject({
  id: IdSchema,
  name: z.string().min(1),
  direction: DirectionSchema,
  /** The zone into which it leads, by its id in the cloud. */
  zone: z.string().min(1).optional(),
  gate: GateConfigSchema,
});
export type LaneConfig = z.infer<typeof LaneConfigSchema>;

const CameraConfigSchema = z
  .strictObject({
    id: IdSchema,
    lane: z.string().min(1),
    /** The secret of its push URL; a camera that is asked by ONVIF need not push, and then nobody knows its secret. */
    token: z.string().min(8, 'at least 8 characters').optional(),
    /** It is asked for its reads. */
    onvif: z.strictObject({ ...ONVIF_SHAPE, plates: PlateMapSchema }).optional(),
    /** It tells well which way a vehicle moves; many cameras nearly always say `unknown`. */
    directionReliable: z.boolean().default(false),
    /** OpenALPR: the agent is set to send its groups at once, so that a final group may open the gate. */
    opensOnGroup: z.boolean().default(false),
    /** Until the cloud says otherwise. */
    settings: CameraSettingsSchema.prefault({}),
  })
  .refine(({ token, onvif }) => token !== undefined || onvif !== undefined, {
    message: 'the secret of its push URL, or onvif',
    path: ['token'],
  })
  .transform((camera) => ({ ...camera, token: camera.token ?? randomUUID() }));
export type CameraConfig = z.infer<typeof CameraConfigSchema>;

const CloudConfigSchema = z.strictObject({
  httpUrl: z.url({ protocol: /^https?$/, error: 'an address such as https://parking.example' }),
  mqttUrl: z.url({ protocol: /^(mqtts?|wss?)$/, error: 'an address such as mqtts://parking.example:8883' }),
  siteId: IdSchema,
  secret: z.string().min(1),
});
export type CloudConfig = z.infer<typeof CloudConfigSchema>;

/** What stands in the YAML file. */
export const EdgeFileSchema = z
  .strictObject({
    site: z.strictObject({ ...SiteItemSchema.shape, settings: SiteSettingsSchema.prefault({}) }),
    cloud: CloudConfigSchema.nullish().transform((cloud) => cloud ?? null),
    /** Where the camera push server listens. */
    cameraHost: z.string().min(1).default('0.0.0.0'),
    cameras: z.array(CameraConfigSchema).default([]),
    lanes: z.array(LaneConfigSchema).min(1),
  })
  .superRefine((file, context) => {
    const mistake = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const laneIds = file.lanes.map((lane) => lane.id);
    laneIds.forEach((id, at) => {
      if (laneIds.indexOf(id) !== at) mistake(['lanes', at, 'id'], `there is another lane ${id}`);
    });
    file.cameras.forEach((camera, at) => {
      const first = file.cameras.findIndex(({ id }) => id === camera.id);
      if (first !== at) mistake(['cameras', at, 'id'], `there is another camera ${camera.id}`);
      if (!laneIds.includes(camera.lane)) mistake(['cameras', at, 'lane'], `there is no lane ${camera.lane}`);
    });
  });

/** All that the edge daemon is told: the site's own description until the cloud has another, devices, and where to listen. */
export interface EdgeConfig {
  dataDir: string;
  logLevel: LogLevel;
  /** Of the local API, on the loopback interface; 0 for a free one. */
  edgePort: number;
  cameraPort: number;
  cameraHost: string;
  site: SiteItem;
  /** Null: the site runs alone. */
  cloud: CloudConfig | null;
  cameras: CameraConfig[];
  lanes: LaneConfig[];
}
