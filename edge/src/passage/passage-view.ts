import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { DecisionReason } from '@hlid/protocol/records/decision';
import type { ReviewFlag } from '@hlid/protocol/records/visit';
import type { Passage } from './passage-store.ts';

/** A passage, for people. */
export interface PassageView {
  id: string;
  at: UtcTime;
  laneId: string;
  plate: string | null;
  open: boolean;
  reason: DecisionReason;
  visitId: string | null;
  flags: readonly ReviewFlag[];
  /** The answer of its gate to the command to open; `wanted`: none yet. */
  gate: Passage['gate'];
}

const MAX_SHOWN = 10;

/** The last passages of a lane as people see them, newest first. In memory. */
export class ShownPassages {
  #views: readonly PassageView[] = [];

  all(): readonly PassageView[] {
    return this.#views;
  }

  /** Shows the passages as the database has them now: some were forgotten, or their plates. */
  replace(passages: readonly Passage[]): void {
    this.#views = passages.slice(0, MAX_SHOWN).map(viewOf);
  }

  /** Shows a passage, or what is new of it. */
  show(passage: Passage): PassageView {
    const view = viewOf(passage);
    const before = this.#views;
    // Seen no later than before: another may have come since, and stays above it.
    const place = before.findIndex(({ id, at }) => id === view.id && at === view.at);
    const others = before.filter(({ id }) => id !== view.id);
    this.#views = others.toSpliced(Math.max(place, 0), 0, view).slice(0, MAX_SHOWN);
    return view;
  }
}

function viewOf(passage: Passage): PassageView {
  const { id, laneId, plate, visitId, decision, lastSeenAt, gate } = passage;
  const { open, reason, flags } = decision;
  return { id, at: lastSeenAt, laneId, plate, open, reason, visitId, flags, gate };
}
