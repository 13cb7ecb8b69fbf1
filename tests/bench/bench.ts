// `npm run bench`, or `npm run bench -- PART …`: how much of a bare floor's speed is left with all that Hlið does, and
// how others do the same job. Ratios count; absolute figures say as much about the machine.
import { argv } from 'node:process';
import { benchCloud } from './bench-cloud-rows.ts';
import { benchEdge } from './bench-edge-rows.ts';
import { benchLists, benchSiteLink } from './bench-site-rows.ts';
import { createBenchTable } from './bench-table.ts';
import { nodeRedIsInstalled } from './node-red.ts';

const table = createBenchTable();
const asked = argv.slice(2);

const PARTS = {
  edge: {
    title: 'Edge: camera document in, decided and on the disk, relay request out',
    run: () => benchEdge(table.add, { nodeRed: nodeRedIsInstalled() || asked.includes('node-red') }),
  },
  link: { title: 'Site link: full outbox, committed in the cloud', run: () => benchSiteLink(table.add) },
  lists: { title: 'Site lists: a snapshot of a million permits', run: () => benchLists(table.add) },
  cloud: { title: 'Cloud: lists, new visits and reports', run: () => benchCloud(table.add) },
};

const names = Object.keys(PARTS);
const unknown = asked.filter((name) => name !== 'node-red' && !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}: ${names.join(', ')}, or node-red (the edge beside Node-RED,
which is installed for that in tests/bench/node-red); without any, all of them.`);
  process.exitCode = 1;
} else {
  const isAsked = (name: string) =>
    asked.length === 0 || asked.includes(name) || (name === 'edge' && asked.includes('node-red'));
  for (const [name, { title, run }] of Object.entries(PARTS)) {
    if (!isAsked(name)) continue;
    console.log(`${title} …`);
    const from = performance.now();
    await run();
    console.log(`(${Math.round((performance.now() - from) / 1000)} s)`);
  }
  table.print();
}
