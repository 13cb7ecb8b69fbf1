import type { SiteEventBody } from '@hlid/protocol/site-event';
import type { OnFlushed } from '../db/group-commit.ts';

/** Counts what happens while it happens: cheap, since drivers wait. */
export interface SiteMeter {
  /** An event of the log; one that is undone later is counted all the same. */
  eventWritten(body: SiteEventBody): void;
  flushed: OnFlushed;
}
