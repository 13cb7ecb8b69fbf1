import type { RolloutOutcome } from '@hlid/cloud/records/rollouts/rollout-words';

/** The outcomes of sites in five groups, in the order in which they are shown. */
export const GROUPS = ['done', 'failed', 'under-way', 'waiting', 'withdrawn'] as const;
export type RolloutGroup = (typeof GROUPS)[number];

const GROUP_OF: Readonly<Record<RolloutOutcome, RolloutGroup>> = {
  stuck: 'failed',
  'went-back': 'failed',
  refused: 'failed',
  skipped: 'failed',
  ordered: 'under-way',
  downloading: 'under-way',
  working: 'under-way',
  installing: 'under-way',
  waiting: 'waiting',
  done: 'done',
  'up-to-date': 'done',
  withdrawn: 'withdrawn',
};

interface SiteOfRing {
  ring: number;
  outcome: RolloutOutcome;
}

export function groupOf(outcome: RolloutOutcome): RolloutGroup {
  return GROUP_OF[outcome];
}

/** How many sites are in each group. */
export type GroupCounts = Readonly<Record<RolloutGroup, number>>;

export function groupCounts(counts: readonly { outcome: RolloutOutcome; sites: number }[]): GroupCounts {
  const sums = { failed: 0, 'under-way': 0, waiting: 0, done: 0, withdrawn: 0 };
  for (const { outcome, sites } of counts) sums[groupOf(outcome)] += sites;
  return sums;
}

/** The rings of a rollout, ascending, each with how far its sites are. */
export function ringsOf(
  sites: readonly SiteOfRing[],
): { ring: number; total: number; counts: GroupCounts }[] {
  const rings = [...new Set(sites.map(({ ring }) => ring))].sort((a, b) => a - b);
  return rings.map((ring) => {
    const own = sites.filter((site) => site.ring === ring);
    return { ring, total: own.length, counts: groupCounts(own.map((site) => ({ ...site, sites: 1 }))) };
  });
}

/** Failures first; within that the order of the cloud, by ring and name. */
export function failuresFirst<Site extends SiteOfRing>(sites: readonly Site[]): Site[] {
  const rank = ({ outcome }: Site) => (groupOf(outcome) === 'failed' ? 0 : 1);
  return sites.toSorted((a, b) => rank(a) - rank(b));
}
