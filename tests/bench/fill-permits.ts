import { hash } from 'node:crypto';
import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import { createHashSum } from '@hlid/protocol/site-link/content-hash';
import Database from 'better-sqlite3';
import { benchPermit } from './bench-plates.ts';

/**
 * Writes permits for all sites straight into the cloud's lists, as if they had been published long ago. No
 * program has the database open. A site without them must take the snapshot.
 */
export function fillPermits(path: string, count: number): void {
  const db = new Database(path);
  db.pragma('synchronous = OFF');
  db.pragma('cache_size = -262144');
  const sum = createHashSum();
  const insert = db.prepare(
    "INSERT INTO feed_item (scope, kind, item_id, digest, item) VALUES ('*', 'permit', ?, ?, ?)",
  );
  db.transaction(() => {
    for (let number = 0; number < count; number++) {
      const permit = benchPermit(number);
      const item = canonicalJson(permit);
      const digest = hash('sha256', `permit ${permit.id} ${item}`, 'hex').slice(0, 32);
      sum.add(digest);
      insert.run(permit.id, digest, item);
    }
    const heads = db.prepare('SELECT scope, hash FROM feed_head').all() as { scope: string; hash: string }[];
    const move = db.prepare('UPDATE feed_head SET hash = ?, n = n + ?, compacted_to = n + ? WHERE scope = ?');
    if (!heads.some(({ scope }) => scope === '*')) {
      db.prepare("INSERT INTO feed_head (scope, n, hash, compacted_to) VALUES ('*', 0, ?, 0)").run(
        sum.hash(),
      );
    }
    for (const { scope, hash: before } of heads) {
      const whole = createHashSum();
      whole.add(before);
      whole.add(sum.hash());
      const reported = scope === '*' ? 0 : count;
      move.run(whole.hash(), reported, reported, scope);
    }
  })();
  db.pragma('wal_checkpoint(TRUNCATE)');
  db.close();
}
