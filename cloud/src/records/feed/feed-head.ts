import { EMPTY_HASH } from '@hlid/protocol/site-link/content-hash';
import type { Queries } from '../../platform/db/db.ts';
import { prepared } from '../../platform/db/prepared.ts';
import { eqPlaceholder } from '../../platform/db/sql.ts';
import { feedHeadTable } from './feed-table.ts';

const headOf = prepared((q) =>
  q
    .select({ n: feedHeadTable.n, hash: feedHeadTable.hash, compactedTo: feedHeadTable.compactedTo })
    .from(feedHeadTable)
    .where(eqPlaceholder(feedHeadTable.scope, 'scope'))
    .prepare(),
);

/** The head of a site's feed; a feed without changes is empty. */
export async function readHead(q: Queries, scope: string): Promise<FeedState> {
  return (await headOf(q).get({ scope })) ?? { n: 0, hash: EMPTY_HASH, compactedTo: 0 };
}

export interface FeedState {
  n: number;
  hash: string;
  compactedTo: number;
}
