// `npm run bench`, or `npm run bench -- PART …`: the part of a bare floor's speed that is left with all that
// Hlið does, and how others do the same job. Ratios count; absolute figures depend as much on the machine.

import { argv } from 'node:process';
import { messageOf } from '@hlid/protocol/base/fault';
import { nearestWord } from '@hlid/protocol/base/nearest-word';
import { VERSION } from '@hlid/protocol/base/version';
import {
  defineCommand,
  EXIT,
  flag,
  operandList,
  option,
  type Program,
} from '@hlid/protocol/command-line/command';
import { processShell } from '@hlid/protocol/command-line/process-shell';
import { runProgram } from '@hlid/protocol/command-line/program';
import { z } from 'zod';
import { buildPrograms } from '../harness/build-programs.ts';
import { withDeadline } from '../harness/wait.ts';
import { benchBackup } from './bench-backup-rows.ts';
import { benchBytes } from './bench-bytes-rows.ts';
import { benchCloud } from './bench-cloud-rows.ts';
import { benchConsole } from './bench-console-rows.ts';
import { benchDirectus } from './bench-directus-rows.ts';
import { benchEdge } from './bench-edge-rows.ts';
import { benchKiosk } from './bench-kiosk-rows.ts';
import { benchReports } from './bench-report-rows.ts';
import { benchLists, benchSiteLink } from './bench-site-rows.ts';
import { createBenchTable } from './bench-table.ts';
import { benchPauses } from './cloud-pauses.ts';
import { benchMatching } from './matching/bench-matching-rows.ts';
import { nodeRedIsInstalled } from './node-red.ts';
import { benchScale, USUAL_STEPS } from './scale/bench-scale-rows.ts';

const table = createBenchTable();
const withNodeRed = nodeRedIsInstalled() || argv.includes('node-red');

interface Part {
  title: string;
  minutes: number;
  run(steps: readonly number[]): Promise<void>;
}

/** Each with more time than it takes on a slow machine. */
const PARTS: Readonly<Record<string, Part>> = {
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
  directus: {
    title: 'Cloud: the same work beside Directus, which is installed for that in tests/bench/directus',
    minutes: 40,
    run: () => benchDirectus(table.add, { isAsked: argv.includes('directus') }),
  },
  reports: {
    title: 'Cloud: reports of managers, with a million visits',
    minutes: 10,
    run: () => benchReports(table.add),
  },
  pauses: {
    title: 'Cloud: how long one request holds up all others',
    minutes: 15,
    run: () => benchPauses(table.add),
  },
  backup: {
    title: 'Cloud: a backup while it works, and its restore',
    minutes: 15,
    run: () => benchBackup(table.add),
  },
  console: {
    title: 'Console: lists, search, streams of events, its page',
    minutes: 12,
    run: () => benchConsole(table.add),
  },
  bytes: {
    title: 'Bytes on disk for each visit, in the cloud and at the edge',
    minutes: 10,
    run: () => benchBytes(table.add),
  },
  scale: {
    title: 'A country’s years: 500 sites, and how everything grows with the visits',
    minutes: 600,
    run: (steps) => benchScale(table.add, steps),
  },
  matching: {
    title: 'Matching without gates: a generated year of ten car parks, of which the truth is known',
    minutes: 20,
    run: () => benchMatching(table.add),
  },
  kiosk: { title: 'Kiosk: its page, its keys and a payment', minutes: 5, run: () => benchKiosk(table.add) },
};

const names = [...Object.keys(PARTS), 'node-red'];

const StepsSchema = z
  .string()
  .regex(/^\d+(,\d+)*$/)
  .transform((text) => text.split(',').map(Number))
  .pipe(z.array(z.int().min(10_000)));

const BENCH: Program = {
  software: `hlid-bench/${VERSION}`,
  title: 'the benchmarks',
  typed: 'npm run bench --',
  commands: [
    defineCommand({
      name: '',
      operand: operandList('PART'),
      summary: 'How much of a bare floor’s speed is left with all that Hlið does',
      about: `Without a PART: all of them. PART is one of
${Object.entries(PARTS)
  .map(([name, { title }]) => `  ${name.padEnd(8)} ${title}`)
  .join('\n')}
  node-red the edge beside Node-RED, which is installed for that in tests/bench/node-red
The table comes in a pipe too; --json prints its rows instead, when all is measured.`,
      // The table is written in a pipe too: it has no --text.
      isService: true,
      options: {
        visits: option(
          'N[,N…]',
          `for the part scale: the sizes to measure; default ${USUAL_STEPS.join()}; a million needs some 7 GB, and as much again for its backup`,
          StepsSchema,
        ),
        json: flag('the rows of the table as JSON on standard output, all else on standard error'),
      },
      examples: ['', 'edge link', 'cloud --json', 'scale --visits 1000000,5000000'],
      check({ operand: asked }) {
        return asked
          .filter((name) => !names.includes(name))
          .map((name) => {
            const meant = nearestWord(name, names);
            const hint = meant === null ? `there are: ${names.join(', ')}` : `did you mean ${meant}?`;
            return `there is no part ${name}; ${hint}`;
          });
      },
      async run({ operand: asked, options }) {
        if (options.json) console.log = console.error;
        const broken = await runParts(asked, options.visits ?? USUAL_STEPS);
        if (options.json) table.printJson();
        else table.print();
        if (!withNodeRed)
          console.log('Not compared with Node-RED, which `npm run bench -- node-red` installs.');
        if (broken.length > 0) console.error(`Not measured to the end: ${broken.join(', ')}.`);
        return broken.length > 0 ? EXIT.failed : EXIT.done;
      },
    }),
  ],
  environment: [],
};

const code = await runProgram(BENCH, argv.slice(2), processShell(process));
// A part that is given up may be at work still; the programs that it started end with us.
process.exit(code);

/** @returns the parts that could not be measured */
async function runParts(asked: readonly string[], steps: readonly number[]): Promise<string[]> {
  const isAsked = (name: string) =>
    asked.length === 0 || asked.includes(name) || (name === 'edge' && asked.includes('node-red'));
  const broken: string[] = [];
  buildPrograms();
  for (const [name, { title, minutes, run }] of Object.entries(PARTS)) {
    if (!isAsked(name)) continue;
    console.log(`${title} …`);
    const from = performance.now();
    const withinMs = minutes * 60_000;
    await withDeadline(run(steps), { what: `the part ${name}`, withinMs }).catch((error: unknown) => {
      console.error(messageOf(error));
      broken.push(name);
    });
    console.log(`(${Math.round((performance.now() - from) / 1000)} s)`);
    // It goes on, and would be in the way of the others.
    if (performance.now() - from >= withinMs) break;
  }
  return broken;
}
