/** Whether an error says that there is no such file or folder. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}

/** The code of an error of the system, such as ENOENT; null: it has none. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** The reason behind an error of `fetch`, whose own message is only that it failed. */
export function fetchErrorCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}

/** The code behind an error of `fetch`, such as ECONNRESET; null: it has none. Unlike messages, codes quote nothing. */
export function fetchErrorCode(error: unknown): string | null {
  return errorCode(fetchErrorCause(error));
}

/** Codes of errors that happen before `fetch` sends anything: nobody was connected to, or is who they should be. */
const UNSENT = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
  'CERT_HAS_EXPIRED',
  'DEPTH_ZERO_SELF_SIGNED_CERT',
  'SELF_SIGNED_CERT_IN_CHAIN',
  'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
  'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
  'ERR_TLS_CERT_ALTNAME_INVALID',
]);

/** Whether the request certainly was not sent. After any other error it may have been worked on. */
export function isUnsent(error: unknown): boolean {
  return UNSENT.has(fetchErrorCode(error) ?? '');
}
