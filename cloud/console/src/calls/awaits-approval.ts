/** The act is above a limit of its site and was not done: it waits for a second person. */
export class AwaitsApproval extends Error {
  /** The id of the request. */
  readonly id: string;
  constructor(id: string) {
    super('The act waits for the approval of a second person.');
    this.id = id;
  }
}

/** @throws AwaitsApproval where an answer says so */
export function throwIfAwaitsApproval(status: number, body: unknown): void {
  const isAccepted = status === 202 && typeof body === 'object' && body !== null;
  if (isAccepted && 'approvalId' in body && typeof body.approvalId === 'string') {
    throw new AwaitsApproval(body.approvalId);
  }
}
