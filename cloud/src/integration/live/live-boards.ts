import type { ReceivedBoard, SiteBoards } from '../../platform/broker/site-boards.ts';
import type { Db } from '../../platform/db/db.ts';
import type { LaneAction } from '../../sites/gates/lane-actions.ts';
import { type BoardPresence, boardPresence, boardView } from './board-view.ts';
import { encodeEvent, type LiveReader } from './live-reader.ts';

/** A board that a reader gets, with what the reader can do at the lanes. */
export interface WantedBoard {
  siteId: string;
  actions: readonly LaneAction[];
}

interface ReadBoard extends WantedBoard {
  presence: BoardPresence;
  unwatch: () => void;
}

/** The boards that go into streams, beside the events. */
export class LiveBoards {
  readonly #db: Db;
  readonly #boards: SiteBoards;
  readonly #read = new Map<LiveReader, ReadBoard[]>();

  constructor(db: Db, boards: SiteBoards) {
    this.#db = db;
    this.#boards = boards;
  }

  /** Sends the reader the boards of these sites, now and after each change. */
  async open(reader: LiveReader, boards: readonly WantedBoard[]): Promise<void> {
    if (boards.length === 0) return;
    const present = await this.#db.read(
      async (q) =>
        await Promise.all(
          boards.map(async (board) => ({ ...board, presence: await boardPresence(q, board.siteId) })),
        ),
    );
    this.#read.set(
      reader,
      present.map((board) => this.#begin(reader, board)),
    );
  }

  close(reader: LiveReader): void {
    for (const { unwatch } of this.#read.get(reader) ?? []) unwatch();
    this.#read.delete(reader);
  }

  /** A site was connected, or lost: its readers get its board with that. */
  async presenceChanged(siteId: string): Promise<void> {
    if (![...this.#read.values()].some((boards) => boards.some((board) => board.siteId === siteId))) return;
    const presence = await this.#db.read((q) => boardPresence(q, siteId));
    for (const [reader, boards] of this.#read) {
      for (const board of boards) {
        if (board.siteId !== siteId) continue;
        board.presence = presence;
        reader.send(encodeEvent('board', boardView(presence, this.#boards.newest(siteId), board.actions)));
      }
    }
  }

  #begin(reader: LiveReader, { siteId, actions, presence }: Omit<ReadBoard, 'unwatch'>): ReadBoard {
    reader.send(encodeEvent('board', boardView(presence, this.#boards.newest(siteId), actions)));
    const board: ReadBoard = { siteId, actions, presence, unwatch: () => undefined };
    board.unwatch = this.#boards.watch(siteId, (received: ReceivedBoard) => {
      // A site that sends something is connected; the time of connection comes with the event.
      reader.send(encodeEvent('board', boardView({ ...board.presence, connected: true }, received, actions)));
    });
    return board;
  }
}
