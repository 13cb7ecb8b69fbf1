import { randomUUID } from 'node:crypto';
import { BACKUP_SHAPE, type BackupConfig } from '@hlid/node/backup/backup-config';
import type { LogLevel } from '@hlid/node/log';
import { ServerFilesSchema, type TlsPaths } from '@hlid/node/tls-files';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { WallTimeSchema } from '@hlid/protocol/base/site-time';
import { CameraSettingsSchema, DirectionSchema, SiteSettingsSchema } from '@hlid/protocol/records/lane';
import { type SiteItem, SiteItemSchema } from '@hlid/protocol/site-link/site-change';
import { z } from 'zod';
import { PinHashSchema } from '../base/pin-hash.ts';
import { CodeReaderSchema } from '../code-reader/code-reader-kinds.ts';
import { LaneGateSchema } from '../gate/gate-kinds.ts';
import { LaneLoopsSchema } from '../loop/loop-kinds.ts';
import { ONVIF_OPTIONS, ONVIF_SHAPE, type OnvifOptions, type ProbeOptions } from '../onvif/onvif-options.ts';
import { PlateMapSchema } from '../onvif/onvif-plate.ts';
import { type RetentionConfig, RetentionSchema } from '../retention/retention-config.ts';
import { type TerminalConfig, TerminalConfigSchema } from '../terminal/terminal-kinds.ts';
import { CameraLaneSchema, sameSplits } from './camera-lanes.ts';

/** The limits of alarms. */
export const HealthSettingsSchema = z.strictObject({
  /** The age at which permits and prices that were not compared with the cloud's raise an alarm. */
  listsMaxAgeHours: z.number().positive().default(24),
  /** How long events or pictures may wait while the cloud accepts none of them. */
  waitingMaxMinutes: z.number().positive().default(60),
  /** The largest age of the newest backup, where backups are configured. */
  backupMaxAgeHours: z.number().positive().default(49),
  /** The difference between the clocks of site and cloud. */
  clockOffSeconds: z.number().min(3).default(30),
  /**
   * The kiosk's page requests the site every few seconds. After this time without a request its screen counts
   * as dead. Null: the site has no kiosk of Hlið, and none is expected.
   */
  kioskSilentSeconds: z.number().min(10).nullable().default(60),
  /** The free space that is needed: this many megabytes, but at most this part of the disk. */
  disk: z
    .strictObject({
      lowMegabytes: z.number().min(0).default(2048),
      lowPercent: z.number().min(0).max(100).default(10),
      fullMegabytes: z.number().min(0).default(256),
      fullPercent: z.number().min(0).max(100).default(3),
    })
    .prefault({}),
});
export type HealthSettings = z.infer<typeof HealthSettingsSchema>;

/** Ids stand in addresses, topics and logs. */
export const IdSchema = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/, 'letters, digits, dots, dashes and underscores, at most 64');

const LaneConfigSchema = z.strictObject({
  id: IdSchema,
  name: z.string().min(1),
  direction: DirectionSchema,
  /** The zone into which it leads, by its id in the cloud. */
  zone: z.string().min(1).optional(),
  gate: LaneGateSchema,
  /**
   * How long the gate stands open after its command: a car that is read meanwhile may be tailgating. Default:
   * 6 seconds.
   */
  gateOpenMs: z.int().min(500).max(MINUTE_MS).optional(),
  /**
   * A second command closes the gate while it opens or stands open. Then a command with a lost answer is
   * repeated only when the gate has come to rest, or reports that it is closed. Default: a second command
   * keeps it open.
   */
  gateToggles: z.boolean().optional(),
  loops: LaneLoopsSchema.optional(),
  /** Exits: drivers hold the code of a payment online before it, while the site cannot receive the payment. */
  codeReader: CodeReaderSchema.optional(),
});
export type LaneConfig = z.infer<typeof LaneConfigSchema>;

const CameraConfigSchema = z
  .strictObject({
    id: IdSchema,
    lane: z.string().min(1).optional(),
    /**
     * The lanes of a camera that looks at several, in place of `lane`: each of its reads belongs to one of
     * them, or to none.
     */
    lanes: z.array(CameraLaneSchema).min(1).max(20).optional(),
    /** The secret of its push URL; a camera that is read by ONVIF need not push, and may have none. */
    token: z.string().min(8, 'at least 8 characters').optional(),
    /** The camera is polled for its reads. */
    onvif: z.strictObject({ ...ONVIF_SHAPE, plates: PlateMapSchema }).optional(),
    /**
     * The address of a still picture, for cameras that are not read by ONVIF: for people, and for reads
     * without a picture.
     */
    snapshot: z
      .strictObject({
        url: z
          .url({ protocol: /^https?$/, error: 'an address such as http://192.168.1.64/picture.jpg' })
          .refine((url) => !/^https?:\/\/[^/]*@/.test(url), 'user and password stand beside it, not in it'),
        user: ONVIF_SHAPE.user,
        password: ONVIF_SHAPE.password,
        selfSigned: ONVIF_SHAPE.selfSigned,
      })
      .optional(),
    /** The camera reports reliably which way a vehicle moves; many cameras nearly always report `unknown`. */
    directionReliable: z.boolean().default(false),
    /** OpenALPR: the agent is set to send its groups at once, so that a final group may open the gate. */
    opensOnGroup: z.boolean().default(false),
    /** The settings until the cloud sends its own. */
    settings: CameraSettingsSchema.prefault({}),
  })
  .refine(({ token, onvif }) => token !== undefined || onvif !== undefined, {
    message: 'the secret of its push URL, or onvif',
    path: ['token'],
  })
  .refine(({ lane, lanes }) => (lane === undefined) !== (lanes === undefined), {
    message: 'the lane that it looks at; or lanes, where there are several, but not both',
    path: ['lane'],
  })
  .transform(({ lane, lanes, ...camera }) => ({
    ...camera,
    /** A camera that cannot be split, such as one in a refused document, is shown here. */
    lane: lane ?? lanes?.[0]?.lane ?? '',
    ...(lanes && { lanes }),
    token: camera.token ?? randomUUID(),
  }));
export type CameraConfig = z.infer<typeof CameraConfigSchema>;

/** How its ONVIF device is reached; null: it is not asked. */
export function onvifOptions({ onvif }: Pick<CameraConfig, 'onvif'>): OnvifOptions | null {
  if (!onvif) return null;
  const { plates: _plates, ...options } = onvif;
  return options;
}

/** How its picture of this moment is fetched without ONVIF; null: it has no address for that. */
export function snapshotOptions({ snapshot }: Pick<CameraConfig, 'snapshot'>): OnvifOptions | null {
  return snapshot ? ONVIF_OPTIONS.parse(snapshot) : null;
}
const PathSchema = z.string().min(1);
export const PinSchema = z
  .string()
  .regex(
    /^sha256\/\/[A-Za-z0-9+/]{43}=$/,
    'a pin such as sha256//uMrmYpVQ…=, as curl has it (see deploy/TLS.md)',
  );

export const CloudConfigSchema = z.strictObject({
  /** The address without a slash at its end. */
  httpUrl: z
    .url({ protocol: /^https?$/, error: 'an address such as https://parking.example' })
    .transform((url) => url.replace(/\/+$/, '')),
  mqttUrl: z.url({ protocol: /^(mqtts?|wss?)$/, error: 'an address such as mqtts://parking.example:8883' }),
  siteId: IdSchema,
  secret: z.string().min(1),
  /** The longest pause between tries to reach the cloud, which grow towards it. Default: a minute. */
  maxReconnectMs: z.int().min(100).optional(),
  /** The authority of the cloud's certificates, in PEM. Left out: those whom this machine trusts. */
  ca: PathSchema.optional(),
  /** The authority of the broker's certificate, if it is another one. */
  mqttCa: PathSchema.optional(),
  /** The site's own certificate, and its key. */
  cert: PathSchema.optional(),
  key: PathSchema.optional(),
  /** Public keys, one of which the cloud must have: the present one, and the next. */
  pin: z.union([PinSchema.transform((pin) => [pin]), z.array(PinSchema).min(1)]).optional(),
});
export type CloudConfig = z.infer<typeof CloudConfigSchema>;

const CheckedCloudSchema = CloudConfigSchema.superRefine((cloud, context) => {
  const mistake = (key: string, message: string) =>
    context.addIssue({ code: 'custom', path: [key], message });
  if ((cloud.cert === undefined) !== (cloud.key === undefined)) mistake('key', 'cert and key go together');
  if (cloud.pin === undefined) return;
  for (const key of ['httpUrl', 'mqttUrl'] as const) {
    if (!/^(?:https|mqtts|wss):/.test(cloud[key])) mistake(key, 'has to be encrypted where cloud.pin is set');
  }
});

const PaymentSettingsSchema = z.strictObject({
  /** When the card terminal's day is closed, by the wall clock of the site. */
  dayClosesAt: WallTimeSchema.default('04:00'),
});
export type PaymentSettings = z.infer<typeof PaymentSettingsSchema>;

const PictureSettingsSchema = z.strictObject({
  /** How long pictures stay here that the cloud has; at most 90 days. */
  keepDays: z.int().min(1).max(90).default(14),
  /** The free space that is left for more important data: the lesser of both. */
  keepFreeMb: z.int().min(0).default(1024),
  keepFreePercent: z.number().min(0).max(100).default(10),
});
export type PictureSettings = z.infer<typeof PictureSettingsSchema>;

export const KioskConfigSchema = z.strictObject({
  /** The name that people use, in alarms, mails and the console. */
  name: z.string().min(1).max(200).optional(),
});
type KioskConfig = z.infer<typeof KioskConfigSchema>;

const OnSiteSchema = z
  .strictObject({
    /** Whether people at this machine need the PIN to move gates. */
    loopback: z.enum(['open', 'pin']).default('open'),
    pin: PinHashSchema.optional(),
    /** The address at which the lanes page listens for the site's network; absent: it does not. */
    network: z
      .strictObject({
        host: z.string().min(1).default('0.0.0.0'),
        port: z.int().min(0).max(65_535).default(7072),
        /** Names of this machine in that network, beside its addresses. */
        names: z.array(z.string().min(1)).default([]),
      })
      .optional(),
  })
  .refine(({ loopback, pin, network }) => pin !== undefined || (loopback === 'open' && !network), {
    path: ['pin'],
    message: 'is required here; `pin new` makes one',
  });
export type OnSiteConfig = z.infer<typeof OnSiteSchema>;

/** The contents of the YAML file. */
export const EdgeFileSchema = z
  .strictObject({
    site: SiteItemSchema.omit({ code: true, onlinePayment: true }).extend({
      settings: SiteSettingsSchema.prefault({}),
    }),
    /** Left out: as `enrol` has it, or alone; null: alone. */
    cloud: CheckedCloudSchema.nullish().transform((cloud) => cloud ?? null),
    /** The address at which the camera push server listens. */
    cameraHost: z.string().min(1).default('0.0.0.0'),
    /** The https listener of the camera push server, beside the http one; absent: there is none. */
    cameraTls: z
      .strictObject({
        host: z.string().min(1).default('0.0.0.0'),
        port: z.int().min(0).max(65_535).default(7443),
        ...ServerFilesSchema.shape,
      })
      .nullish()
      .transform((tls) => tls ?? null),
    pictures: PictureSettingsSchema.prefault({}),
    cameras: z.array(CameraConfigSchema).default([]),
    lanes: z.array(LaneConfigSchema).min(1),
    /** The site's kiosk, where it has one. */
    kiosk: KioskConfigSchema.prefault({}),
    /** The card terminal of the site's kiosk; a site has at most one. */
    terminal: TerminalConfigSchema.nullish().transform((terminal) => terminal ?? null),
    retention: RetentionSchema.prefault({}),
    health: HealthSettingsSchema.prefault({}),
    payments: PaymentSettingsSchema.prefault({}),
    /** People on site who move gates on the lanes page. */
    onSite: OnSiteSchema.prefault({}),
    /** The settings of the command `backup`, which a timer runs; the daemon only checks that it does. */
    backup: z
      .strictObject(BACKUP_SHAPE)
      .nullish()
      .transform((backup) => backup ?? null),
  })
  .superRefine((file, context) => {
    const mistake = (path: (string | number)[], message: string) =>
      context.addIssue({ code: 'custom', path, message });
    const laneIds = file.lanes.map((lane) => lane.id);
    laneIds.forEach((id, at) => {
      if (laneIds.indexOf(id) !== at) mistake(['lanes', at, 'id'], `there is another lane ${id}`);
    });
    file.lanes.forEach(({ loops, direction, codeReader }, at) => {
      for (const name of ['arrival', 'passed'] as const) {
        const asked = loops?.[name]?.camera;
        const known = file.cameras.some(({ id, onvif }) => id === asked && onvif !== undefined);
        if (asked !== undefined && !known) {
          mistake(
            ['lanes', at, 'loops', name, 'camera'],
            `there is no camera ${asked} that is asked by onvif`,
          );
        }
      }
      if (direction !== 'exit' && codeReader) mistake(['lanes', at, 'codeReader'], 'only exits have one');
      // A loop with a cut wire must not keep a car in.
      if (direction === 'exit' && loops?.readsNeedArrival) {
        mistake(['lanes', at, 'loops', 'readsNeedArrival'], 'only entrances may wait for a loop');
      }
    });
    file.cameras.forEach((camera, at) => {
      const first = file.cameras.findIndex(({ id }) => id === camera.id);
      if (first !== at) mistake(['cameras', at, 'id'], `there is another camera ${camera.id}`);
      const places = camera.lanes?.map(({ lane }, n) => ({ lane, path: ['lanes', n, 'lane'] })) ?? [
        { lane: camera.lane, path: ['lane'] },
      ];
      for (const { lane, path } of places) {
        // A file without any lane has that mistake already.
        if (lane && !laneIds.includes(lane)) mistake(['cameras', at, ...path], `there is no lane ${lane}`);
      }
      for (const { at: n, first: other } of sameSplits(camera.lanes ?? [])) {
        const which = `lanes[${other}]`;
        mistake(
          ['cameras', at, 'lanes', n],
          `the same zone and direction as ${which}: which of the two is it?`,
        );
      }
    });
  });

export interface CameraTlsConfig extends Required<Pick<TlsPaths, 'cert' | 'key'>> {
  host: string;
  port: number;
}

/**
 * The whole configuration of the edge daemon: the site's own description until the cloud has another, devices, and
 * where to listen.
 */
export interface EdgeConfig {
  dataDir: string;
  logLevel: LogLevel;
  /** The port of the local API on the loopback interface; 0 for a free one. */
  edgePort: number;
  cameraPort: number;
  cameraHost: string;
  /** Null: cameras cannot push by https. */
  cameraTls: CameraTlsConfig | null;
  /** How cameras of the network are searched. */
  probe: ProbeOptions;
  site: SiteItem;
  /** Null: the site runs alone. */
  cloud: CloudConfig | null;
  pictures: PictureSettings;
  cameras: CameraConfig[];
  lanes: LaneConfig[];
  kiosk: KioskConfig;
  /** Null: there is no card payment here. */
  terminal: TerminalConfig | null;
  retention: RetentionConfig;
  health: HealthSettings;
  payments: PaymentSettings;
  onSite: OnSiteConfig;
  /** Null: none is made. */
  backup: BackupConfig | null;
}
