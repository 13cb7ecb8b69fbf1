import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import type { Queries } from '../../platform/db/db.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import { PROPOSAL_STATES, type ProposalRow } from '../../records/matching/match-table.ts';
import type { FoundPhoto } from '../../records/photos/photo-store.ts';
import { siteOfVisit } from '../../records/sites/site-of-visit.ts';
import { findVisitRow } from '../../records/visits/find-visits.ts';
import type { VisitRow } from '../../records/visits/visit-table.ts';
import { findPhoto } from '../photos/find-photos.ts';
import { photoFrom } from '../photos/photo.ts';
import { alignPlates } from './align-plates.ts';
import { owedByMatch } from './end-at-match.ts';
import { ProposalActionsSchema } from './proposal-actions.ts';

export const ProposalStateSchema = z
  .enum(PROPOSAL_STATES)
  .describe(
    '`open`: a person is asked. `settled`: it was certain, and ended its visit by itself. `accepted`, `rejected`: as a person ' +
      'said. `undone`: it had ended its visit by itself, and a person took that back.',
  )
  .meta({ id: 'MatchProposalState' });

const PictureSchema = z
  .strictObject({
    photoId: z.string(),
    plate: z.string().nullable(),
    camera: z.string().describe('The name of the camera.'),
    url: z.string().nullable().describe('The path of the picture; null: none.'),
    plateUrl: z.string().nullable().describe('The path of a picture of the plate alone; null: none.'),
  })
  .meta({ id: 'MatchPicture' });

const PROBABILITY = z.number().min(0).max(1);

const SecondSchema = z
  .strictObject({
    visitId: z.string().describe('Another visit, or that of the pair.'),
    exitId: z.string().describe('The read at another exit, or that of the pair.'),
    plate: z.string().nullable().describe('The plate of what is not of the pair.'),
    on: UtcTimeSchema.nullable().describe('When that came in, or went out.'),
    probability: PROBABILITY,
  })
  .meta({ id: 'SecondMatch' });

const COST = z.strictObject({ amount: z.int().min(0), currency: z.string() }).meta({ id: 'MatchCost' });

export const MatchProposalSchema = z
  .strictObject({
    id: z.string(),
    siteId: z.string(),
    state: ProposalStateSchema,
    probability: PROBABILITY.describe('That the two are one car, all other cars of the site considered.'),
    visitId: z.string(),
    startedOn: UtcTimeSchema.nullable().describe('Null: the visit is erased.'),
    visitPlate: z.string().nullable(),
    entry: PictureSchema.nullable().describe('Null: no camera saw it come in, or the read is erased.'),
    exitId: z.string().describe('The photo’s.'),
    exit: PictureSchema.nullable(),
    exitOn: UtcTimeSchema.nullable(),
    characters: z
      .array(z.strictObject({ entry: z.string(), exit: z.string() }))
      .describe(
        'The two plates side by side, character by character. Empty text: one has no such character.',
      ),
    second: SecondSchema.nullable().describe('The likeliest other pair with one of the two.'),
    cost: COST.nullable().describe('What the visit owes if it is accepted; null: it is not open.'),
    createdOn: UtcTimeSchema,
    modifiedOn: UtcTimeSchema,
    by: z.string().describe('Who gave it its state.'),
    actions: ProposalActionsSchema,
  })
  .meta({
    id: 'MatchProposal',
    example: {
      id: '5c0d3ac5-6a5c-4b53-8f0e-3a1f0f3d2c15',
      siteId: '7c1a7d52-8a0f-4c58-9c8e-55c3f5ed9b02',
      state: 'open',
      probability: 0.93,
      visitId: '1c0d3ac5-6a5c-4b53-8f0e-3a1f0f3d2c16',
      startedOn: '2026-11-21T08:00:00.000Z',
      visitPlate: 'ABO12',
      entry: null,
      exitId: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11',
      exit: null,
      exitOn: '2026-11-21T09:30:00.000Z',
      characters: [
        { entry: 'A', exit: 'A' },
        { entry: 'B', exit: 'B' },
        { entry: 'O', exit: '0' },
      ],
      second: null,
      cost: { amount: 500, currency: 'ISK' },
      createdOn: '2026-11-21T09:45:00.000Z',
      modifiedOn: '2026-11-21T09:45:00.000Z',
      by: 'cloud:matching',
      actions: ['accept', 'reject'],
    },
  });
export type MatchProposal = z.infer<typeof MatchProposalSchema>;

type Picture = z.infer<typeof PictureSchema>;

/** A proposed pair as people see it, without what the caller can do. */
export async function proposalView(
  q: Queries,
  row: ProposalRow,
  now: string,
): Promise<Omit<MatchProposal, 'actions'>> {
  const visit = await findVisitRow(q, row.visitId, ALL_ROWS);
  const entry = visit?.entryReadId == null ? null : await findPhoto(q, visit.entryReadId, ALL_ROWS);
  const exit = await findPhoto(q, row.exitReadId, ALL_ROWS);
  const plates = { before: visit?.plate ?? '', now: exit?.photo.plate ?? '' };
  return {
    id: row.id,
    siteId: row.siteId,
    state: row.state,
    probability: row.probability,
    visitId: row.visitId,
    startedOn: visit?.startedAt ?? null,
    visitPlate: visit?.plate ?? null,
    entry: entry && pictureOf(entry),
    exitId: row.exitReadId,
    exit: exit && pictureOf(exit),
    exitOn: exit?.photo.receivedAt ?? null,
    characters: (alignPlates(plates.before, plates.now) ?? []).map((pair) => ({
      entry: pair.before,
      exit: pair.now,
    })),
    second: await secondOf(q, row),
    cost: await costOf(q, row, visit, exit, now),
    createdOn: row.createdAt,
    modifiedOn: row.modifiedAt,
    by: row.by,
  };
}

function pictureOf(found: FoundPhoto): Picture {
  const { id, plate, camera, url, plateUrl } = photoFrom(found);
  return { photoId: id, plate, camera: camera.name ?? camera.remoteId, url, plateUrl };
}

async function secondOf(
  q: Queries,
  { visitId, exitReadId, secondVisitId, secondExitReadId, secondProbability: probability }: ProposalRow,
): Promise<MatchProposal['second']> {
  if (secondVisitId === null || secondExitReadId === null) return null;
  const ids = { visitId: secondVisitId, exitId: secondExitReadId };
  if (secondExitReadId === exitReadId && secondVisitId !== visitId) {
    const other = await findVisitRow(q, secondVisitId, ALL_ROWS);
    return { ...ids, plate: other?.plate ?? null, on: other?.startedAt ?? null, probability };
  }
  const other = await findPhoto(q, secondExitReadId, ALL_ROWS);
  return { ...ids, plate: other?.photo.plate ?? null, on: other?.photo.receivedAt ?? null, probability };
}

async function costOf(
  q: Queries,
  { state }: ProposalRow,
  visit: VisitRow | null,
  exit: FoundPhoto | null,
  now: string,
): Promise<MatchProposal['cost']> {
  if (state !== 'open' || visit === null || visit.endedAt !== null || exit === null) return null;
  const site = await siteOfVisit(q, visit);
  const amount = await owedByMatch(q, visit, site, { exitAt: exit.photo.receivedAt, now });
  return { amount, currency: site.currency };
}
