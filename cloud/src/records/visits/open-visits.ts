import { comparePlates, findByPlate, foldPlate } from '@hlid/protocol/plate/plate';
import type { SeenPlate } from '@hlid/protocol/rules/lane-facts';
import { listed } from '../../platform/db/compact-columns.ts';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { and, desc, eqPlaceholder, inArray, isNotNull, isNull, lte, sql } from '../../platform/db/sql.ts';
import { ALL_ROWS } from '../../platform/http/caller.ts';
import { ofSite } from '../../platform/http/list-rows.ts';
import { findVisitRow } from './find-visits.ts';
import { visitTable as t, type VisitRow } from './visit-table.ts';

/** Guesses beyond these are noise. */
const MAX_CANDIDATES = 5;

/** A visit, and how well its plate fits the one that was seen. */
export interface FoundOpenVisit {
  visit: VisitRow;
  foundBy: 'equal' | 'confusable' | 'near';
  /** The plate that was seen has a separate permit, which did not admit this visit. */
  hasOwnPermit?: boolean;
}

const openByPlate = prepared((q) =>
  q
    .select()
    .from(t)
    .where(
      and(
        eqPlaceholder(t.plate, 'plate'),
        // A site can have thousands of open visits, a plate has few.
        ofSite(t.siteId, sql.placeholder('siteId')),
        isNull(t.endedAt),
        lte(t.startedAt, sql.placeholder('by')),
      ),
    )
    .orderBy(t.startedAt)
    .limit(1)
    .prepare(),
);

const openPlates = prepared((q) =>
  q
    .select(listed({ id: t.id, plate: t.plate }))
    .from(t)
    .where(
      and(
        eqPlaceholder(t.siteId, 'siteId'),
        isNull(t.endedAt),
        isNotNull(t.plate),
        lte(t.startedAt, sql.placeholder('by')),
      ),
    )
    .prepare(),
);

/** The open visit of exactly this plate that had begun by then. */
export async function openVisitOf(
  q: Queries,
  siteId: string,
  plate: string,
  by: string,
): Promise<VisitRow | null> {
  return (await openByPlate(q).get({ siteId, plate, by })) ?? null;
}

/**
 * The open visit that a vehicle at the exit ends: equal, then confusable, then near, each only if unique. The
 * quality of the match is that of the plate that was read, not of a guess at it.
 */
export async function findOpenVisit(
  q: Queries,
  siteId: string,
  { plate, candidates }: Pick<SeenPlate, 'plate' | 'candidates'>,
  by: string,
): Promise<FoundOpenVisit | 'ambiguous' | null> {
  if (plate === null) return null;
  const equal = await openVisitOf(q, siteId, plate, by);
  if (equal) return { visit: equal, foundBy: 'equal' };
  const guesses = [plate, ...candidates.filter((guess) => guess !== plate)].slice(0, MAX_CANDIDATES);
  const alike = await openLike(q, siteId, guesses, by);
  const found =
    findByPlate(guesses, alike, (visit) => visit.plate, 'confusable') ??
    findByPlate(guesses, await openPlates(q).all({ siteId, by }), (visit) => visit.plate);
  if (found === null || found === 'ambiguous') return found;
  const visit = await findVisitRow(q, found.item.id, ALL_ROWS);
  if (visit === null) return null;
  const match = comparePlates(plate, visit.plate ?? '');
  return { visit, foundBy: match === 'confusable' ? 'confusable' : 'near' };
}

const endedLast = prepared((q) =>
  q
    .select({ endedAt: t.endedAt, paidUntil: t.paidUntil })
    .from(t)
    .where(
      and(eqPlaceholder(t.plate, 'plate'), ofSite(t.siteId, sql.placeholder('siteId')), isNotNull(t.endedAt)),
    )
    .orderBy(desc(t.startedAt))
    .limit(1)
    .prepare(),
);

/** The visit of exactly this plate that came last, of those that have ended. */
export async function lastEndedOf(
  q: Queries,
  siteId: string,
  plate: string,
): Promise<Pick<VisitRow, 'endedAt' | 'paidUntil'> | null> {
  return (await endedLast(q).get({ siteId, plate })) ?? null;
}

async function openLike(
  q: Queries,
  siteId: string,
  plates: readonly string[],
  by: string,
): Promise<{ id: string; plate: string | null }[]> {
  const keys = [...new Set(plates.map(foldPlate))];
  return await q
    .select(listed({ id: t.id, plate: t.plate }))
    .from(t)
    .where(
      and(inArray(t.plateFolded, keys), ofSite(t.siteId, siteId), isNull(t.endedAt), lte(t.startedAt, by)),
    );
}
