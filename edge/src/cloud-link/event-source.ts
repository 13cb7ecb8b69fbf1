/** The site's event log, as the link to the cloud sees it. */
export interface EventSource {
  /** Changes only by `renew`. */
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
  /** Of one event, as event-digest.ts makes it; null where it is no longer here as it was told. */
  digestOf(seq: number): string | null;
  /** The cloud holds what this log has told, as far as it has told it. */
  agreed(): void;
  /**
   * This log is not the one that the cloud has heard last: it begins a new epoch, in which it tells what the cloud
   * cannot have from it.
   *
   * @param told the newest event that the cloud does have, where that is known; or up to where events are gone that it
   *   should have (`cloudForgot`): of the visits that they told of, it hears again when the open ones are taken over
   */
  renew(given?: { told?: number; cloudForgot?: boolean }): Promise<void>;
  onAppended(listener: () => void): () => void;
}
