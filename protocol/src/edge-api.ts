import { z } from 'zod';
import { ContentHashSchema, PROTOCOL_VERSION } from './envelope.ts';
import { ProductSchema } from './product.ts';
import {
  CameraItemSchema,
  QuotaItemSchema,
  SettlementItemSchema,
  SiteItemSchema,
  VehicleItemSchema,
  ZoneItemSchema,
} from './site-change.ts';
import { PermitSchema } from './whitelist.ts';

/**
 * HTTP between site and cloud, with the site's secret as bearer token.
 * `GET /edge/changes?after=N&limit=M` answers a ChangeBatch; 410 where that range is gone: take the snapshot.
 * `GET /edge/snapshot` answers the lists at one moment as NDJSON: one SnapshotLine a line, `head` first, `end` last.
 */
export const EDGE_CHANGES_PATH = '/edge/changes';
export const EDGE_SNAPSHOT_PATH = '/edge/snapshot';

/** Changes in one answer of `/edge/changes`, at most. */
export const MAX_CHANGES = 1000;

const line = <Kind extends string, Item extends z.ZodType>(kind: Kind, item: Item) =>
  z.strictObject({ kind: z.literal(kind), id: z.string().min(1), item });

export const SnapshotLineSchema = z
  .discriminatedUnion('kind', [
    z.strictObject({
      kind: z.literal('head'),
      v: z.literal(PROTOCOL_VERSION),
      n: z.int().min(0),
      hash: ContentHashSchema,
    }),
    line('site', SiteItemSchema),
    line('permit', PermitSchema),
    line('product', ProductSchema),
    line('zone', ZoneItemSchema),
    line('camera', CameraItemSchema),
    line('vehicle', VehicleItemSchema),
    line('quota', QuotaItemSchema),
    /** Settlements of visits that are still open: not part of the hash. */
    line('settlement', SettlementItemSchema),
    /** How many lines stood between head and end; a snapshot without it is cut off. */
    z.strictObject({ kind: z.literal('end'), lines: z.int().min(0) }),
  ])
  .meta({ id: 'SnapshotLine' });
export type SnapshotLine = z.infer<typeof SnapshotLineSchema>;
