// `npm run bench`, or `npm run bench -- PART …`: how much of a bare floor's speed is left with all that Hlið does, and
// how others do the same job. Ratios count; absolute figures say as much about the machine.
import { argv } from 'node:process';
import { messageOf } from '@hlid/protocol/fault';
import { buildPrograms } from '../stage/build-programs.ts';
import { withDeadline } from '../stage/wait.ts';
import { benchCloud } from './bench-cloud-rows.ts';
import { benchEdge } from './bench-edge-rows.ts';
import { benchKiosk } from './bench-kiosk-rows.ts';
import { benchLists, benchSiteLink } from './bench-site-rows.ts';
import { createBenchTable } from './bench-table.ts';
import { benchPauses } from './cloud-pauses.ts';
import { nodeRedIsInstalled } from './node-red.ts';

const table = createBenchTable();
const asked = argv.slice(2);
const withNodeRed = nodeRedIsInstalled() || asked.includes('node-red');

/** Each with more time than it takes on a slow machine. */
const PARTS = {
  edge: {
    title: 'Edge: camera document in, decided and on the disk, relay request out',
    minutes: 12,
    run: () => benchEdge(table.add, { nodeRed: withNodeRed }),
  },
  link: {
    title: 'Site link: full outbox, committed in the cloud',
    minutes: 5,
    run: () => benchSiteLink(table.add),
  },
  lists: {
    title: 'Site lists: a snapshot of a million permits',
    minutes: 10,
    run: () => benchLists(table.add),
  },
  cloud: { title: 'Cloud: lists, new visits and reports', minutes: 20, run: () => benchCloud(table.add) },
  pauses: {
    title: 'Cloud: how long one request holds up all others',
    minutes: 15,
    run: () => benchPauses(table.add),
  },
  kiosk: { title: 'Kiosk: its page, its keys and a payment', minutes: 5, run: () => benchKiosk(table.add) },
};

const names = Object.keys(PARTS);
const unknown = asked.filter((name) => name !== 'node-red' && !names.includes(name));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.join(', ')}: ${names.join(', ')}, or node-red (the edge beside Node-RED,
which is installed for that in tests/bench/node-red); without any, all of them.`);
  process.exitCode = 1;
} else {
  const broken = await runParts();
  table.print();
  if (!withNodeRed) console.log('Not compared with Node-RED, which `npm run bench -- node-red` installs.');
  if (broken.length > 0) console.error(`Not measured to the end: ${broken.join(', ')}.`);
  // A part that is given up may be at work still; the programs that it started end with us.
  process.exit(broken.length > 0 ? 1 : 0);
}

/** @returns the parts that could not be measured */
async function runParts(): Promise<string[]> {
  const isAsked = (name: string) =>
    asked.length === 0 || asked.includes(name) || (name === 'edge' && asked.includes('node-red'));
  const broken: string[] = [];
  buildPrograms();
  for (const [name, { title, minutes, run }] of Object.entries(PARTS)) {
    if (!isAsked(name)) continue;
    console.log(`${title} …`);
    const from = performance.now();
    const withinMs = minutes * 60_000;
    await withDeadline(run(), { what: `the part ${name}`, withinMs }).catch((error: unknown) => {
      console.error(messageOf(error));
      broken.push(name);
    });
    console.log(`(${Math.round((performance.now() - from) / 1000)} s)`);
    // It goes on, and would be in the way of the others.
    if (performance.now() - from >= withinMs) break;
  }
  return broken;
}
