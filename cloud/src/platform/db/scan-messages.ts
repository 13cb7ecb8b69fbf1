/** To a scan's thread. `more`: room for one more piece. `stop`: it ends once the statements that run have ended. */
export type ToScanThread =
  | { kind: 'start'; id: number; name: string; given: unknown }
  | { kind: 'more'; id: number }
  | { kind: 'cancel'; id: number }
  | { kind: 'stop' };

/** From a scan's thread. After `end` or `failed` nothing more comes of that scan. */
export type FromScanThread =
  | { kind: 'piece'; id: number; piece: unknown }
  | { kind: 'end'; id: number }
  | { kind: 'failed'; id: number; message: string };

/** Pieces that may lie ready, not asked for yet. */
export const PIECES_AHEAD = 4;
