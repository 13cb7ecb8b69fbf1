import { backupCommands } from '@hlid/node/backup/backup-commands';
import { databaseCommands } from '@hlid/node/migration/database-commands';
import { defineCommand, type Program } from '@hlid/protocol/command-line/command';
import { SOFTWARE } from '../base/software.ts';
import { BACKED_UP_EDGE, MIGRATED_EDGE } from './backup-plan.ts';
import { cameraDiscover } from './camera-discover.ts';
import { cameraParse } from './camera-parse.ts';
import { cameraSnapshot } from './camera-snapshot.ts';
import { cameraWatch } from './camera-watch.ts';
import { configCheck } from './config-check.ts';
import { enrol } from './enrol.ts';
import { gateList } from './gate-list.ts';
import { gateClose, gateHold, gatePulse, gateRelease } from './gate-moves.ts';
import { paymentCode, paymentFindings, paymentList } from './payment-commands.ts';
import { pinNew } from './pin-new.ts';
import { report } from './report.ts';
import { setup } from './setup.ts';
import type { Shell } from './shell.ts';
import { status } from './status.ts';
import { terminalDecode } from './terminal-decode.ts';
import { terminalDiagnose } from './terminal-diagnose.ts';
import { terminalStatus } from './terminal-status.ts';
import { cameraTryAgain, gateTryAgain } from './try-again.ts';
import { UPGRADE_COMMANDS } from './upgrade.ts';

const daemon = defineCommand({
  name: '',
  summary: 'Run the daemon until it is stopped (SIGTERM or Ctrl-C)',
  isService: true,
  examples: [''],
  async run(_given, { environment }) {
    // The tools start faster without the modules of the daemon.
    const { runDaemon } = await import('./run-daemon.ts');
    return await runDaemon(environment);
  },
});

/** `npm run edge`: the daemon of one car park, and the technician's tools in the order of their use. */
export const EDGE_PROGRAM: Program<Shell> = {
  software: SOFTWARE,
  title: 'the daemon of one car park, and its technician’s tools',
  typed: 'npm run -s edge --',
  commands: [
    daemon,
    enrol,
    setup,
    configCheck,
    status,
    cameraDiscover,
    cameraParse,
    cameraWatch,
    cameraSnapshot,
    cameraTryAgain,
    terminalStatus,
    terminalDiagnose,
    terminalDecode,
    paymentList,
    paymentCode,
    ...paymentFindings,
    gateList,
    gatePulse,
    gateHold,
    gateClose,
    gateRelease,
    gateTryAgain,
    pinNew,
    ...backupCommands(BACKED_UP_EDGE),
    ...databaseCommands(MIGRATED_EDGE),
    ...UPGRADE_COMMANDS,
    report,
  ],
  environment: [
    ['HLID_DATA_DIR', 'where the daemon keeps its database (./data)'],
    ['HLID_EDGE_CONFIG', 'its configuration (edge.yaml in the data folder)'],
    ['HLID_EDGE_PORT', 'port of the lane page and the local API, on 127.0.0.1 (7070); 0: any free port'],
    ['HLID_CAMERA_PORT', 'port to which the cameras post (7071); 0: any free port'],
    ['HLID_ONVIF_PASSWORD', 'password for the --user of camera snapshot and camera watch'],
    ['HLID_ONVIF_PROBE', 'HOST:PORT that is probed for cameras, for networks that block multicast'],
    ['HLID_LOG_LEVEL', 'fatal, error, warn, info (default), debug, trace or silent'],
  ],
};
