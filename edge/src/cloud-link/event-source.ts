/** The site's event log, as the link to the cloud sees it. */
export interface EventSource {
  readonly epoch: string;
  lastSeq(): number;
  acknowledged(): number;
  /**
   * Events after a number, in order, at most so many and about so many bytes; `json` is the SiteEvent as text.
   * Synchronous (SQLite).
   */
  after(seq: number, maxEvents: number, maxBytes: number): { seq: number; json: string }[];
  /** The cloud has committed up to here; also moves back, when the cloud says that it holds less. */
  acknowledge(committed: number): void;
  onAppended(listener: () => void): () => void;
}
