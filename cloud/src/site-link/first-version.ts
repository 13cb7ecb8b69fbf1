import { changeForVersion } from '@hlid/protocol/first-version';
import type { SiteChangeBody } from '@hlid/protocol/site-change';
import { FIRST_VERSION, versionOfSoftware } from '@hlid/protocol/version';
import type { Queries } from '../db/db.ts';
import { readPresence } from '../sites/site-store.ts';

/** Changes as the site can read them, by what it said of itself when it connected; `mark` empty: not to be said. */
export async function readableChanges(
  q: Queries,
  siteId: string,
  changes: readonly { n: number; mark: string; kind: SiteChangeBody['kind']; change: string }[],
): Promise<readonly { n: number; mark: string; change: string }[]> {
  if (changes.length === 0) return changes;
  const software = (await readPresence(q, siteId))?.software ?? null;
  // One that has never spoken will say what it reads before it asks.
  if (software === null) return changes.map((change) => ({ ...change, mark: '' }));
  const version = versionOfSoftware(software);
  if (version > FIRST_VERSION) return changes;
  return changes.map(({ n, kind, change }) => ({
    n,
    mark: '',
    change: changeForVersion(version, kind, change),
  }));
}
