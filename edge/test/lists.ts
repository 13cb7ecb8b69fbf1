import { contentDigest } from '@hlid/node/digest';
import { newId } from '@hlid/node/new-id';
import { Fault } from '@hlid/protocol/base/fault';
import { addToHash, EMPTY_HASH, itemText, takeFromHash } from '@hlid/protocol/site-link/content-hash';
import type { SiteChange, ZoneItem } from '@hlid/protocol/site-link/site-change';
import type { EventSource } from '../src/outbox/event-source.ts';
import { type FeedBook, notAddingUp, type ParsedChange } from '../src/site-lists/feed-book.ts';

const AT = '2026-11-21T12:00:00.000Z';

/** Change number n of a feed of seven zones that are put, altered and taken away by turns; and what it replaces. */
export function zoneChange(
  n: number,
  feed: readonly SiteChange[],
): { change: SiteChange; before: SiteChange | null } {
  const id = `zone-${n % 7}`;
  const last = feed.findLast(({ change }) => change.id === id) ?? null;
  const before = last?.change.op === 'put' ? last : null;
  const item: ZoneItem = { id, name: `Zone ${n}`, capacity: n };
  const removes = before !== null && n % 5 === 0;
  return {
    before,
    change: {
      n,
      mark: markOf(n),
      change: removes ? { kind: 'zone', op: 'remove', id } : { kind: 'zone', op: 'put', id, item },
    },
  };
}

/** A site's lists in memory. */
export function createTestFeedBook() {
  let position = { n: 0, hash: EMPTY_HASH };
  let zones = new Map<string, ZoneItem>();
  let applying = false;

  const digest = (item: ZoneItem) => contentDigest(itemText('zone', item.id, item));
  const hashOf = (items: Iterable<ZoneItem>) =>
    [...items].reduce((hash, item) => addToHash(hash, digest(item)), EMPTY_HASH);

  const book = {
    /** The number of next writes that fail, as on a full disk. */
    failures: 0,
    /** The number of next snapshots that come out wrong. */
    damaged: 0,
    snapshots: 0,
    zones: () => [...zones.values()].map(({ name }) => name).sort(),
    position: () => position,
    mark: () => (position.n === 0 ? null : markOf(position.n)),
    /** The visits that are open are taken over with the next snapshot. */
    unaware: false,
    wantsVisits: () => book.unaware,
    apply(changes: readonly ParsedChange[]) {
      if (applying) throw new Error('two writes at once');
      if (book.failures-- > 0) throw new Error('disk full');
      let { n, hash } = position;
      const next = new Map(zones);
      for (const { n: number, change } of changes) {
        if (number !== n + 1) throw new Fault('peer-misbehaved', 'a gap');
        if (change?.kind !== 'zone') throw new Error('only zones are in the test lists');
        const before = next.get(change.id);
        if (before) hash = takeFromHash(hash, digest(before));
        if (change.op === 'remove') next.delete(change.id);
        else {
          next.set(change.id, change.item);
          hash = addToHash(hash, digest(change.item));
        }
        n = number;
      }
      zones = next;
      position = { n, hash };
      return position;
    },
    async replace(pieces: Parameters<FeedBook['replace']>[0]) {
      applying = true;
      try {
        const next = new Map<string, ZoneItem>();
        let head = { n: -1, hash: '' };
        let end = -1;
        for await (const piece of pieces) {
          for (const line of piece) {
            if (line.kind === 'head') head = { n: line.n, hash: line.hash };
            else if (line.kind === 'zone') next.set(line.id, line.item);
            else if (line.kind === 'end') end = line.lines;
          }
        }
        const damaged = book.damaged-- > 0;
        if (end !== next.size || damaged || head.hash !== hashOf(next.values())) {
          throw notAddingUp('the snapshot does not add up');
        }
        zones = next;
        position = head;
        book.snapshots++;
        book.unaware = false;
        return position;
      } finally {
        applying = false;
      }
    },
    /** An error on the site's disk that was not noticed. */
    corrupt() {
      zones.delete([...zones.keys()][0] ?? '');
      position = { n: position.n, hash: hashOf(zones.values()) };
    },
  };
  return book satisfies FeedBook;
}

/** The mark of a change of the test feed. */
export const markOf = (n: number) => String(n).padStart(16, '0');

export const TEST_EPOCH = '01933333-7777-7777-8777-123456789abc';

/** An event log in memory. */
export function createTestEvents() {
  const events: string[] = [];
  const listeners = new Set<() => void>();
  let acknowledged = 0;
  let forgotten = 0;
  let unconfirmedFrom: number | null = null;
  const source = {
    epoch: TEST_EPOCH,
    digestOf: (seq: number) => {
      const json = events[seq - 1];
      return json === undefined ? null : contentDigest(json);
    },
    confirm() {
      unconfirmedFrom = null;
    },
    /** The database was put back when it had this number of events. */
    partAt(seq: number) {
      unconfirmedFrom = seq;
    },
    async startNewEpoch({ knownUpTo = unconfirmedFrom ?? acknowledged } = {}) {
      const kept = events.splice(0).slice(Math.max(knownUpTo, forgotten));
      events.push(...kept.map((json, at) => JSON.stringify({ ...JSON.parse(json), seq: at + 1 })));
      source.epoch = newId();
      acknowledged = 0;
      forgotten = 0;
    },
    lastSeq: () => events.length,
    acknowledged: () => acknowledged,
    after(seq: number, maxEvents: number, maxBytes: number) {
      const batch: { seq: number; json: string }[] = [];
      let bytes = 0;
      for (let at = Math.max(seq, forgotten); at < events.length && batch.length < maxEvents; at++) {
        const json = events[at] ?? '';
        bytes += json.length;
        if (batch.length > 0 && bytes > maxBytes) break;
        batch.push({ seq: at + 1, json });
      }
      return batch;
    },
    acknowledge(committed: number) {
      acknowledged = committed;
    },
    onAppended(listener: () => void) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    append(many: number, detail = 'x') {
      for (let made = 0; made < many; made++) {
        events.push(
          JSON.stringify({
            seq: events.length + 1,
            at: AT,
            body: { type: 'device.changed', deviceId: 'cam', kind: 'camera', state: 'ok', detail, since: AT },
          }),
        );
      }
      for (const listener of listeners) listener();
    },
    forget(upTo: number) {
      forgotten = upTo;
    },
    /** Puts back an old copy of the database. */
    setBack(to: number) {
      events.length = to;
      acknowledged = Math.min(acknowledged, to);
    },
  };
  return source satisfies EventSource;
}
