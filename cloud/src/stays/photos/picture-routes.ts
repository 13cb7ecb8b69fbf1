import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { PictureKindSchema } from '@hlid/protocol/site-link/edge-api';
import { createRoute, z } from '@hono/zod-openapi';
import { locationTokenQuery } from '../../people/auth/query-tokens.ts';
import { byteRange } from '../../platform/http/byte-range.ts';
import { readableRows } from '../../platform/http/caller.ts';
import { type CloudContext, callerOf } from '../../platform/http/cloud-env.ts';
import { errorBody, notFound, REFUSALS, refusal } from '../../platform/http/errors.ts';
import { IdParamSchema, READ_REFUSALS } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import type { PhotoRow } from '../../records/photos/photo-store.ts';
import { findEntryPhoto, findPhoto } from './find-photos.ts';
import { pictureKey } from './storage/picture-key.ts';
import { SMALL_BYTES, Thumbnails } from './thumbnails.ts';

/** Typed as text, so that the handler may answer a stream. */
const JPEG: string = 'image/jpeg';
const PNG: string = 'image/png';
export const PICTURE_CONTENT = {
  [JPEG]: { schema: { type: 'string' as const, format: 'binary' } },
  [PNG]: { schema: { type: 'string' as const, format: 'binary' } },
};

const ShownKindSchema = z.enum([...PictureKindSchema.options, 'thumb']).meta({ id: 'ShownPictureKind' });
type ShownKind = z.infer<typeof ShownKindSchema>;

const pictureRoute = createRoute({
  method: 'get',
  path: '/photo/{id}/picture',
  tags: ['Photos'],
  summary: 'Get a photo’s picture, or a byte range of it',
  description: 'A kiosk sees the entry pictures of cars that are inside.',
  request: {
    params: IdParamSchema,
    query: z.strictObject({
      ...locationTokenQuery,
      kind: ShownKindSchema.default('vehicle').describe(
        'The picture of the vehicle, or of its plate alone; `thumb`: a small one of the vehicle, for lists.',
      ),
    }),
  },
  responses: {
    200: { description: 'The picture', content: PICTURE_CONTENT },
    206: { description: 'The range of `Range`', content: PICTURE_CONTENT },
    304: { description: 'Unchanged (`If-None-Match`)' },
    416: refusal('The picture ends before `Range`'),
    422: refusal('The picture is broken, or too large for a thumbnail'),
    ...REFUSALS.input,
    ...READ_REFUSALS,
  },
});

/** The headers of every answer with a picture. */
export const PICTURE_HEADERS = {
  'Accept-Ranges': 'bytes',
  // A picture is requested again each time, for it may have been erased; only the caller keeps it.
  'Cache-Control': 'private, no-cache',
  // The picture may be shown as an image, and whatever it contains, never run.
  'Content-Security-Policy':
    "default-src 'none'; img-src 'self'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  'Content-Disposition': 'inline',
};

export function pictureRoutes(context: CloudContext) {
  const { db, pictures } = context;
  const thumbnails = new Thumbnails(context);
  return createRouter().openapi(pictureRoute, async (c) => {
    const { id } = c.req.valid('param');
    const { kind } = c.req.valid('query');
    const caller = callerOf(c, 'account', 'location', 'role');
    const found = await db.read((q) =>
      caller.kind === 'role' && caller.role === 'kiosk'
        ? findEntryPhoto(q, id)
        : findPhoto(q, id, readableRows(caller)),
    );
    const { key, bytes } = pictureOf(found?.photo, kind);
    if (key === null || bytes === null) return notFound(c, 'picture');
    // A photo has one picture of each kind, which never changes.
    const tag = kind === 'vehicle' ? `"${id}"` : `"${id}-${kind}"`;
    const headers = { ...PICTURE_HEADERS, ETag: tag };
    if (namesTag(c.req.header('if-none-match'), tag)) return c.body(null, 304, headers);
    if (kind === 'thumb' && found && !isSmall(found.photo)) {
      const thumb = await thumbnails.get(found.photo);
      if (thumb === null) return notFound(c, 'picture');
      if (thumb === 'unreadable') return c.json(UNREADABLE, 422);
      const described = { ...headers, 'Content-Type': JPEG, 'Content-Length': String(thumb.byteLength) };
      return c.req.method === 'HEAD' ? c.body(null, 200, described) : c.body(thumb, 200, described);
    }
    const ifRange = c.req.header('if-range');
    const asked = ifRange === undefined || ifRange === tag ? c.req.header('range') : undefined;
    const range = byteRange(asked, bytes);
    if (range === null) return c.json(BEYOND, 416, { 'Content-Range': `bytes */${bytes}` });
    const part = range === 'all' ? null : range;
    const length = part === null ? bytes : part.to - part.from + 1;
    const described = {
      ...headers,
      'Content-Type': key.endsWith('.png') ? PNG : JPEG,
      'Content-Length': String(length),
      ...(part && { 'Content-Range': `bytes ${part.from}-${part.to}/${bytes}` }),
    };
    const status = part === null ? 200 : 206;
    // The stream would neither be read nor closed.
    if (c.req.method === 'HEAD') return c.body(null, status, described);
    const stored = await pictures.get(key, part ?? undefined);
    return stored === null ? notFound(c, 'picture') : c.body(stored.body, status, described);
  });
}

function pictureOf(
  photo: PhotoRow | undefined,
  kind: ShownKind,
): { key: string | null; bytes: number | null } {
  if (photo === undefined) return { key: null, bytes: null };
  return {
    key: pictureKey(photo, kind === 'plate' ? 'plate' : 'vehicle'),
    bytes: kind === 'plate' ? photo.plateBytes : photo.pictureBytes,
  };
}

/** Whether the picture is its own thumbnail. */
function isSmall({ pictureBytes }: PhotoRow): boolean {
  return pictureBytes !== null && pictureBytes <= SMALL_BYTES;
}

const UNREADABLE = errorBody('Unreadable picture', mistake('unreadable-picture'));

const BEYOND = errorBody('Range not satisfiable', mistake('range-beyond', 'Range'));

function namesTag(header: string | undefined, tag: string): boolean {
  const tags = header?.split(',').map((one) => one.trim().replace(/^W\//, '')) ?? [];
  return tags.includes(tag) || tags.includes('*');
}
