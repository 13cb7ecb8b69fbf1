import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SiteSettingsSchema } from '@hlid/protocol/records/lane';
import type { Permit } from '@hlid/protocol/records/whitelist';
import { addToHash, EMPTY_HASH, itemText } from '@hlid/protocol/site-link/content-hash';
import { type SnapshotLine, SnapshotLineSchema } from '@hlid/protocol/site-link/edge-api';
import { type ChangeBatch, ChangeBatchSchema } from '@hlid/protocol/site-link/envelope';
import type { LIST_KINDS, SiteChange, SiteChangeBody } from '@hlid/protocol/site-link/site-change';
import { afterEach, beforeEach } from 'vitest';
import type { Db } from '../src/platform/db/db.ts';
import { openDb } from '../src/platform/db/libsql-db.ts';
import { type Actor, ALL_RIGHTS } from '../src/platform/http/caller.ts';
import { publishChange } from '../src/records/feed/publish-change.ts';
import { readFeed } from '../src/sites/feed/read-feed.ts';
import { readSnapshot, type SnapshotRequest } from '../src/sites/feed/snapshot.ts';
import { createSite } from '../src/sites/sites/change/change-sites.ts';

export const NOW = '2026-11-21T12:00:00.000Z';
const OPERATOR: Actor = {
  caller: {
    kind: 'account',
    accountId: 'a1',
    role: 'operator',
    customerId: null,
    tokenId: 't1',
    rights: ALL_RIGHTS,
  },
  at: NOW,
  requestId: 'test',
};
const FIELDS = {
  name: 'Harbour',
  timeZone: 'Atlantic/Reykjavik',
  currency: 'ISK',
  settings: SiteSettingsSchema.parse({}),
};

export function permit(id: string, plate = 'ABX12'): SiteChangeBody {
  const item: Permit = {
    id,
    plate,
    effect: 'allow',
    type: 'permanent',
    visitId: null,
    activeFrom: null,
    expireAt: null,
    status: 'active',
    rules: [],
  };
  return { kind: 'permit', op: 'put', id, item };
}

export const noPermit = (id: string): SiteChangeBody => ({ kind: 'permit', op: 'remove', id });

/** A site's lists as the site keeps them: only from what it receives. */
export class Lists {
  readonly items = new Map<string, { kind: (typeof LIST_KINDS)[number]; id: string; item: unknown }>();

  apply(changes: readonly Pick<SiteChange, 'change'>[]): void {
    for (const { change } of changes) {
      const { kind } = change;
      if (kind === 'settlement' || kind === 'visit-edit' || kind === 'visit' || kind === 'erase') continue;
      const key = `${change.kind} ${change.id}`;
      if (change.op === 'put') this.items.set(key, change);
      else this.items.delete(key);
    }
  }

  take(line: SnapshotLine): void {
    if (line.kind === 'change') this.apply([line]);
    else if ('item' in line && line.kind !== 'settlement' && line.kind !== 'visit') {
      this.items.set(`${line.kind} ${line.id}`, line);
    }
  }

  get hash(): string {
    const digests = [...this.items.values()].map(({ kind, id, item }) =>
      createHash('sha256')
        .update(itemText(kind, id, item))
        .digest('hex')
        .slice(0, 32),
    );
    return digests.reduce(addToHash, EMPTY_HASH);
  }
}

type OnPiece = (written: number) => Promise<void>;

/** A database of the cloud, new for each test of the file that calls this, and what sites receive from it. */
export function useFeeds() {
  let folder: string;
  const feeds = {
    db: undefined as unknown as Db,
    /** The same database, as another process has it. */
    openAgain: () => openDb(join(folder, 'cloud.db')),

    newSite: async () => (await createSite(feeds.db, OPERATOR, FIELDS)).site.id,
    publish: (sites: string, change: SiteChangeBody) =>
      feeds.db.write((tx) => publishChange(tx, sites, change)),

    async feedOf(siteId: string, after = 0, limit = 1000): Promise<ChangeBatch> {
      const read = await readFeed(feeds.db, siteId, after, limit);
      if (!read.ok) throw new Error(read.reason);
      return ChangeBatchSchema.parse(JSON.parse(read.batch));
    },

    async listsOf(siteId: string): Promise<Lists> {
      const lists = new Lists();
      lists.apply((await feeds.feedOf(siteId)).changes);
      return lists;
    },

    async snapshotOf(
      siteId: string,
      {
        onPiece = async (_written: number) => {},
        ...wanted
      }: Partial<SnapshotRequest> & { onPiece?: OnPiece } = {},
    ) {
      let text = '';
      let written = 0;
      const send = async (piece: string) => {
        text += piece;
        await onPiece(++written);
      };
      await readSnapshot(feeds.db, siteId, send, { siteHolds: 0, ...wanted });
      const lines = text
        .trimEnd()
        .split('\n')
        .map((line) => SnapshotLineSchema.parse(JSON.parse(line)));
      const heads = lines.filter((line) => line.kind === 'head');
      const end = lines.at(-1);
      const [first, head = first] = heads;
      if (lines[0] !== first || head === undefined || end?.kind !== 'end')
        throw new Error('a snapshot begins with head and ends with end');
      const lists = new Lists();
      for (const line of lines) lists.take(line);
      return { head, lists, lines: lines.filter(({ kind }) => kind !== 'head' && kind !== 'end'), end };
    },
  };

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'hlid-feed-'));
    feeds.db = await openDb(join(folder, 'cloud.db'));
  });
  afterEach(async () => {
    await feeds.db.close();
    rmSync(folder, { recursive: true });
  });
  return feeds;
}
