/**
 * The state of sending events to the cloud. Pure.
 *
 * ```
 *   committed          sentTo             last event
 *  ─────┼─────────────────┼────────────────────┼──▶ seq
 *       └ batches sent ───┘   not sent yet
 * ```
 *
 * A question is a message that the cloud answers with `up/ack`: a batch or presence. Each question has one answer, in
 * order. An answer below its batch's end means that the cloud did not apply the batch, because an earlier one was
 * lost: everything after `committed` is sent again. Answers to the first sending must not cause a third one, so each
 * question stores its run.
 */
export interface SendWindow {
  /** Null: the cloud has not yet reported what it has. */
  committed: number | null;
  sentTo: number;
  run: number;
  /** Questions not yet answered, oldest first; `end` is the last event of a batch, 0 for presence. */
  asked: readonly { end: number; run: number }[];
  /** The state after a silence: one batch at a time is sent until the cloud answers. */
  probing: boolean;
}

/** Max batches under way at once. */
const MAX_BATCHES = 8;
/** Older questions will not be answered any more. */
const MAX_QUESTIONS = 64;

export const FRESH_WINDOW: SendWindow = { committed: null, sentTo: 0, run: 0, asked: [], probing: false };

/** Something was sent that the cloud will answer. */
export function asked(window: SendWindow, end: number): SendWindow {
  return {
    ...window,
    sentTo: Math.max(window.sentTo, end),
    asked: [...window.asked, { end, run: window.run }].slice(-MAX_QUESTIONS),
  };
}

/** Batches that the cloud may not have yet. */
export function batchesOnTheWay(window: SendWindow): number {
  const { committed, run } = window;
  return window.asked.filter((question) => question.run === run && question.end > (committed ?? 0)).length;
}

export function hasRoom(window: SendWindow): boolean {
  return window.committed !== null && batchesOnTheWay(window) < (window.probing ? 1 : MAX_BATCHES);
}

/** The meaning of an answer. */
export type AckMeaning =
  /** The first of this connection. */
  | 'begun'
  | 'progress'
  /** Something was lost on the way. */
  | 'rewound'
  /** The cloud has less than it reported before: it was restored from a backup. */
  | 'set-back'
  | 'nothing-new';

export function acknowledged(
  window: SendWindow,
  committed: number,
): { window: SendWindow; meaning: AckMeaning } {
  const [question, ...stillAsked] = window.asked;
  const answered = { ...window, committed, asked: stillAsked, probing: false };
  if (window.committed === null) return { window: { ...answered, sentTo: committed }, meaning: 'begun' };
  if (committed < window.committed) return { window: rewind(answered), meaning: 'set-back' };
  if (question && question.run === window.run && committed < question.end) {
    return { window: rewind(answered), meaning: 'rewound' };
  }
  const sentTo = Math.max(window.sentTo, committed);
  if (committed > window.committed) return { window: { ...answered, sentTo }, meaning: 'progress' };
  return { window: { ...answered, probing: window.probing }, meaning: 'nothing-new' };
}

/** No answer came in time: all questions count as lost. */
export function unanswered(window: SendWindow): SendWindow {
  return { ...rewind(window), asked: [], probing: true };
}

function rewind(window: SendWindow): SendWindow {
  return { ...window, run: window.run + 1, sentTo: window.committed ?? 0 };
}
