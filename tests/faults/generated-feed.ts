import { hash } from 'node:crypto';
import type { ParsedLine, ParsedPermit } from '@hlid/edge/site-lists/feed-book';
import { canonicalJson } from '@hlid/protocol/base/canonical-json';
import type { Permit } from '@hlid/protocol/records/whitelist';
import { createHashSum, itemText } from '@hlid/protocol/site-link/content-hash';
import type { SiteChange } from '@hlid/protocol/site-link/site-change';
import { benchPermit } from '../bench/bench-plates.ts';

/** Permits there are to begin with, and those that changes are about: some of them are not there yet. */
const FIRST = 6000;
const ALL = 8000;
const STEP = 7919;
/** The number of lines in a piece, as a connection delivers them. */
const LINES_A_PIECE = 70;

const markOf = (n: number) => String(n).padStart(16, '0');

/** A feed in which each change, and with it the list at each change, follows from its number alone. */
export function createGeneratedFeed() {
  const permits = new Map<string, Permit>();
  const sum = createHashSum();
  let at = 0;
  for (let number = 0; number < FIRST; number++) put(benchPermit(number));

  function put(permit: Permit): void {
    remove(permit.id);
    permits.set(permit.id, permit);
    sum.add(digest(permit));
  }
  function remove(id: string): void {
    const permit = permits.get(id);
    if (!permit) return;
    permits.delete(id);
    sum.take(digest(permit));
  }

  const feed = {
    change(n: number): SiteChange {
      const { id, ...permit } = benchPermit((n * STEP) % ALL);
      if (n % 5 === 0) return { n, mark: markOf(n), change: { kind: 'permit', op: 'remove', id } };
      const { plate } = benchPermit(n % 3 === 0 ? ALL + n : (n * STEP) % ALL);
      return {
        n,
        mark: markOf(n),
        change: { kind: 'permit', op: 'put', id, item: { ...permit, id, plate } },
      };
    },
    /** The list at a change; they are asked for in ascending order. */
    listAt(n: number): { hash: string; permits: ReadonlyMap<string, Permit> } {
      if (n < at) throw new RangeError(`the list at ${n} is over`);
      for (at++; at <= n; at++) {
        const { change } = feed.change(at);
        if (change.op === 'remove') remove(change.id);
        else if (change.kind === 'permit') put(change.item);
      }
      at = n;
      return { hash: sum.hash(), permits };
    },
    async *snapshot(n: number): AsyncGenerator<ParsedLine[]> {
      const list = feed.listAt(n);
      yield [{ kind: 'head', v: 1, n, hash: list.hash }];
      const sorted = [...list.permits.values()].sort((a, b) => (a.id < b.id ? -1 : 1));
      for (let at = 0; at < sorted.length; at += LINES_A_PIECE) {
        yield sorted.slice(at, at + LINES_A_PIECE).map(parsedPermit);
      }
      yield [{ kind: 'end', lines: sorted.length }];
    },
  };
  return feed;
}

function digest(permit: Permit): string {
  return hash('sha256', itemText('permit', permit.id, permit), 'hex').slice(0, 32);
}

function parsedPermit(permit: Permit): ParsedPermit {
  const { id, plate } = permit;
  return { kind: 'permit', id, plate, body: canonicalJson(permit) };
}
