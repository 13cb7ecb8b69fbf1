/** Whether an error means that there is no such file or folder. */
export function isMissing(error: unknown): boolean {
  return errorCode(error) === 'ENOENT';
}

/** The code of an error of the system, such as ENOENT; null: it has none. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null;
}

/** The reason behind an error of `fetch`: its own message is only that it failed. */
export function fetchErrorCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
