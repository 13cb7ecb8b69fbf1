import { defineCommand } from '@hlid/protocol/command-line/command';
import type { Program } from '@hlid/protocol/command-line/program';
import { SOFTWARE } from '../software.ts';
import { cameraDiscover } from './camera-discover.ts';
import { cameraParse } from './camera-parse.ts';
import { cameraSnapshot } from './camera-snapshot.ts';
import { cameraWatch } from './camera-watch.ts';
import { configCheck } from './config-check.ts';
import { enrol } from './enrol.ts';
import { gateList } from './gate-list.ts';
import { gateClose, gateHold, gatePulse, gateRelease } from './gate-moves.ts';
import { paymentBooked, paymentGivenBack, paymentList, paymentNotBooked } from './payment-commands.ts';
import type { Shell } from './shell.ts';
import { status } from './status.ts';
import { terminalDecode } from './terminal-decode.ts';
import { terminalDiagnose } from './terminal-diagnose.ts';
import { terminalStatus } from './terminal-status.ts';
import { cameraTryAgain, gateTryAgain } from './try-again.ts';

const daemon = defineCommand({
  name: '',
  summary: 'Run the daemon until it is stopped (SIGTERM or Ctrl-C)',
  isService: true,
  examples: [''],
  async run(_given, { environment }) {
    // Tools need not load what the daemon is made of.
    const { runDaemon } = await import('./run-daemon.ts');
    return await runDaemon(environment);
  },
});

/** `npm run edge`: the daemon of one car park, and the technician's tools, in the order in which he needs them. */
export const EDGE_PROGRAM: Program<Shell> = {
  software: SOFTWARE,
  title: 'the daemon of one car park, and its technician’s tools',
  typed: 'npm run -s edge --',
  commands: [
    ...[daemon, enrol, configCheck, status],
    ...[cameraDiscover, cameraParse, cameraWatch, cameraSnapshot, cameraTryAgain],
    ...[terminalStatus, terminalDiagnose, terminalDecode],
    ...[paymentList, paymentBooked, paymentNotBooked, paymentGivenBack],
    ...[gateList, gatePulse, gateHold, gateClose, gateRelease, gateTryAgain],
  ],
  environment: [
    ['HLID_DATA_DIR', 'where the daemon keeps its database (./data)'],
    ['HLID_EDGE_CONFIG', 'its configuration (edge.yaml in the data folder)'],
    ['HLID_EDGE_PORT', 'of the page of the lanes and the local API, on 127.0.0.1 (7070); 0 is any free one'],
    ['HLID_CAMERA_PORT', 'to which the cameras post (7071); 0 is any free one'],
    ['HLID_ONVIF_PASSWORD', 'of the user that camera snapshot and camera watch are given'],
    ['HLID_ONVIF_PROBE', 'HOST:PORT that camera discover asks, where the network lets no multicast through'],
    ['HLID_LOG_LEVEL', 'fatal, error, warn, info (usual), debug, trace or silent'],
  ],
};
