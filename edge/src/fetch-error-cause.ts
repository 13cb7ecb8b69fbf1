/** What lies behind an error of `fetch`, which by itself says no more than that it has failed. */
export function fetchErrorCause(error: unknown): unknown {
  return error instanceof Error && error.cause !== undefined ? error.cause : error;
}
