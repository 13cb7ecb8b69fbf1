import { TypedTextSchema } from '@hlid/protocol/base/card-number';
import { NameSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { CameraSettingsSchema } from '@hlid/protocol/records/lane';
import type { CameraItem } from '@hlid/protocol/site-link/site-change';
import { z } from '@hono/zod-openapi';
import { IdSchema } from '../../platform/http/input-fields.ts';
import { settingsEdit } from '../../platform/http/merge-settings.ts';
import type { CameraRow } from '../../records/cameras/camera-store.ts';

const fields = {
  name: NameSchema,
  brand: TypedTextSchema.max(100).nullable(),
  location: z.enum(['entrance', 'exit']),
  /** The camera's id in the site's own configuration. */
  remoteId: z.string().min(1).max(200),
  status: z.enum(['active', 'inactive']),
  siteId: IdSchema,
};

/** A score is 0 to 1; plates of `filters` are dropped, `*` stands for any characters and `?` for one. */
const { minimumOcrScore, filters } = CameraSettingsSchema.shape;
export const CameraConfigSchema = z
  .strictObject({
    minimumOcrScore,
    filters: z
      .array(z.string().max(50).overwrite(normaliseFilter).min(1))
      .max(200)
      .default(filters.parse(undefined)),
  })
  .meta({ id: 'CameraConfig', example: { minimumOcrScore: 0.7, filters: ['EXIT*'] } });

const example = {
  name: 'Entrance 1',
  brand: 'Survision',
  location: 'entrance' as const,
  remoteId: 'cam-in-1',
  config: { minimumOcrScore: 0.7, filters: [] },
};

export const NewCameraSchema = z
  .strictObject({
    ...fields,
    brand: fields.brand.optional(),
    status: fields.status.optional(),
    siteId: fields.siteId.optional().describe('Optional if there is only one site.'),
    config: CameraConfigSchema.optional(),
  })
  .meta({ id: 'NewCamera', example });
export type NewCamera = z.infer<typeof NewCameraSchema>;

export const CameraEditSchema = z
  .strictObject({
    ...fields,
    config: settingsEdit(CameraConfigSchema).meta({ id: 'CameraConfigEdit' }),
  })
  .partial()
  .meta({ id: 'CameraEdit', example: { config: { minimumOcrScore: 0.8 } } });
export type CameraEdit = z.infer<typeof CameraEditSchema>;

/** A camera as the API shows it. */
export const CameraSchema = z
  .strictObject({
    id: z.string(),
    ...fields,
    config: z.strictObject({ minimumOcrScore: z.number(), filters: z.array(z.string()) }),
    createdOn: UtcTimeSchema,
    modifiedOn: UtcTimeSchema,
  })
  .meta({ id: 'Camera' });
export type Camera = z.infer<typeof CameraSchema>;

export function cameraFrom(row: CameraRow): Camera {
  const { minimumOcrScore, filters, createdAt, modifiedAt, ...same } = row;
  return { ...same, config: { minimumOcrScore, filters }, createdOn: createdAt, modifiedOn: modifiedAt };
}

/** The part of a camera that its site needs. */
export function cameraItem({ id, remoteId, status, minimumOcrScore, filters }: CameraRow): CameraItem {
  return { id, remoteId, settings: { status, minimumOcrScore, filters } };
}

/** A filter in the form of a normalised plate, its wildcards kept. */
function normaliseFilter(filter: string): string {
  return filter
    .normalize('NFKC')
    .toUpperCase()
    .replace(/[^\p{L}\p{N}*?]/gu, '');
}
