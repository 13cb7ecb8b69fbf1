import { randomBytes, scrypt } from 'node:crypto';
import { promisify } from 'node:util';
import { enrolmentCode } from '@hlid/protocol/enrolment';

const derive = promisify(scrypt);

export function makeEnrolmentCode(): string {
  return enrolmentCode(randomBytes(8));
}

/**
 * What is stored of a code, to find it by. Slow, as a code has 40 bits only: who reads the database while a code lives
 * would otherwise try them all. There is no salt, since the code is all that its holder brings.
 *
 * @param code as `readEnrolmentCode` writes it
 */
export async function hashEnrolmentCode(code: string): Promise<string> {
  const key = (await derive(code, 'hlid enrolment', 32)) as Buffer;
  return key.toString('hex');
}
