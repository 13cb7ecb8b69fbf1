import { type BenchRow, count, mb, ms, perSecond } from './bench-table.ts';
import { benchLink } from './site-link.ts';
import { benchSnapshot, type SnapshotSize } from './snapshot.ts';

const VISITS = 5000;
const LISTS: SnapshotSize = { permits: 1_000_000, warmCars: 250, settlingCars: 150, idleCars: 500 };
/** The highest memory of the edge for a moment. */
const MAX_MB = 150;

/** A full outbox on its way to the cloud. */
export async function benchSiteLink(add: (row: BenchRow) => void, size = VISITS): Promise<void> {
  const { visits, visitsPerSecond, floorVisitsPerSecond } = await benchLink(size);
  add({
    work: `site link, ${count(visits)} visits committed in the cloud`,
    ours: perSecond(visitsPerSecond),
    against: `floor ${perSecond(floorVisitsPerSecond)}`,
    ratio: visitsPerSecond / floorVisitsPerSecond,
    goal: { atLeast: 0.4 },
  });
}

/** A long whitelist on its way to a site, and the gates meanwhile. */
export async function benchLists(add: (row: BenchRow) => void, size = LISTS): Promise<void> {
  const { seconds, floorSeconds, during, idle, maxMb } = await benchSnapshot(size);
  add({
    work: `lists, snapshot of ${count(size.permits)} permits`,
    ours: `${seconds.toFixed(1)} s`,
    against: `floor ${floorSeconds.toFixed(1)} s`,
    ratio: floorSeconds / seconds,
    goal: { atLeast: 0.3 },
  });
  for (const [name, figure] of [
    ['p50', 'p50Ms'],
    ['p99', 'p99Ms'],
  ] as const) {
    add({
      work: `lists, gates while a snapshot comes in, 50 cars a second, ${name}`,
      ours: ms(during[figure]),
      against: `idle ${ms(idle[figure])}`,
      ratio: during[figure] / idle[figure],
      goal: { atMost: 2 },
    });
  }
  add({
    work: 'lists, edge at most resident while the snapshot comes in',
    ours: mb(maxMb),
    against: mb(MAX_MB),
    ratio: maxMb / MAX_MB,
    goal: null,
  });
}
