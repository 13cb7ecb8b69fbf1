/** The site's event log, as the link to the cloud uses it. */
export interface EventSource {
  /** Changes only by `startNewEpoch`. */
  readonly epoch: string;
  lastSeq(): number;
  acknowledged(): number;
  /**
   * Events after a number, in order, up to about these numbers of events and bytes; `json` is the SiteEvent
   * as text. Synchronous (SQLite).
   */
  after(seq: number, maxEvents: number, maxBytes: number): { seq: number; json: string }[];
  /** The cloud has committed up to here; also moves back, when the cloud reports that it has less. */
  acknowledge(committed: number): void;
  /** The digest of one event (event-digest.ts); null where it is no longer stored as it was sent. */
  digestOf(seq: number): string | null;
  /** The cloud confirms that it has what this log has sent. */
  confirm(): void;
  /**
   * Starts a new epoch after the cloud received its last events from another log. In it this log sends what
   * the cloud cannot have from it.
   *
   * @param options `knownUpTo`: the newest event that the cloud has, if known. With `cloudLostEvents`, events
   *   up to it
   *   are gone on both sides: their visits are reported again when the open ones are taken over
   */
  startNewEpoch(options?: { knownUpTo?: number; cloudLostEvents?: boolean }): Promise<void>;
  onAppended(listener: () => void): () => void;
}
