import { CLOUD_PROGRAM } from '@hlid/cloud/program/command-line/cloud-program';
import { EDGE_PROGRAM } from '@hlid/edge/command-line/edge-program';
import type { Program } from '@hlid/protocol/command-line/command';
import { PROGRAM_ENTRIES } from './bundle-program.ts';

/** A program that is made into a package. */
export interface Product {
  /** The name of the package, of the unit and of the user. */
  name: 'hlid-edge' | 'hlid-cloud';
  /** What people type. */
  command: 'hlid' | 'hlid-cloud';
  summary: string;
  description: string;
  workspace: 'edge' | 'cloud';
  /** All workspaces of which something is inside. */
  workspaces: readonly string[];
  commands: Pick<Program, 'software' | 'title' | 'environment'> & {
    commands: readonly Pick<
      Program['commands'][number],
      'name' | 'summary' | 'about' | 'operandWord' | 'options'
    >[];
  };
  /** Its units of systemd. */
  units: readonly string[];
  /** Its processes and threads. */
  entries: readonly string[];
  /** Scripts that build its pages. */
  pages: readonly string[];
  /** Files and folders of the repository that it reads, as they lie there. */
  copied: readonly string[];
  /** Files of typefaces, from their packages. */
  fonts: readonly string[];
  /** Packages of npm with machine code, which cannot be bundled. */
  nativePackages: readonly string[];
  /** The configuration: its file in /etc/hlid, the first content of it, and the example with every key. */
  configuration: { file: string; variable: string; first: string; example: string };
}

const EDGE: Product = {
  name: 'hlid-edge',
  command: 'hlid',
  summary: 'parking: the daemon of one car park',
  description: `It reads plates from cameras, opens gates, takes payments by card
terminal, and works without the cloud. It has its own Node.js inside and
needs no compiler and no npm.`,
  workspace: 'edge',
  workspaces: ['edge', 'edge/page', 'protocol', 'protocol/node', 'kiosk', 'kiosk/ui'],
  commands: EDGE_PROGRAM,
  units: [
    'deploy/edge/hlid-edge.service',
    'deploy/edge/hlid-edge-backup.service',
    'deploy/edge/hlid-edge-backup.timer',
    'deploy/edge/hlid-edge-upgrade.path',
    'deploy/edge/hlid-edge-upgrade.service',
  ],
  entries: PROGRAM_ENTRIES.edge,
  pages: ['edge/page/build-page.mjs', 'kiosk/build-page.mjs'],
  copied: ['edge/page/dist-page', 'kiosk/dist-page'],
  fonts: [],
  nativePackages: ['better-sqlite3', 'serialport'],
  configuration: {
    file: 'edge.yaml',
    variable: 'HLID_EDGE_CONFIG',
    first: 'deploy/edge/first.yaml',
    example: 'deploy/edge/edge.yaml',
  },
};

const CLOUD: Product = {
  name: 'hlid-cloud',
  command: 'hlid-cloud',
  summary: 'parking: visits, prices, payments and invoices of all car parks',
  description: `The API, the console for operators and customers, the payment page for
drivers, and a broker for the sites. It has its own Node.js inside and
needs no compiler and no npm.`,
  workspace: 'cloud',
  workspaces: ['cloud', 'protocol', 'protocol/node', 'cloud/pay-page', 'cloud/console', 'kiosk/ui'],
  commands: CLOUD_PROGRAM,
  units: ['deploy/cloud/hlid-cloud.service'],
  entries: PROGRAM_ENTRIES.cloud,
  pages: ['cloud/pay-page/build-page.mjs', 'cloud/console/build-page.mjs'],
  copied: ['cloud/migrations', 'cloud/pay-page/dist-page', 'cloud/console/dist-page'],
  fonts: [
    'node_modules/@expo-google-fonts/inter/400Regular/Inter_400Regular.ttf',
    'node_modules/@expo-google-fonts/inter/600SemiBold/Inter_600SemiBold.ttf',
  ],
  nativePackages: ['libsql', '@node-rs/argon2', 'sharp'],
  configuration: {
    file: 'cloud.yaml',
    variable: 'HLID_CLOUD_CONFIG',
    first: 'deploy/cloud/first.yaml',
    example: 'deploy/cloud.yaml',
  },
};

export const PRODUCTS: readonly Product[] = [EDGE, CLOUD];
