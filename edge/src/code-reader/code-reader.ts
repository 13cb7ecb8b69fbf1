/** Reads codes that drivers hold before it, such as the QR code of a payment online on a telephone. */
export interface CodeReader {
  start(): void;
  stop(): Promise<void>;
}

export interface CodeReaderListener {
  /** A driver has shown a code. */
  onCode(code: string): void;
  /** Null: the reader is there; else why it is not. */
  onState(problem: string | null): void;
}
