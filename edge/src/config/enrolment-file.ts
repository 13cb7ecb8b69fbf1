import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isMissing } from '@hlid/node/errors';
import { writeSecretFile } from '@hlid/node/private-files';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import { inputWords } from '@hlid/protocol/base/mistakes/input-words';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from 'zod';
import { CloudConfigSchema } from './config.ts';

/** The credentials from `enrol`: used where the configuration has no `cloud` section. */
const ENROLLED = 'credentials.json';
/** The authorities of the cloud and of its broker, from `enrol`. */
const AUTHORITIES = { ca: 'cloud-ca.pem', mqttCa: 'broker-ca.pem' };
/** The request of `enrol` until it has the answer: to the same request the cloud gives the same answer. */
const REQUEST = 'enrolment.json';

const EnrolledSchema = z.object({
  ...CloudConfigSchema.shape,
  /** The name of the site. */
  name: z.string(),
  enrolledAt: UtcTimeSchema,
});
export type Enrolled = z.infer<typeof EnrolledSchema>;

const RequestSchema = z.object({ httpUrl: z.string(), code: z.string(), secret: z.string() });
export type EnrolmentRequest = z.infer<typeof RequestSchema>;

export function enrolledPath(dataDir: string): string {
  return join(dataDir, ENROLLED);
}

/** Null where there are none. Throws Fault 'config-invalid' for a file that cannot be read. */
export function readEnrolled(dataDir: string): Enrolled | null {
  const path = enrolledPath(dataDir);
  try {
    return EnrolledSchema.parse(JSON.parse(readFileSync(path, 'utf8')));
  } catch (error) {
    if (isMissing(error)) return null;
    const reason = error instanceof z.ZodError ? mistakesOf(error) : messageOf(error);
    throw new Fault('config-invalid', `${path} cannot be read: ${reason}`, {
      cause: error,
      details: { path },
    });
  }
}

export function writeEnrolled(dataDir: string, enrolled: Enrolled): void {
  writeSecretFile(dataDir, ENROLLED, enrolled);
}

/** Keeps an authority in the data folder. @returns its file, by its path from there */
export function writeAuthority(dataDir: string, which: keyof typeof AUTHORITIES, pem: string): string {
  const name = AUTHORITIES[which];
  const path = join(dataDir, name);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  writeFileSync(`${path}.next`, pem, { mode: 0o600 });
  renameSync(`${path}.next`, path);
  return name;
}

/** Null where there is none that can be read. */
export function readRequest(dataDir: string): EnrolmentRequest | null {
  try {
    return RequestSchema.parse(JSON.parse(readFileSync(join(dataDir, REQUEST), 'utf8')));
  } catch {
    return null;
  }
}

export function writeRequest(dataDir: string, request: EnrolmentRequest): void {
  writeSecretFile(dataDir, REQUEST, request);
}

export function removeRequest(dataDir: string): void {
  rmSync(join(dataDir, REQUEST), { force: true });
}

/** The mistakes without the values, which are secrets. */
function mistakesOf(error: z.ZodError): string {
  return error.issues
    .map((issue) => `${issue.path.join('.') || 'the file'}: ${inputWords(issue)}`)
    .join('; ');
}
