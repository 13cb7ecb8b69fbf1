import { z } from 'zod';
import { LanguageSchema } from '../base/language.ts';
import { UtcTimeSchema } from '../base/utc-time.ts';
import { TerminalViewSchema } from '../pages/kiosk-api.ts';
import { DeviceStateSchema } from '../records/device.ts';
import { GateReasonSchema } from '../records/gate-reason.ts';
import { MAX_LAPSE_MINUTES } from '../records/gate-times.ts';
import { PaymentSchema } from '../records/payment.ts';
import { MessageVersionSchema } from './envelope.ts';
import { GateOutcomeSchema } from './site-event.ts';

const version = MessageVersionSchema;

/** Commands for a gate: `open` once, `hold` open, keep `close`d, `release` back to automatic. */
export const CommandActionSchema = z.enum(['open', 'hold', 'close', 'release']);
export type CommandAction = z.infer<typeof CommandActionSchema>;

/** The lifetime of a command for a gate or a terminal. */
export const COMMAND_LIFE_MS = 1000;
/** The lifetime of a command about a device: a camera, or a network, answers more slowly than a gate. */
export const DEVICE_COMMAND_LIFE_MS = 10_000;

/**
 * `cmd`, not retained: a command of a person, executed once and immediately, or not at all. Its times are by the
 * cloud's clock. If a command is expired by the site's clock, the site answers `expired` with a random `echo`. A cloud
 * that still waits sends the command again with this echo. The echo proves to the site that the command is fresh,
 * whatever the clocks show, and by how much they differ.
 */
export const CommandSchema = z
  .strictObject({
    v: version,
    id: z.uuid(),
    action: CommandActionSchema,
    /** Null: every lane of the site. */
    laneId: z.string().min(1).nullable(),
    /** `account:<id>`. */
    by: z.string().min(1),
    /** The person's name, for those at the site; null: not known. */
    name: z.string().max(200).nullable(),
    reasonCode: GateReasonSchema.nullable(),
    /** The text that the person adds. */
    reason: z.string().max(1000),
    /** The car that is meant: the command is `stale` if another car stands there by now. Null: whichever. */
    passageId: z.uuid().nullable(),
    /** The time after which a hold or a closing ends by itself; null: it stays until it is released. */
    lapseMinutes: z.int().min(1).max(MAX_LAPSE_MINUTES).nullable(),
    sentAt: UtcTimeSchema,
    expiresAt: UtcTimeSchema,
    /** The echo of an `expired` reply. */
    echo: z.uuid().nullable(),
  })
  .meta({ id: 'Command' });
export type Command = z.infer<typeof CommandSchema>;

const terminalCommand = {
  v: version,
  id: z.uuid(),
  terminalId: z.string().min(1),
  /** `token:<id>` or `account:<id>`. */
  by: z.string().min(1),
  sentAt: UtcTimeSchema,
  expiresAt: UtcTimeSchema,
  echo: z.uuid().nullable(),
};

/** `cmd` too: a command for a card terminal, from a kiosk that uses the cloud or an operator. */
export const TerminalCommandSchema = z
  .discriminatedUnion('action', [
    /** Begin a payment with the id of the command, so a repeated command is the same payment. The site knows the amount. */
    z.strictObject({
      ...terminalCommand,
      action: z.literal('pay'),
      visitId: z.uuid(),
      /** Units of 24 hours to buy; null: what is due now. */
      units: z.int().min(1).max(365).nullable(),
      language: LanguageSchema,
    }),
    z.strictObject({ ...terminalCommand, action: z.literal('terminal-status') }),
    /**
     * Reverses a settled payment for an operator. The reply reports that it has begun, the payment's events
     * how it ends.
     */
    z.strictObject({ ...terminalCommand, action: z.literal('reverse-payment'), paymentId: z.uuid() }),
    /** How the site has a payment by now: after every command that it received before this one. */
    z.strictObject({ ...terminalCommand, action: z.literal('payment-state'), paymentId: z.uuid() }),
  ])
  .meta({ id: 'TerminalCommand' });
export type TerminalCommand = z.infer<typeof TerminalCommandSchema>;

/** `cmd` too: a driver who is held at an exit denies the visit, at a kiosk that uses the cloud. */
export const NotMineCommandSchema = z
  .strictObject({
    v: version,
    id: z.uuid(),
    action: z.literal('not-mine'),
    visitId: z.uuid(),
    /** The driver's own plate as typed, normalised. */
    plate: z.string().min(1).max(40),
    /** `token:<id>`. */
    by: z.string().min(1),
    sentAt: UtcTimeSchema,
    expiresAt: UtcTimeSchema,
    echo: z.uuid().nullable(),
  })
  .meta({ id: 'NotMineCommand' });
export type NotMineCommand = z.infer<typeof NotMineCommandSchema>;

/**
 * `cmd` too: the cloud is about to charge a card for a visit. The site takes no payment for it from now on,
 * for `CLAIM_MS`; by then the payment is in its lists. `refused`: `payment-under-way` at the terminal, or
 * `amount-changed`, since something was paid here which the cloud has not received.
 */
export const ClaimVisitCommandSchema = z
  .strictObject({
    v: version,
    id: z.uuid(),
    action: z.literal('claim-visit'),
    visitId: z.uuid(),
    paymentId: z.uuid(),
    /** The units and money that have been met of the visit, as the cloud knows it. */
    unitsMet: z.int(),
    paidMinor: z.int(),
    /** `cloud:online-payments`. */
    by: z.string().min(1),
    sentAt: UtcTimeSchema,
    expiresAt: UtcTimeSchema,
    echo: z.uuid().nullable(),
  })
  .meta({ id: 'ClaimVisitCommand' });
export type ClaimVisitCommand = z.infer<typeof ClaimVisitCommandSchema>;

/** How long a claim lasts by itself. */
export const CLAIM_MS = 20_000;
/** A charge that has not begun within this time after its claim does not begin. */
export const CLAIM_USED_WITHIN_MS = 10_000;

/** Devices that a site can connect to again. */
export const CheckedKindSchema = z.enum(['camera', 'gate', 'terminal']).meta({ id: 'CheckedKind' });
export type CheckedKind = z.infer<typeof CheckedKindSchema>;

const deviceCommand = {
  v: version,
  id: z.uuid(),
  /** `account:<id>`. */
  by: z.string().min(1),
  sentAt: UtcTimeSchema,
  expiresAt: UtcTimeSchema,
  echo: z.uuid().nullable(),
};

/** `cmd` too: a command of an operator about the devices of the site. */
export const DeviceCommandSchema = z
  .discriminatedUnion('action', [
    /** Fetch one picture from the camera, from one of the lane, or of the kiosk's screen, and upload it under the id of the command. */
    z.strictObject({
      ...deviceCommand,
      action: z.literal('take-picture'),
      of: z.union([
        z.strictObject({ laneId: z.string().min(1) }),
        z.strictObject({ cameraId: z.string().min(1) }),
        /** The kiosk's screen. */
        z.strictObject({ screen: z.literal('kiosk') }),
      ]),
    }),
    /** Connect to the device now, without the pause between retries. The reply has its state. */
    z.strictObject({
      ...deviceCommand,
      action: z.literal('try-again'),
      kind: CheckedKindSchema,
      deviceId: z.string().min(1),
    }),
    /** Probe the network of the site for ONVIF devices. */
    z.strictObject({ ...deviceCommand, action: z.literal('find-cameras') }),
  ])
  .meta({ id: 'DeviceCommand' });
export type DeviceCommand = z.infer<typeof DeviceCommandSchema>;

/**
 * Why a command about a device was `refused`.
 *
 * - `no-device`, `no-lane`: the site has none with that id.
 * - `no-picture-source`: no camera there has an address for pictures.
 * - `no-picture`: the camera has no pictures, or sent something else.
 * - `camera-away`, `camera-login`: it does not answer, or refuses our login.
 * - `kiosk-away`: no kiosk page has called the site lately.
 * - `kiosk-no-picture`: the page runs in a browser, which takes no pictures. `detail` has the text that it
 *   shows.
 * - `picture-unsent`: the site could not upload the picture.
 * - `not-checkable`: the site cannot connect to this device.
 * - `probe-failed`: the network could not be probed.
 */
export const DeviceRefusalSchema = z
  .enum([
    'no-device',
    'no-lane',
    'no-picture-source',
    'no-picture',
    'camera-away',
    'camera-login',
    'kiosk-away',
    'kiosk-no-picture',
    'picture-unsent',
    'not-checkable',
    'probe-failed',
  ])
  .meta({ id: 'DeviceRefusal' });
export type DeviceRefusal = z.infer<typeof DeviceRefusalSchema>;

/** A device of the site after it was checked. */
export const CheckedDeviceSchema = z
  .strictObject({
    state: DeviceStateSchema,
    since: UtcTimeSchema,
    /** The problem, for a technician; empty: none. */
    detail: z.string(),
  })
  .meta({ id: 'CheckedDevice' });
export type CheckedDevice = z.infer<typeof CheckedDeviceSchema>;

/** More than one network segment has. */
export const MAX_FOUND_CAMERAS = 100;

/** An ONVIF device of the site's network. */
export const FoundCameraSchema = z
  .strictObject({
    /** The address of its ONVIF service. */
    address: z.string().max(500),
    /** The name that the device reports; empty: none. */
    name: z.string().max(200),
    maker: z.string().max(200),
    model: z.string().max(200),
    /** The ONVIF profiles, by letter: `M` for plates and other metadata, `S` and `T` for video. */
    profiles: z.array(z.string().max(40)).max(20),
    /** The cameras and gates of the site's configuration that are at its address. */
    configured: z
      .array(z.strictObject({ kind: z.enum(['camera', 'gate']), id: z.string() }))
      .max(MAX_FOUND_CAMERAS),
  })
  .meta({ id: 'FoundCamera' });
export type FoundCamera = z.infer<typeof FoundCameraSchema>;

export const SiteCommandSchema = z.union([
  CommandSchema,
  TerminalCommandSchema,
  NotMineCommandSchema,
  ClaimVisitCommandSchema,
  DeviceCommandSchema,
]);
export type SiteCommand = z.infer<typeof SiteCommandSchema>;

const ABOUT_DEVICES: readonly SiteCommand['action'][] = ['take-picture', 'try-again', 'find-cameras'];

export function isAboutDevices(command: SiteCommand): command is DeviceCommand {
  return ABOUT_DEVICES.includes(command.action);
}

/** How long a command is valid, and how long its sender waits. */
export function commandLifeMs(action: SiteCommand['action']): number {
  return ABOUT_DEVICES.includes(action) ? DEVICE_COMMAND_LIFE_MS : COMMAND_LIFE_MS;
}

/** The outcome of a command: of the movement, or the reason why there was none. */
export const CommandOutcomeSchema = z
  .enum([...GateOutcomeSchema.options, 'expired', 'unknown-lane', 'no-gate', 'stale'])
  .meta({ id: 'CommandOutcome' });
export type CommandOutcome = z.infer<typeof CommandOutcomeSchema>;

/** The car that stands at a lane now. */
export const CarAtGateSchema = z
  .strictObject({
    passageId: z.uuid(),
    visitId: z.uuid().nullable(),
    plate: z.string().nullable(),
    since: UtcTimeSchema,
  })
  .meta({ id: 'CarAtGate' });
export type CarAtGate = z.infer<typeof CarAtGateSchema>;

/** `cmd/reply`: sent once the movement is recorded. */
export const CommandReplySchema = z
  .strictObject({
    v: version,
    id: z.uuid(),
    /** The worst outcome if there are several lanes. */
    outcome: CommandOutcomeSchema,
    lanes: z.array(z.strictObject({ laneId: z.string(), outcome: GateOutcomeSchema })),
    /**
     * Why it was `refused`: a fault code of the kiosk API or `not-reversible` of a payment, a `DeviceRefusal` of a command
     * about devices.
     */
    reason: z.string().optional(),
    /** The answer of the device, for a technician. */
    detail: z.string().max(500).optional(),
    /** The camera of a picture. */
    cameraId: z.string().optional(),
    /** The device that was checked. */
    device: CheckedDeviceSchema.optional(),
    /** The devices that answered the probe. */
    cameras: z.array(FoundCameraSchema).max(MAX_FOUND_CAMERAS).optional(),
    /** State of the payment, which is on the site's disk. */
    payment: PaymentSchema.optional(),
    /** State of the terminal. */
    terminal: TerminalViewSchema.optional(),
    /** The car that stands there now, with `stale`; null: none does. */
    car: CarAtGateSchema.nullable().optional(),
    /** The echo to be sent with the repeated command, with `expired`. */
    echo: z.uuid().nullable(),
    /** The time by the site's clock. */
    at: UtcTimeSchema,
  })
  .meta({ id: 'CommandReply' });
export type CommandReply = z.infer<typeof CommandReplySchema>;
