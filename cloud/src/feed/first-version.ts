import { changeForVersion } from '@hlid/protocol/first-version';
import { LIST_KINDS, type SiteChangeBody } from '@hlid/protocol/site-change';
import { versionOfSoftware } from '@hlid/protocol/version';
import type { Queries } from '../db/db.ts';
import { readPresence } from '../sites/site-store.ts';

/** Changes as the site can read them, by what it said of itself when it connected. */
export async function readableChanges(
  q: Queries,
  siteId: string,
  changes: readonly { n: number; kind: SiteChangeBody['kind']; change: string }[],
): Promise<readonly { n: number; change: string }[]> {
  if (changes.every(({ kind }) => LIST_KINDS.some((listed) => listed === kind))) return changes;
  const software = (await readPresence(q, siteId))?.software ?? null;
  // One that has never spoken will say what it reads before it asks.
  if (software === null) return changes;
  const version = versionOfSoftware(software);
  return changes.map(({ n, kind, change }) => ({ n, change: changeForVersion(version, kind, change) }));
}
