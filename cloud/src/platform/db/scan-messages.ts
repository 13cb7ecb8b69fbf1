/**
 * A message to a scan's thread. `more`: room for one more piece. `stop`: it ends once the statements that run
 * have ended.
 */
export type ToScanThread =
  | { kind: 'start'; id: number; name: string; given: unknown }
  | { kind: 'more'; id: number }
  | { kind: 'cancel'; id: number }
  | { kind: 'stop' };

/** A message from a scan's thread. No more comes of that scan after `end` or `failed`. */
export type FromScanThread =
  | { kind: 'piece'; id: number; piece: unknown }
  | { kind: 'end'; id: number }
  | { kind: 'failed'; id: number; message: string };

/** Pieces that may lie ready, not asked for yet. */
export const PIECES_AHEAD = 4;
