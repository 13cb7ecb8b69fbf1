import { ReasonSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { PlateCandidateSchema } from '@hlid/protocol/plate/plate-read';
import { type DecisionReason, DecisionReasonSchema } from '@hlid/protocol/records/decision';
import { StoredReadSchema } from '@hlid/protocol/site-link/site-event';
import { z } from '@hono/zod-openapi';
import { IdSchema, MomentSchema, PlateSchema } from '../../platform/http/input-fields.ts';
import type { FoundPhoto } from '../../records/photos/photo-store.ts';
import { PHOTO_STATUSES } from '../../records/photos/photo-table.ts';

const fields = {
  id: z.string(),
  siteId: z.string(),
  capturedOn: UtcTimeSchema.describe('The time by the camera’s clock, or of the arrival.'),
  plate: z.string().nullable().describe('Null: unreadable.'),
  plateRaw: z.string().describe('The text of the camera, unchanged.'),
  score: z.number().min(0).max(1),
  country: z.string().nullable(),
  candidates: z.array(PlateCandidateSchema).describe('All candidates for the plate, best first.'),
  url: z.string().nullable().describe('The path of the picture; null: none.'),
  plateUrl: z.string().nullable().describe('The path of a picture of the plate alone; null: none.'),
  status: z.enum(PHOTO_STATUSES),
  createdOn: UtcTimeSchema.describe('When it arrived.'),
  camera: z.strictObject({
    id: z.string().nullable().describe('Null: not registered.'),
    name: z.string().nullable(),
    location: z.enum(['entrance', 'exit']).nullable(),
    remoteId: z.string(),
  }),
  visitId: z.string().nullable(),
  standing: StoredReadSchema.shape.standing.describe(
    'Whether it was used in a decision, or the reason why not.',
  ),
  decision: z
    .strictObject({ open: z.boolean(), reason: DecisionReasonSchema })
    .nullable()
    .describe('The latest decision for the vehicle: whether to open the gate, and the reason.'),
  test: z.boolean().describe('Posted as `open-alpr-test`: not in any list, and without effect.'),
};

const example = {
  id: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11',
  siteId: '7c1a7d52-8a0f-4c58-9c8e-55c3f5ed9b02',
  capturedOn: '2026-11-21T08:00:00.000Z',
  plate: 'ABX12',
  plateRaw: 'AB X12',
  score: 0.93,
  country: 'IS',
  candidates: [{ plate: 'ABX12', score: 0.93 }],
  url: '/photo/0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11/picture',
  plateUrl: null,
  status: 'new' as const,
  createdOn: '2026-11-21T08:00:00.412Z',
  camera: { id: 'c1', name: 'Entrance 1', location: 'entrance' as const, remoteId: 'cam-in-1' },
  visitId: null,
  standing: 'counts' as const,
  decision: { open: true, reason: 'welcome' as const },
  test: false,
};

/** A photo as the API shows it. */
export const PhotoSchema = z.strictObject(fields).meta({ id: 'Photo', example });
export type Photo = z.infer<typeof PhotoSchema>;

/** The outcome of a correction. */
const PhotoOutcomeSchema = z
  .enum(['photo-only', 'visit-corrected', 'visit-ended', 'no-visit', 'ambiguous-visit'])
  .meta({ id: 'PhotoOutcome' });
export type PhotoOutcome = z.infer<typeof PhotoOutcomeSchema>;

export const EditedPhotoSchema = z
  .strictObject({
    ...fields,
    outcome: PhotoOutcomeSchema.describe(
      '`photo-only`: no visit changed. `visit-corrected`: its visit has the plate now. `visit-ended`: ' +
        'it was the exit of an open visit, which has ended. `no-visit` and `ambiguous-visit`: no open ' +
        'visit, or several, match it.',
    ),
  })
  .meta({ id: 'EditedPhoto', example: { ...example, status: 'reviewed', outcome: 'visit-corrected' } });

/** The fields that a person may change. `id` and `capturedOn` may come back as they were got. */
export const PhotoEditSchema = z
  .strictObject({
    id: IdSchema.optional(),
    capturedOn: MomentSchema.optional(),
    plate: PlateSchema.optional().describe(
      'The visit is corrected too, or ended if this is the photo of its exit.',
    ),
    status: z
      .enum(['new', 'need-review', 'force-review', 'reviewed'])
      .optional()
      .describe('Default with a plate: `reviewed`.'),
    reason: ReasonSchema.optional().describe('Stored in the visit’s history.'),
  })
  .meta({ id: 'PhotoEdit', example: { plate: 'ABX12', reason: 'Mud on the plate' } });
export type PhotoEdit = z.infer<typeof PhotoEditSchema>;

/** The result of a document that reported no vehicle. */
export const NoReadSchema = z
  .strictObject({
    kind: z.string().describe('The maker’s name for the kind of document.'),
    heartbeat: z.boolean().describe('A heartbeat of the camera.'),
  })
  .meta({ id: 'NoRead', example: { kind: 'heartbeat', heartbeat: true } });
export type NoRead = z.infer<typeof NoReadSchema>;

export function photoFrom({ photo, camera, visitId, open, reason }: FoundPhoto): Photo {
  const { id } = photo;
  // A former decision about the car is no answer to a read of it where it stands.
  const decided = photo.standing !== 'parked' && open !== null && reason !== null;
  return {
    id,
    siteId: photo.siteId,
    capturedOn: photo.capturedAt ?? photo.receivedAt,
    plate: photo.plate,
    plateRaw: photo.plateRaw,
    score: photo.score,
    country: photo.country,
    candidates: photo.candidates,
    url: photo.url === null ? null : picturePath(id),
    plateUrl: photo.plateUrl === null ? null : `${picturePath(id)}?kind=plate`,
    status: photo.status,
    createdOn: photo.createdAt,
    camera: {
      id: camera?.id ?? null,
      name: camera?.name ?? null,
      location: camera?.location ?? null,
      remoteId: photo.cameraId,
    },
    visitId,
    standing: photo.standing,
    decision: decided ? { open, reason } : null,
    test: photo.source === 'test',
  };
}

/** Whether a person must look at a photo. */
export function needsPerson({ status }: Pick<FoundPhoto['photo'], 'status'>): boolean {
  return status === 'need-review' || status === 'force-review';
}

/** The outcome of a passage, as far as its reads are judged by it. */
export interface JudgedPassage {
  visitId: string | null;
  reason: DecisionReason;
}

/** Reasons that leave open which visit the car belonged to. */
const OPEN_REASONS: readonly DecisionReason[] = ['no-visit', 'ambiguous-visit', 'need-plate'];

/**
 * Whether a person must look at a read: it was of no use, or it left a question open. One rule for sites with an edge
 * daemon and without.
 *
 * @param passage of the read; null: of none
 */
export function needsReview(
  { plate, standing }: Pick<FoundPhoto['photo'], 'plate' | 'standing'>,
  passage: JudgedPassage | null,
): boolean {
  if (passage === null || plate === null) return true;
  // It stands still in view: people are advised of it by an alert.
  if (passage.visitId !== null || standing === 'parked') return false;
  return OPEN_REASONS.includes(passage.reason) || standing !== 'counts';
}

function picturePath(photoId: string): string {
  return `/photo/${photoId}/picture`;
}
