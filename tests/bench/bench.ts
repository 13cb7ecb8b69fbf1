// `npm run bench`: how much of a bare floor's speed is left with all that Hlið does. Ratios count; absolute figures
// say as much about the machine.
import { type BenchRow, benchCloud } from './bench-cloud-rows.ts';
import { benchDecision } from './edge-decision.ts';
import { benchLink } from './site-link.ts';

const rows: BenchRow[] = [];
const perSecond = (value: number) => `${Math.round(value)}/s`;
const share = (ours: number, floor: number) => (ours / floor).toFixed(2);

function add(row: BenchRow): void {
  rows.push(row);
  console.log(`${row.work}: ${row.ratio} (ours ${row.ours}, floor ${row.floor}; goal ${row.goal})`);
}

console.log('Edge: camera document in, decided and on the disk, relay request out …');
const decisions = new Map<string, { p50Ms: number }>();
for (const [permits, connections] of [
  [1000, 1],
  [1000, 10],
  [1_000_000, 10],
] as const) {
  const { ours, floor } = await benchDecision(permits, connections);
  const work = `decision, ${permits.toLocaleString('en')} permits, ${connections} connection${connections > 1 ? 's' : ''}`;
  decisions.set(`${permits}/${connections}`, ours);
  add({
    work: `${work}, throughput`,
    ours: perSecond(ours.perSecond),
    floor: perSecond(floor.perSecond),
    ratio: share(ours.perSecond, floor.perSecond),
    goal: '≥ 0.60',
  });
  for (const [name, mine, bare] of [
    ['p50', ours.p50Ms, floor.p50Ms],
    ['p99', ours.p99Ms, floor.p99Ms],
  ] as const) {
    add({
      work: `${work}, ${name}`,
      ours: `${mine.toFixed(2)} ms`,
      floor: `${bare.toFixed(2)} ms`,
      ratio: share(mine, bare),
      goal: name === 'p99' ? '≤ 2' : '–',
    });
  }
}
const few = decisions.get('1000/10');
const many = decisions.get('1000000/10');
if (few && many) {
  add({
    work: 'decision, 1,000 → 1,000,000 permits, p50',
    ours: `${many.p50Ms.toFixed(2)} ms`,
    floor: `${few.p50Ms.toFixed(2)} ms`,
    ratio: share(many.p50Ms, few.p50Ms),
    goal: '≤ 1.2',
  });
}

console.log('Site link: full outbox, committed in the cloud …');
const { visits, visitsPerSecond, floorVisitsPerSecond } = await benchLink(5000);
add({
  work: `site link, ${visits.toLocaleString('en')} visits`,
  ours: perSecond(visitsPerSecond),
  floor: perSecond(floorVisitsPerSecond),
  ratio: share(visitsPerSecond, floorVisitsPerSecond),
  goal: '≥ 0.40',
});

console.log('Cloud: lists, new visits and reports …');
await benchCloud(add);

console.table(rows);
