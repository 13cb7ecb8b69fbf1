/** The kind of a fault, for code to branch on. */
export type FaultCode =
  | 'config-invalid'
  | 'database-unusable'
  | 'database-gone'
  // The database is whole, but this version of the program cannot use it.
  | 'schema-refused'
  | 'no-room'
  | 'link-refused'
  | 'link-lost'
  | 'deadline-passed'
  | 'peer-misbehaved';

/** The one exception class. `details` are safe to log: no plates, no secrets. */
export class Fault extends Error {
  readonly code: FaultCode;
  readonly details: Readonly<Record<string, unknown>>;

  constructor(
    code: FaultCode,
    message: string,
    options: { cause?: unknown; details?: Record<string, unknown> } = {},
  ) {
    super(message, { cause: options.cause });
    this.name = 'Fault';
    this.code = code;
    this.details = options.details ?? {};
  }
}

export function isFault(error: unknown, code?: FaultCode): error is Fault {
  return error instanceof Fault && (code === undefined || error.code === code);
}

/** The message of anything thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
