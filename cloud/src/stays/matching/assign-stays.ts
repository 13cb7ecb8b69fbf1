import { munkres } from 'munkres';

/** How likely a car at an exit is one that came in. */
export interface LikelyPair {
  entryId: string;
  exitId: string;
  /** That the two are one car, with all others of the site weighed too. */
  probability: number;
  /** The greatest probability of another pair with one of the two. */
  rival: number;
  /** The likeliest of all ways to pair the cars of the site has this pair. */
  isBest: boolean;
}

export interface Edge {
  entryId: string;
  exitId: string;
  /** The logarithm of the odds against cars that no camera saw come in. */
  odds: number;
}

/** Less likely pairs than one in a thousand change nothing. */
export const MIN_ODDS = Math.log(0.001);
/** All ways of pairing are added up where one side of a group has at most as many cars: 2 to this power of sets. */
const MAX_COUNTED = 10;

/**
 * The likeliest pairs of a site as a whole: one car is of one pair at most, so a pair is less likely where another one
 * claims one of its cars.
 *
 * @param edges the possible pairs; those that are left out cannot be
 * @returns all of them, the likeliest first
 */
export function assignStays(edges: readonly Edge[]): LikelyPair[] {
  return groupsOf(edges)
    .flatMap(pairsOfGroup)
    .toSorted((one, other) => other.probability - one.probability);
}

/** The pairs that share cars, directly or through others. */
function groupsOf(edges: readonly Edge[]): Edge[][] {
  const parents = new Map<string, string>();
  const rootOf = (key: string): string => {
    let root = key;
    for (let up = parents.get(root); up !== undefined && up !== root; up = parents.get(root)) root = up;
    parents.set(key, root);
    return root;
  };
  for (const { entryId, exitId } of edges) parents.set(rootOf(`in ${entryId}`), rootOf(`out ${exitId}`));
  const groups = new Map<string, Edge[]>();
  for (const edge of edges) {
    const root = rootOf(`in ${edge.entryId}`);
    const group = groups.get(root);
    if (group === undefined) groups.set(root, [edge]);
    else group.push(edge);
  }
  return [...groups.values()];
}

function pairsOfGroup(edges: readonly Edge[]): LikelyPair[] {
  const best = bestOf(edges);
  const entries = new Set(edges.map(({ entryId }) => entryId)).size;
  const exits = new Set(edges.map(({ exitId }) => exitId)).size;
  const probabilities =
    Math.min(entries, exits) <= MAX_COUNTED
      ? countedShares(edges, entries <= exits)
      : lostShares(edges, best);
  return edges.map((edge, at) => ({
    entryId: edge.entryId,
    exitId: edge.exitId,
    probability: probabilities[at] ?? 0,
    rival: rivalOf(edge, edges, probabilities),
    isBest: best.has(edge),
  }));
}

function rivalOf(edge: Edge, edges: readonly Edge[], probabilities: readonly number[]): number {
  let rival = 0;
  for (const [at, other] of edges.entries()) {
    if (other === edge || (other.entryId !== edge.entryId && other.exitId !== edge.exitId)) continue;
    rival = Math.max(rival, probabilities[at] ?? 0);
  }
  return rival;
}

/** The pairs of the likeliest way to pair all; cars may stay without one. */
function bestOf(edges: readonly Edge[]): Set<Edge> {
  const good = edges.filter(({ odds }) => odds > 0);
  const [first] = good;
  if (first === undefined) return new Set();
  if (good.length === 1) return new Set([first]);
  const rows = [...new Set(good.map(({ exitId }) => exitId))];
  const columns = [...new Set(good.map(({ entryId }) => entryId))];
  const found = new Map(good.map((edge) => [`${edge.exitId} ${edge.entryId}`, edge]));
  const highest = Math.max(...good.map(({ odds }) => odds));
  // The columns after those of entries are for exits that stay alone.
  const costs = rows.map((exitId) => [
    ...columns.map((entryId) => highest - (found.get(`${exitId} ${entryId}`)?.odds ?? 0)),
    ...rows.map(() => highest),
  ]);
  const best = munkres(costs).flatMap(([row, column]) => found.get(`${rows[row]} ${columns[column]}`) ?? []);
  return new Set(best);
}

/**
 * The share that the ways with each pair have of all ways, each weighed by its odds. The cars of one side come one after
 * another, and the sets of the other side that may be taken by then are added up from both ends.
 */
function countedShares(edges: readonly Edge[], entriesAreSet: boolean): number[] {
  const placesOf = (keys: readonly string[]) => new Map([...new Set(keys)].map((key, at) => [key, at]));
  const setOf = placesOf(edges.map((edge) => (entriesAreSet ? edge.entryId : edge.exitId)));
  const rowOf = placesOf(edges.map((edge) => (entriesAreSet ? edge.exitId : edge.entryId)));
  const moves = Array.from({ length: rowOf.size }, (): { bit: number; weight: number; at: number }[] => []);
  for (const [at, { entryId, exitId, odds }] of edges.entries()) {
    const bit = 1 << (setOf.get(entriesAreSet ? entryId : exitId) ?? 0);
    moves[rowOf.get(entriesAreSet ? exitId : entryId) ?? 0]?.push({ bit, weight: Math.exp(odds), at });
  }
  const sets = 1 << setOf.size;
  const forward = [ones(sets, (set) => set === 0)];
  for (const row of moves) forward.push(forwardStep(forward.at(-1) ?? new Float64Array(), row));
  let back = ones(sets, () => true);
  const shares = edges.map(() => 0);
  const whole = sum(forward.at(-1) ?? new Float64Array());
  for (let row = moves.length - 1; row >= 0; row--) {
    const before = forward[row] ?? new Float64Array();
    for (const { bit, weight, at } of moves[row] ?? []) {
      let ways = 0;
      for (let set = 0; set < sets; set++) {
        if ((set & bit) === 0) ways += (before[set] ?? 0) * weight * (back[set | bit] ?? 0);
      }
      shares[at] = ways / whole;
    }
    back = backStep(back, moves[row] ?? []);
  }
  return shares;
}

type Move = { bit: number; weight: number };

function forwardStep(before: Float64Array, row: readonly Move[]): Float64Array {
  const after = Float64Array.from(before);
  for (const { bit, weight } of row) {
    for (let set = 0; set < before.length; set++) {
      if ((set & bit) === 0) after[set | bit] = (after[set | bit] ?? 0) + (before[set] ?? 0) * weight;
    }
  }
  return after;
}

function backStep(after: Float64Array, row: readonly Move[]): Float64Array {
  const before = Float64Array.from(after);
  for (const { bit, weight } of row) {
    for (let set = 0; set < after.length; set++) {
      if ((set & bit) === 0) before[set] = (before[set] ?? 0) + weight * (after[set | bit] ?? 0);
    }
  }
  return before;
}

function ones(length: number, isOne: (set: number) => boolean): Float64Array {
  return Float64Array.from({ length }, (_, set) => (isOne(set) ? 1 : 0));
}

function sum(numbers: Float64Array): number {
  return numbers.reduce((all, one) => all + one, 0);
}

/** The shares in a large group: by how much the best way is likelier than the best way without the pair. */
function lostShares(edges: readonly Edge[], best: ReadonlySet<Edge>): number[] {
  const whole = worth(best);
  return edges.map((edge) => {
    if (best.has(edge)) {
      const without = worth(bestOf(edges.filter((other) => other !== edge)));
      return 1 / (1 + Math.exp(without - whole));
    }
    const others = edges.filter(({ entryId, exitId }) => entryId !== edge.entryId && exitId !== edge.exitId);
    return 1 / (1 + Math.exp(whole - worth(bestOf(others)) - edge.odds));
  });
}

function worth(edges: ReadonlySet<Edge>): number {
  return [...edges].reduce((all, { odds }) => all + odds, 0);
}
