import type { Queries } from '../../platform/db/db.ts';
import { and, eq, type SQL } from '../../platform/db/sql.ts';
import { type OwnRows, sitesOf } from '../../platform/http/caller.ts';
import type { ListOrder } from '../../platform/http/keyset.ts';
import { countRows, listRows, ofSites, type PageOfRows } from '../../platform/http/list-rows.ts';
import {
  type ProposalRow,
  type ProposalState,
  matchProposalTable as t,
} from '../../records/matching/match-table.ts';

export interface ProposalFilters {
  siteId?: string | undefined;
  state?: ProposalState | undefined;
}

const ORDER: ListOrder = { at: t.createdAt, id: t.id };

/** Proposed pairs that the caller may see, newest first, beyond a place. */
export async function listProposals(
  q: Queries,
  filters: ProposalFilters,
  own: OwnRows,
  page: PageOfRows,
): Promise<ProposalRow[]> {
  return await listRows(q, t, ORDER, where(filters, own), page);
}

export async function countProposals(q: Queries, filters: ProposalFilters, own: OwnRows): Promise<number> {
  return await countRows(q, t, where(filters, own));
}

function where({ siteId, state }: ProposalFilters, own: OwnRows): SQL | undefined {
  return and(
    siteId === undefined ? undefined : eq(t.siteId, siteId),
    state === undefined ? undefined : eq(t.state, state),
    ofSites(t.siteId, sitesOf(own)),
  );
}
