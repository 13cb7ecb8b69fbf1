import { z } from 'zod';
import { UtcTimeSchema } from '../base/utc-time.ts';
import { FeedMarkSchema, SiteChangeSchema } from './site-change.ts';
import { SiteEventSchema } from './site-event.ts';

/**
 * The version of the messages between site and cloud. Each message names the version of its sender, who reads that
 * version too. A later version adds fields and never changes the meaning of existing ones; `read-newer.ts` ignores
 * fields that it does not know.
 */
export const PROTOCOL_VERSION = 1;

export const MessageVersionSchema = z.int().min(1);
const version = MessageVersionSchema;

/** Limit of events in one batch. */
export const MAX_BATCH_EVENTS = 100;
/** Approximate limit of bytes in one batch. A larger event is sent alone. */
export const MAX_BATCH_BYTES = 64 * 1024;

/** `up`: events in order, without gaps. */
export const EventBatchSchema = z
  .strictObject({
    v: version,
    epoch: z.uuid(),
    events: z.array(SiteEventSchema).min(1).max(MAX_BATCH_EVENTS),
  })
  .meta({ id: 'EventBatch' });
export type EventBatch = z.infer<typeof EventBatchSchema>;

/**
 * `up/ack`: the highest number that the cloud has committed of this epoch, 0 for none. Send on from the next. The answer
 * to a presence has `digest` and `superseded` too.
 */
export const EventAckSchema = z
  .strictObject({
    v: version,
    epoch: z.uuid(),
    committed: z.int().min(0),
    /**
     * The digest of the event with that number at the cloud: a different one here means that two logs share
     * an epoch.
     */
    digest: z.string().optional(),
    /** A later epoch of the site has sent events since, so this one is outdated. */
    superseded: z.boolean().optional(),
  })
  .meta({ id: 'EventAck' });
export type EventAck = z.infer<typeof EventAckSchema>;

/** 32 hexadecimal digits over a site's lists; see content-hash.ts. */
export const ContentHashSchema = z.string().regex(/^[0-9a-f]{32}$/);

/** `down/head`, retained: number of the newest change in the feed, and the hash of the lists at that change. */
export const FeedHeadSchema = z
  .strictObject({ v: version, n: z.int().min(0), hash: ContentHashSchema })
  .meta({ id: 'FeedHead' });
export type FeedHead = z.infer<typeof FeedHeadSchema>;

/** `down`, and the answer of `GET /edge/changes`: changes in order, without gaps, and the head of the feed. */
export const ChangeBatchSchema = z
  .strictObject({ v: version, changes: z.array(SiteChangeSchema), head: FeedHeadSchema })
  .meta({ id: 'ChangeBatch' });
export type ChangeBatch = z.infer<typeof ChangeBatchSchema>;

/** `down/ack`: what the site has stored durably. */
export const FeedAckSchema = z
  .strictObject({ v: version, n: z.int().min(0), hash: ContentHashSchema })
  .meta({ id: 'FeedAck' });
export type FeedAck = z.infer<typeof FeedAckSchema>;

/** `presence`, retained. `online: false` is the last will; `online: true` is sent after each connection. */
export const PresenceSchema = z
  .discriminatedUnion('online', [
    z.strictObject({
      v: version,
      online: z.literal(true),
      epoch: z.uuid(),
      /** Number of the newest event, and of the newest one that the cloud has acknowledged. */
      seq: z.int().min(0),
      acknowledged: z.int().min(0),
      /** Position in the change feed. */
      feedAt: z.int().min(0),
      /** The mark of change `feedAt`; null: the site does not know it. */
      feedMark: FeedMarkSchema.nullable(),
      /** Name and version of the site's program. */
      software: z.string(),
      at: UtcTimeSchema,
    }),
    z.strictObject({ v: version, online: z.literal(false) }),
  ])
  .meta({ id: 'Presence' });
export type Presence = z.infer<typeof PresenceSchema>;
