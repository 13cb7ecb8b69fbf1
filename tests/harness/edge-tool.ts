import { execFile } from 'node:child_process';
import { deadline } from '@hlid/protocol/test/deadline';
import { PROJECT_ROOT, programArguments } from './programs.ts';

/** The output of a technician's tool, and how it ended. */
export interface ToolRun {
  code: number;
  printed: string;
  complaint: string;
}

const WITHIN_MS = 30_000;

/** Runs `npm run edge -- …` as a separate program, on a data folder. */
export async function runEdgeTool(
  folder: string,
  words: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<ToolRun> {
  const options = {
    cwd: PROJECT_ROOT,
    env: { ...process.env, HLID_DATA_DIR: folder, ...env },
    timeout: deadline(WITHIN_MS),
  };
  return await new Promise((resolve) => {
    const program = [...programArguments('edge'), ...words];
    const child = execFile(process.execPath, program, options, (_error, printed, complaint) =>
      resolve({ code: child.exitCode ?? -1, printed: printed.trimEnd(), complaint: complaint.trimEnd() }),
    );
  });
}
