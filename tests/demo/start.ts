// `npm start`: everything on one machine, until Ctrl-C.

import { readFileSync } from 'node:fs';
import { relative, resolve } from 'node:path';
import type { PassageView } from '@hlid/edge/passage/passage-view';
import { messageOf } from '@hlid/protocol/base/fault';
import { VERSION } from '@hlid/protocol/base/version';
import { defineCommand, EXIT, type ExitCode, type Program } from '@hlid/protocol/command-line/command';
import { processShell } from '@hlid/protocol/command-line/process-shell';
import { runProgram } from '@hlid/protocol/command-line/program';
import { watchBoard } from './board-watch.ts';
import { lockFolder } from './data-lock.ts';
import { type Demo, startDemo } from './demo.ts';
import { demoFiles } from './demo-files.ts';
import { createPassageLines, passageLine } from './passage-line.ts';
import { findTakenPorts, readPorts } from './ports.ts';

const USUAL_PACE = 20;
const FASTEST_PACE = 120;
const PARENT_LOOK_MS = 500;

const print = (text: string) => console.log(text);

const START: Program = {
  software: `hlid/${VERSION}`,
  title: 'everything on one machine',
  typed: 'npm start --',
  commands: [
    defineCommand({
      name: '',
      summary: 'Run everything on one machine, with a simulated car park, until Ctrl-C',
      isService: true,
      examples: ['', 'HLID_DEMO_PACE=0'],
      run: () => main(),
    }),
  ],
  environment: [
    ['HLID_DATA_DIR', 'folder of all data (./data)'],
    ['HLID_DEMO_PACE', `cars a minute, 0 (no traffic) to ${FASTEST_PACE} (${USUAL_PACE})`],
    ['HLID_CLOUD_PORT', 'port of the API (8080); 0: any free port'],
    ['HLID_MQTT_PORT', 'port of the broker (1883); 0: any free port'],
    ['HLID_EDGE_PORT', 'port of the lane page and the local API (7070); 0: any free port'],
    ['HLID_CAMERA_PORT', 'port to which cameras post (7071); 0: any free port'],
  ],
};

async function main(): Promise<ExitCode> {
  const settings = readSettings();
  if (!settings) return EXIT.wrongUsage;
  const { folder, ports, carsPerMinute } = settings;
  const unlock = await lockFolder(folder);
  if (!unlock) {
    complain([
      `Another npm start already uses the data folder ${folder}. Set HLID_DATA_DIR to another one (and other ports).`,
    ]);
    return EXIT.wrongUsage;
  }
  const taken = await findTakenPorts(ports);
  if (taken.length > 0) {
    complain(taken);
    await unlock();
    return EXIT.wrongUsage;
  }

  const ending = createEnding();
  let code: ExitCode = EXIT.done;
  const files = demoFiles(folder);
  try {
    const demo = await startDemo({
      folder,
      files,
      ports,
      carsPerMinute,
      print,
      onDeath(program, how) {
        if (ending.signal.aborted) return;
        complain([`The ${program.name} has ended by itself (${how}).`, program.tail(20)]);
        code = EXIT.failed;
        ending.abort();
      },
    });
    if (!ending.signal.aborted) {
      showWhereEverythingIs(demo, folder, carsPerMinute);
      await showPassages(demo, ending.signal);
    }
    await demo.stop();
    print('Stopped. Start again, and it goes on where it was.');
  } catch (error) {
    complain([messageOf(error)]);
    code = EXIT.failed;
  }
  await unlock();
  return code;
}

function readSettings() {
  const mistakes: string[] = [];
  const ports = readPorts(process.env);
  if (!ports.ok) mistakes.push(...ports.mistakes);
  const pace = process.env['HLID_DEMO_PACE'] || String(USUAL_PACE);
  const carsPerMinute = Number(pace);
  if (!(carsPerMinute >= 0 && carsPerMinute <= FASTEST_PACE)) {
    mistakes.push(`HLID_DEMO_PACE is ${pace}: cars a minute, 0 (no traffic) to ${FASTEST_PACE}.`);
  }
  if (!ports.ok || mistakes.length > 0) {
    complain(mistakes);
    return null;
  }
  return { folder: resolve(process.env['HLID_DATA_DIR'] || './data'), ports: ports.ports, carsPerMinute };
}

/** Ends at the first signal, or when the parent process is gone. A second signal ends at once. */
function createEnding(): AbortController {
  const ending = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => {
      // The programs exit with their parent (exit-with-parent.mjs).
      if (ending.signal.aborted) process.exit(1);
      ending.abort();
    });
  }
  // npm's shell dies at a signal without passing it on, and lives on when npm is killed.
  const parents = [process.ppid, parentOf(process.ppid)];
  const look = setInterval(() => {
    const now = [process.ppid, parentOf(process.ppid)];
    if (now.some((pid, at) => pid !== parents[at])) ending.abort();
  }, PARENT_LOOK_MS).unref();
  ending.signal.addEventListener('abort', () => clearInterval(look), { once: true });
  return ending;
}

/** Null if the system does not report it, or if the parent is not npm. */
function parentOf(pid: number): number | null {
  if (!process.env['npm_lifecycle_event']) return null;
  try {
    const [, parent] = /\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8')) ?? [];
    return parent === undefined ? null : Number(parent);
  } catch {
    return null;
  }
}

function showWhereEverythingIs(demo: Demo, folder: string, carsPerMinute: number): void {
  const { description, site, parked, waiting } = demo;
  const file = (name: string) => {
    const nearby = relative(process.cwd(), resolve(folder, name));
    return nearby.startsWith('..') ? resolve(folder, name) : nearby;
  };
  const [camera] = description.cameras;
  const rows = [
    [
      'Console',
      `${description.consoleUrl}   ${description.operator.id}, password ${description.operator.password}`,
    ],
    ['Lanes, live', `${description.edgeUrl}/`],
    [
      'Kiosk',
      `${description.kioskUrl}   card terminal ${description.terminal.id}, which takes cards by itself`,
    ],
    ['Pay by phone', `${description.payUrl}   card 4111 1111 1111 1111; more in deploy/TRYING.md`],
    [
      'Driver logs in',
      `${description.driver.url}   electronic ID, phone ${description.driver.phone}: it accepts by itself`,
    ],
    [
      'Stored card',
      `${description.storedCard.driverUrl}   ${description.storedCard.email} drives ${description.storedCard.plate}`,
    ],
    ['Mails', file('mail')],
    ['Cloud API', `${description.cloudUrl}/docs`],
    ['API key', description.apiKey],
    ['MQTT broker', `${description.mqttUrl}   site ${site.siteId}`],
    ['Cameras push to', camera?.pushUrl ?? ''],
    [
      'Cameras',
      demo.lanes
        .map(({ cameraId, format, isPolled }) => `${cameraId} (${isPolled ? 'onvif' : format})`)
        .join(', '),
    ],
    ['For scripts', file('demo.json')],
    ['Logs', `${file('cloud.log')}, ${file('edge.log')}`],
  ];
  const traffic =
    carsPerMinute === 0
      ? 'No traffic (HLID_DEMO_PACE=0): send camera documents yourself.'
      : `About ${carsPerMinute} cars a minute come in: visitors, permit holders, a company's cars, prepaid ones, trucks. ` +
        `Inside from before: ${parked}.`;
  print('');
  print(`Hlið is running: ${site.name}. Ctrl-C stops it.`);
  print('');
  for (const [name = '', value = ''] of rows) print(`  ${name.padEnd(16)}${value}`);
  print('');
  print(traffic);
  if (carsPerMinute > 0) {
    const already = waiting.length === 0 ? '' : ` Now: ${waiting.join(', ')}.`;
    print(`A few stay until you pay for them, at the kiosk or by phone; due a minute after entry.${already}`);
  }
  print('');
}

/** Prints a line for each passage until the signal. */
async function showPassages(demo: Demo, signal: AbortSignal): Promise<void> {
  const updateOf = createPassageLines({ now: () => new Date() });
  const colour = process.stdout.isTTY === true && !process.env['NO_COLOR'];
  const { timeZone } = demo.site;
  let first = true;
  const show = (passage: PassageView) => {
    const lane = demo.lanes.find(({ id }) => id === passage.laneId);
    const update = updateOf(passage);
    const journey = update && demo.journeyOf(update.plate, update.laneId);
    if (update && lane) print(passageLine(update, lane, { timeZone, colour, journey }));
  };
  await watchBoard(
    demo.description.edgeUrl,
    {
      state({ lanes }) {
        const passages = lanes.flatMap((lane) => lane.passages);
        // Passages before we looked are not news; those while the edge was away are.
        for (const passage of passages.sort((a, b) => (a.at < b.at ? -1 : 1))) {
          if (first) updateOf(passage);
          else show(passage);
        }
        first = false;
      },
      passage: ({ passage }) => show(passage),
    },
    signal,
  );
}

function complain(lines: readonly string[]): void {
  for (const line of lines) console.error(line);
}

process.exitCode = await runProgram(START, process.argv.slice(2), processShell(process));
