import type { FailureReason, Progress } from './electronic-id.ts';

/** Auðkenni's own codes ("Error Codes" in its documentation), by their meaning for the person who logs in. */
const REASONS: Readonly<Record<string, FailureReason>> = {
  // No answer from the phone; the phone cannot be reached.
  mssp_208: 'timeout',
  mssp_209: 'timeout',
  mssp_401: 'cancelled',
  // User not found; no phone number; no key.
  mssp_105: 'no-identity',
  audkenni_404: 'no-identity',
  audkenni_400: 'no-identity',
  mssp_404: 'no-identity',
  // PIN blocked; card blocked.
  mssp_402: 'error',
  mssp_403: 'error',
  // Something is wrong with the request or with our settings.
  mssp_101: 'error',
  mssp_102: 'error',
  mssp_103: 'error',
  mssp_104: 'error',
  mssp_107: 'error',
  mssp_108: 'error',
  mssp_109: 'error',
  InvalidClientId: 'error',
  audkenni_403: 'error',
};

/** The end of an identification by Auðkenni's code; a code that is not documented has an unknown meaning. */
export function failureOf(code: string | null): Extract<Progress, { kind: 'failed' }> {
  const reason = (code !== null && Object.hasOwn(REASONS, code) && REASONS[code]) || 'unknown';
  return { kind: 'failed', reason, code: code && shortCode(code) };
}

/** Whether it is a code of Auðkenni's own, in the table or not. */
export function isAudkenniCode(code: string): boolean {
  return /^(mssp|audkenni|akreg)_\d+$/.test(code) || Object.hasOwn(REASONS, code);
}

/** A code for the log. Whatever else a provider writes there may contain personal data. */
function shortCode(code: string): string {
  return /^[A-Za-z]+(_[A-Za-z0-9]+)*$/.test(code) && code.length <= 40 ? code : 'other';
}
