import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { stringify } from 'yaml';
import type { EdgeDocument } from './edge-document.ts';
import { type Program, startProgram } from './programs.ts';

export interface EdgePlan {
  folder: string;
  document: EdgeDocument;
  /** Stands at the head of the configuration file. */
  comment?: string;
  /** 0 or nothing: a free one. */
  ports?: { local?: number; camera?: number };
  env?: Record<string, string>;
  under?: readonly string[];
  logFile?: string;
}

export interface EdgeProgram extends Program {
  localUrl(): string;
  cameraUrl(): string;
}

/** The edge daemon as a child process, its configuration written, ready. */
export async function startEdge(plan: EdgePlan): Promise<EdgeProgram> {
  await mkdir(plan.folder, { recursive: true });
  const configFile = join(plan.folder, 'edge.yaml');
  await writeFile(configFile, `${plan.comment ?? ''}${stringify(plan.document)}`, { mode: 0o600 });
  const program = await startProgram({
    name: 'edge',
    env: {
      HLID_DATA_DIR: plan.folder,
      HLID_EDGE_CONFIG: configFile,
      HLID_EDGE_PORT: String(plan.ports?.local ?? 0),
      HLID_CAMERA_PORT: String(plan.ports?.camera ?? 0),
      ...plan.env,
    },
    ...(plan.logFile !== undefined && { logFile: plan.logFile }),
    ...(plan.under && { under: plan.under }),
    readyEvent: 'edge.ready',
    keepPorts: (ready) => ({
      HLID_EDGE_PORT: new URL(String(ready['localUrl'])).port,
      HLID_CAMERA_PORT: new URL(String(ready['cameraUrl'])).port,
    }),
  });
  return {
    ...program,
    localUrl: () => String(program.ready()['localUrl']),
    cameraUrl: () => String(program.ready()['cameraUrl']),
  };
}
