import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '@hlid/node/errors';
import { writeSecretFile } from '@hlid/node/private-files';
import { Fault, messageOf } from '@hlid/protocol/fault';
import { UtcTimeSchema } from '@hlid/protocol/utc-time';
import { inputWords } from '@hlid/protocol/words/input-words';
import { z } from 'zod';
import { CloudConfigSchema } from '../config.ts';

/** The credentials that `enrol` has got: read where the configuration has no `cloud`. */
const ENROLLED = 'credentials.json';
/** What `enrol` has asked for, until it has the answer: asked again with the same, the cloud answers again. */
const ASKED = 'enrolment.json';

const EnrolledSchema = z.object({
  ...CloudConfigSchema.shape,
  /** Of the site, for people. */
  name: z.string(),
  enrolledAt: UtcTimeSchema,
});
export type Enrolled = z.infer<typeof EnrolledSchema>;

const AskedSchema = z.object({ httpUrl: z.string(), code: z.string(), secret: z.string() });
export type Asked = z.infer<typeof AskedSchema>;

export function enrolledPath(dataDir: string): string {
  return join(dataDir, ENROLLED);
}

/** Null where there are none. Throws Fault 'config-invalid' for a file that cannot be read, or is another. */
export function readEnrolled(dataDir: string): Enrolled | null {
  const path = enrolledPath(dataDir);
  try {
    return EnrolledSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (isMissing(error)) return null;
    const why = error instanceof z.ZodError ? whatIsWrong(error) : messageOf(error);
    throw new Fault('config-invalid', `${path} cannot be read: ${why}`, { cause: error, details: { path } });
  }
}

export function writeEnrolled(dataDir: string, enrolled: Enrolled): void {
  writeSecretFile(dataDir, ENROLLED, enrolled);
}

/** Null where nothing is under way; what cannot be read is nothing. */
export function readAsked(dataDir: string): Asked | null {
  try {
    return AskedSchema.parse(JSON.parse(readFileSync(join(dataDir, ASKED), 'utf8')));
  } catch {
    return null;
  }
}

export function writeAsked(dataDir: string, asked: Asked): void {
  writeSecretFile(dataDir, ASKED, asked);
}

export function forgetAsked(dataDir: string): void {
  rmSync(join(dataDir, ASKED), { force: true });
}

/** Without what stands there: it is a secret. */
function whatIsWrong(error: z.ZodError): string {
  return error.issues
    .map((issue) => `${issue.path.join('.') || 'the file'}: ${inputWords(issue)}`)
    .join('; ');
}
