import { CurrencySchema } from '@hlid/protocol/money';
import { UtcTimeSchema } from '@hlid/protocol/utc-time';
import {
  FoundBySchema,
  PaymentStatusSchema,
  PriceLineSchema,
  ReviewFlagSchema,
  VisitStatusSchema,
} from '@hlid/protocol/visit';
import { z } from '@hono/zod-openapi';
import type { visitStepTable, visitTable } from './visit-table.ts';

export type VisitRow = typeof visitTable.$inferSelect;
export type VisitStepRow = typeof visitStepTable.$inferSelect;

/** A read of a visit, and the camera that made it. */
const VisitPhotoSchema = z
  .strictObject({
    id: z.string(),
    capturedOn: UtcTimeSchema,
    plate: z.string().nullable(),
    score: z.number(),
    url: z.string().nullable(),
    status: z.enum(['new', 'need-review', 'force-review', 'reviewed', 'deleted', 'failed']),
    createdOn: UtcTimeSchema,
    camera: z.strictObject({
      id: z.string().nullable().describe('Null: not registered.'),
      name: z.string().nullable(),
      remoteId: z.string(),
    }),
  })
  .meta({ id: 'VisitPhoto' });

const VisitPriceViewSchema = z
  .strictObject({
    amount: z.int().min(0).describe('Due, after payments, in the currency’s minor unit.'),
    currency: CurrencySchema,
    lines: z.array(z.strictObject({ rule: PriceLineSchema.shape.rule, units: z.int(), amount: z.int() })),
    product: z.strictObject({ id: z.string(), version: z.int() }),
    pricedOn: UtcTimeSchema,
  })
  .meta({ id: 'VisitPriceView' });

const fields = {
  id: z.string(),
  siteId: z.string(),
  startedOn: UtcTimeSchema,
  endedOn: UtcTimeSchema.nullable(),
  createdOn: UtcTimeSchema,
  plate: z.string().nullable(),
  status: VisitStatusSchema,
  paymentStatus: PaymentStatusSchema.nullable(),
  price: VisitPriceViewSchema.nullable().describe('As last priced; null: not yet.'),
  unitsMet: z.int(),
  paidUntil: UtcTimeSchema.nullable(),
  vehicle: z
    .strictObject({ regno: z.string(), country: z.string().nullable() })
    .nullable()
    .describe('What the plate tells.'),
  customer: z.strictObject({ id: z.string() }).nullable(),
  entrancePhoto: VisitPhotoSchema.nullable(),
  exitPhoto: VisitPhotoSchema.nullable(),
  exitFoundBy: FoundBySchema.nullable(),
  invoice: z.null().describe('There are no invoices yet.'),
  flags: z.array(ReviewFlagSchema),
};

/** A visit as the API shows it in a list. */
export const VisitViewSchema = z.strictObject(fields).meta({ id: 'Visit' });
export type VisitView = z.infer<typeof VisitViewSchema>;

/** A visit on its own, with everything that happened to it. */
export const VisitWithHistorySchema = z
  .strictObject({
    ...fields,
    history: z.array(
      z.strictObject({
        at: UtcTimeSchema,
        by: z.string(),
        from: VisitStatusSchema.nullable(),
        to: VisitStatusSchema,
        why: z.string(),
      }),
    ),
  })
  .meta({ id: 'VisitWithHistory' });

/** A read as the joined queries of visit-store.ts bring it. */
export interface VisitPhotoRow {
  id: string;
  receivedAt: string;
  capturedAt: string | null;
  plate: string | null;
  score: number;
  country: string | null;
  url: string | null;
  status: z.infer<typeof VisitPhotoSchema>['status'];
  createdAt: string;
  remoteId: string;
}

/** A visit with its reads and their cameras. */
export interface FoundVisit {
  visit: Omit<
    VisitRow,
    | 'plateFolded'
    | 'entryLaneId'
    | 'exitLaneId'
    | 'entryReadId'
    | 'exitReadId'
    | 'permitId'
    | 'feedAt'
    | 'plateEditedAt'
    | 'statusEditedAt'
    | 'endedEditedAt'
    | 'paymentEditedAt'
    | 'modifiedAt'
  >;
  entrance: VisitPhotoRow | null;
  entranceCamera: { id: string; name: string } | null;
  exit: VisitPhotoRow | null;
  exitCamera: { id: string; name: string } | null;
  /** 1 where its plate equals the one asked for, else 0. */
  rank: number;
}

export function visitFrom(found: FoundVisit): VisitView {
  const { visit, entrance, exit } = found;
  const { plate, price, amountMinor, currency } = visit;
  return {
    id: visit.id,
    siteId: visit.siteId,
    startedOn: visit.startedAt,
    endedOn: visit.endedAt,
    createdOn: visit.createdAt,
    plate,
    status: visit.status,
    paymentStatus: visit.paymentStatus,
    price:
      price === null
        ? null
        : {
            amount: amountMinor ?? price.amountMinor,
            currency: currency ?? price.currency,
            lines: price.lines.map(({ rule, units, amountMinor: amount }) => ({ rule, units, amount })),
            product: price.product,
            pricedOn: price.pricedAt,
          },
    unitsMet: visit.unitsMet,
    paidUntil: visit.paidUntil,
    vehicle: plate === null ? null : { regno: plate, country: entrance?.country ?? exit?.country ?? null },
    customer: visit.customerId === null ? null : { id: visit.customerId },
    entrancePhoto: photoFrom(entrance, found.entranceCamera),
    exitPhoto: photoFrom(exit, found.exitCamera),
    exitFoundBy: visit.exitFoundBy,
    invoice: null,
    flags: visit.flags,
  };
}

/** Steps oldest first. An edit that the site has applied comes back from it as a step of its own: shown once. */
export function historyFrom(steps: readonly VisitStepRow[]) {
  const seen = new Set<string>();
  return steps.flatMap(({ at, by, from, to, why }) => {
    const deed = JSON.stringify([at, by, why]);
    if (seen.has(deed)) return [];
    seen.add(deed);
    return [{ at, by, from, to, why }];
  });
}

function photoFrom(
  photo: VisitPhotoRow | null,
  camera: { id: string; name: string } | null,
): VisitView['entrancePhoto'] {
  if (photo === null) return null;
  const { id, plate, score, url, status } = photo;
  return {
    id,
    capturedOn: photo.capturedAt ?? photo.receivedAt,
    plate,
    score,
    url,
    status,
    createdOn: photo.createdAt,
    camera: { id: camera?.id ?? null, name: camera?.name ?? null, remoteId: photo.remoteId },
  };
}
