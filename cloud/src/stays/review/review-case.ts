import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { comparePlates } from '@hlid/protocol/plate/plate';
import { plateCharacters } from '@hlid/protocol/plate/plate-doubt';
import { PlateCandidateSchema } from '@hlid/protocol/plate/plate-read';
import { z } from '@hono/zod-openapi';
import type { Queries } from '../../platform/db/db.ts';
import {
  PLATE_EFFECTS,
  type PlateEffect,
  REVIEW_CAUSES,
  type ReviewCause,
} from '../../records/review/review-cause.ts';
import { visitsLike } from '../../records/visits/visits-like.ts';
import type { FoundPhoto } from '../photos/find-photos.ts';
import { photoFrom } from '../photos/photo.ts';

const NearbyVisitSchema = z
  .strictObject({
    id: z.string(),
    plate: z.string(),
    startedOn: UtcTimeSchema,
    inside: z.boolean().describe('Whether it was inside at the moment of the picture.'),
    match: z.enum(['equal', 'confusable', 'near']),
    matchedPlate: z.string().describe('The candidate that it resembles.'),
  })
  .meta({ id: 'NearbyVisit' });

const example = {
  id: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11',
  siteId: '7c1a7d52-8a0f-4c58-9c8e-55c3f5ed9b02',
  laneId: 'in-1',
  camera: { id: 'c1', name: 'Entrance 1', location: 'entrance' as const, remoteId: 'cam-in-1' },
  capturedOn: '2026-11-21T08:00:00.000Z',
  url: '/photo/0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11/picture',
  plateUrl: null,
  causes: ['no-visit' as const],
  plate: 'AB012',
  plateRaw: 'AB 012',
  country: 'IS',
  score: 0.71,
  characters: [
    { character: 'A', doubt: 0, others: [] },
    { character: 'B', doubt: 0, others: [] },
    { character: '0', doubt: 0.3, others: ['O'] },
    { character: '1', doubt: 0, others: [] },
    { character: '2', doubt: 0, others: [] },
  ],
  candidates: [
    { plate: 'AB012', score: 0.71 },
    { plate: 'ABO12', score: 0.3 },
  ],
  nearby: [],
  onPlate: 'visit-end' as const,
  claimedUntil: null,
};

/** A picture that needs a person, with what helps to decide. */
export const ReviewCaseSchema = z
  .strictObject({
    id: z.string().describe('The photo’s.'),
    siteId: z.string(),
    laneId: z.string(),
    camera: z.strictObject({
      id: z.string().nullable().describe('Null: not registered.'),
      name: z.string().nullable(),
      location: z.enum(['entrance', 'exit']).nullable(),
      remoteId: z.string(),
    }),
    capturedOn: UtcTimeSchema,
    url: z.string().nullable().describe('The path of the picture; null: none.'),
    plateUrl: z.string().nullable().describe('The path of a picture of the plate alone; null: none.'),
    causes: z.array(z.enum(REVIEW_CAUSES)).describe('Why it needs a person.'),
    plate: z.string().nullable().describe('The plate as the camera read it; null: unreadable.'),
    plateRaw: z.string().describe('The text of the camera, unchanged.'),
    country: z.string().nullable(),
    score: z.number().min(0).max(1),
    characters: z
      .array(
        z.strictObject({
          character: z.string(),
          doubt: z.number().min(0).max(1).describe('0: no candidate has anything else here.'),
          others: z.array(z.string()).describe('What others have here, the likeliest first.'),
        }),
      )
      .describe('The plate character by character.'),
    candidates: z.array(PlateCandidateSchema).describe('Best first.'),
    nearby: z
      .array(NearbyVisitSchema)
      .describe('Visits of that time with plates like the candidates, the most alike first.'),
    onPlate: z
      .enum(PLATE_EFFECTS)
      .describe(
        'What the answer `plate` does. `visit-plate`: its visit gets the plate, and ends if that plate was seen at an ' +
          'exit. `visit-end`: the open visit of that plate ends at the time of the picture. `photo-only`: no visit changes.',
      ),
    claimedUntil: UtcTimeSchema.nullable().describe('Until then it is the caller’s; null: it is free.'),
  })
  .meta({ id: 'ReviewCase', example });
export type ReviewCase = z.infer<typeof ReviewCaseSchema>;

/** A picture as a person sees it: `read` is the camera's reading, even if a person has corrected it since. */
export interface CaseFacts {
  found: FoundPhoto;
  read: string | null;
  /** The visit that it belonged to before any answer. */
  visitId: string | null;
  causes: ReviewCause[];
  plateEffect: PlateEffect;
  claimedUntil: string | null;
}

export async function caseFrom(q: Queries, facts: CaseFacts): Promise<ReviewCase> {
  const { found, read, causes, plateEffect, claimedUntil } = facts;
  const { siteId, laneId, receivedAt } = found.photo;
  const { id, camera, capturedOn, url, plateUrl, plateRaw, country, score, candidates } = photoFrom(found);
  return {
    id,
    siteId,
    laneId,
    camera,
    capturedOn,
    url,
    plateUrl,
    causes,
    plate: read,
    plateRaw,
    country,
    score,
    candidates,
    onPlate: plateEffect,
    claimedUntil,
    characters: read === null ? [] : plateCharacters(read, score, candidates),
    nearby: await nearbyVisits(q, facts, { siteId, at: receivedAt }),
  };
}

const MAX_CANDIDATES = 5;
const MAX_NEARBY = 6;
const ORDER = ['equal', 'confusable', 'near'] as const;

async function nearbyVisits(
  q: Queries,
  { found, read, visitId }: CaseFacts,
  where: { siteId: string; at: string },
): Promise<ReviewCase['nearby']> {
  const guesses = found.photo.candidates.map(({ plate }) => plate);
  const plates = [...new Set([...(read === null ? [] : [read]), ...guesses])].slice(0, MAX_CANDIDATES);
  if (plates.length === 0) return [];
  const visits = await visitsLike(q, { ...where, plates });
  const nearby = visits.flatMap(({ id, plate, startedAt, endedAt }) => {
    const best = plates
      .map((matchedPlate) => ({ matchedPlate, match: comparePlates(matchedPlate, plate) }))
      .sort((a, b) => rankOf(a.match) - rankOf(b.match))[0];
    if (id === visitId || best === undefined || best.match === 'different') return [];
    const inside = endedAt === null || endedAt >= where.at;
    return [{ id, plate, startedOn: startedAt, inside, match: best.match, matchedPlate: best.matchedPlate }];
  });
  return nearby
    .sort(
      (a, b) =>
        Number(b.inside) - Number(a.inside) ||
        rankOf(a.match) - rankOf(b.match) ||
        (a.startedOn < b.startedOn ? 1 : -1),
    )
    .slice(0, MAX_NEARBY);
}

function rankOf(match: ReturnType<typeof comparePlates>): number {
  return match === 'different' ? ORDER.length : ORDER.indexOf(match);
}
