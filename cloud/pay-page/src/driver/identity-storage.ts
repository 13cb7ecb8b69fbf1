import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { randomUuid } from '@hlid/ui/random-uuid';
import { read, write } from '../driver-storage.ts';

const IDENTIFICATION_KEY = 'hlid.identification';
const DEVICE_KEY = 'hlid.device';
/** The lifetime of an identification, the same as of the cloud's session. */
const IDENTIFICATION_MS = 5 * MINUTE_MS;

/** A login by electronic identity with a ringing phone: a reload continues it. It ends with the tab. */
export interface StoredIdentification {
  purpose: 'driver' | 'connect';
  ringing: { session: string; code: string; bearerToken: string };
}

export function readIdentification(): StoredIdentification | null {
  const text = read(() => sessionStorage.getItem(IDENTIFICATION_KEY));
  const value: unknown = read(() => JSON.parse(text ?? 'null'));
  return isIdentification(value) && Date.now() - value.since < IDENTIFICATION_MS ? value : null;
}

export function writeIdentification(value: StoredIdentification | null): void {
  // A reload does not make the session younger.
  if (value !== null && readIdentification()?.ringing.session === value.ringing.session) return;
  const text = value && JSON.stringify({ ...value, since: Date.now() });
  read(() => write(sessionStorage, IDENTIFICATION_KEY, text));
}

/** The secret that identifies a device on which a person has logged in by electronic identity. */
export function deviceSecret(): string {
  const secret = read(() => localStorage.getItem(DEVICE_KEY)) ?? randomUuid();
  read(() => write(localStorage, DEVICE_KEY, secret));
  return secret;
}

function isIdentification(value: unknown): value is StoredIdentification & { since: number } {
  if (typeof value !== 'object' || value === null) return false;
  const { purpose, ringing, since } = value as Partial<StoredIdentification & { since: number }>;
  return (
    (purpose === 'driver' || purpose === 'connect') &&
    typeof ringing?.session === 'string' &&
    typeof ringing.code === 'string' &&
    typeof ringing.bearerToken === 'string' &&
    typeof since === 'number'
  );
}
