import { z } from 'zod';
import { MINUTE_MS } from '../base/durations.ts';
import { LanguageSchema } from '../base/language.ts';
import { UtcTimeSchema } from '../base/utc-time.ts';
import { VisitSchema } from '../records/visit.ts';
import { PermitSchema } from '../records/whitelist.ts';
import { ProductSchema } from '../tariff/product.ts';
import { ContentHashSchema, MessageVersionSchema } from './envelope.ts';
import {
  CameraItemSchema,
  FeedMarkSchema,
  ListChangeSchema,
  OnlinePaymentItemSchema,
  QuotaItemSchema,
  SettlementItemSchema,
  SiteItemSchema,
  VehicleItemSchema,
  ZoneItemSchema,
} from './site-change.ts';

/**
 * HTTP between site and cloud, with the site's secret as bearer token. `GET /edge/changes?after=N&limit=M`
 * answers a ChangeBatch; 410: that range is gone, and the site reads the snapshot. `GET /edge/snapshot`
 * answers the lists as NDJSON: one SnapshotLine a line, `head` first, `end` last. The items come in the order
 * of their ids within a kind, each in its state at that moment. The changes since the first head follow, then
 * the resulting head. After an interruption it continues with `?since=N&kind=…&after=…`: the first head's `n`
 * and the last item. With `?visits=open` it includes the open visits, for a site with a new or restored
 * database.
 */
export const EDGE_CHANGES_PATH = '/edge/changes';
export const EDGE_SNAPSHOT_PATH = '/edge/snapshot';

/**
 * `PUT /edge/pictures/{readId}/{kind}`, with the picture as the body. 204: it is stored, now or earlier; 410:
 * its read was erased or is too old; 413, 415: it will never be accepted.
 */
export const EDGE_PICTURES_PATH = '/edge/pictures';

/**
 * `POST /edge/pay-link` with an `EdgePayLink` answers a `PayLink`, for a QR code at a kiosk. 404: the cloud
 * does not have that visit, or not yet; 409: the site takes no cards on the payment page.
 */
export const EDGE_PAY_LINK_PATH = '/edge/pay-link';

export const EdgePayLinkSchema = z
  .strictObject({
    visitId: z.uuid(),
    /** Characters of the plate, from its first on, that the kiosk shows. */
    plateCharacters: z.int().min(0).max(40),
    /** The language in which the page opens; absent: the phone's. */
    language: LanguageSchema.optional(),
  })
  .meta({
    id: 'EdgePayLink',
    example: { visitId: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11', plateCharacters: 3, language: 'pl' },
  });
export type EdgePayLink = z.infer<typeof EdgePayLinkSchema>;

/** The address at which a phone pays for one stay. It is a key: it stands in no log. */
export const PayLinkSchema = z
  .strictObject({ url: z.url(), expiresOn: UtcTimeSchema })
  .meta({ id: 'PayLink' });
export type PayLink = z.infer<typeof PayLinkSchema>;

/** More than a camera makes for one vehicle. */
export const MAX_PICTURE_BYTES = 8 * 1024 * 1024;

/**
 * `PUT /edge/camera-pictures/{commandId}`, the picture that a command to take one asks for. 204: it is
 * stored; 410: it is not needed any more; 413, 415: it will never be accepted.
 */
export const EDGE_CAMERA_PICTURES_PATH = '/edge/camera-pictures';

/** The subject of a picture of a read: as much of the vehicle as there is, or its plate alone. */
export const PictureKindSchema = z.enum(['vehicle', 'plate']).meta({ id: 'PictureKind' });
export type PictureKind = z.infer<typeof PictureKindSchema>;

/** Limit of changes in one answer of `/edge/changes`. */
export const MAX_CHANGES = 1000;

const line = <Kind extends string, Item extends z.ZodType>(kind: Kind, item: Item) =>
  z.strictObject({ kind: z.literal(kind), id: z.string().min(1), item });

export const SnapshotLineSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('head'),
      v: MessageVersionSchema,
      n: z.int().min(0),
      hash: ContentHashSchema,
      /** The mark of change `n`; in the last head of a snapshot. */
      mark: FeedMarkSchema.optional(),
    }),
    line('site', SiteItemSchema),
    line('permit', PermitSchema),
    line('product', ProductSchema),
    line('zone', ZoneItemSchema),
    line('camera', CameraItemSchema),
    line('vehicle', VehicleItemSchema),
    line('quota', QuotaItemSchema),
    line('online-payment', OnlinePaymentItemSchema),
    /** A change in the lists since the first `head`; changes come after all items, in order. */
    z.strictObject({ kind: z.literal('change'), change: ListChangeSchema }),
    /** Settlements of visits that are still open: not part of the hash. */
    line('settlement', SettlementItemSchema),
    /**
     * A visit that is not over yet, its settlements counted in; with `?visits=open`. Not part of the hash.
     */
    line('visit', VisitSchema),
    z.strictObject({
      kind: z.literal('end'),
      /** How many lines stood between head and end; a snapshot without it is cut off. */
      lines: z.int().min(0),
      /** How many of them were visits; absent where none were asked for. */
      visits: z.int().min(0).optional(),
    }),
  ])
  .meta({ id: 'SnapshotLine' });
export type SnapshotLine = z.infer<typeof SnapshotLineSchema>;

/** `GET /edge/calls/{id}`: `EdgeCall`, how a driver's call for help stands. 404: its event has not come yet. */
export const EDGE_CALLS_PATH = '/edge/calls';

/** `ringing`: not accepted yet; `missed`: not accepted in time. */
export const CallStateSchema = z.enum(['ringing', 'accepted', 'closed', 'missed']).meta({ id: 'CallState' });
export type CallState = z.infer<typeof CallStateSchema>;

export const EdgeCallSchema = z
  .strictObject({
    state: CallStateSchema,
    /** The name of the operator who has accepted it; null: none has. */
    name: z.string().nullable(),
  })
  .meta({ id: 'EdgeCall' });
export type EdgeCall = z.infer<typeof EdgeCallSchema>;

/** A call for help that is not accepted within this time is missed: the driver is then asked to telephone. */
export const CALL_RINGS_MS = 10 * MINUTE_MS;
