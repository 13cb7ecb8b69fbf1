/**
 * A connection to a terminal that carries whole messages.
 *
 *   driver ── messages ── line ─┬─ TCP: cut by their lengths
 *                               └─ serial: framed, checked, answered and repeated byte by byte
 */
export interface ApduLine {
  /**
   * Resolves when the message is sent, and over a serial line accepted. Rejects with Fault 'link-lost' where
   * the connection is gone, 'link-refused' where the terminal has certainly not received it, and
   * 'deadline-passed' where that is unknown.
   */
  send(apdu: Uint8Array): Promise<void>;
  /** Ends it; `onClosed` is not called for that. */
  close(): Promise<void>;
}

export interface LineListener {
  onApdu(apdu: Uint8Array): void;
  /** The other side, or the cable, has ended it. */
  onClosed(problem: string): void;
}

/** Makes connections: the driver does not know over what. Rejects with Fault 'link-lost' where there is none to be had. */
export interface ApduLink {
  /** The address it connects to, for people. */
  place: string;
  open(listener: LineListener, signal: AbortSignal): Promise<ApduLine>;
}
