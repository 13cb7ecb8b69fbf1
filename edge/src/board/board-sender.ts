import { BOARD_LEASE_MS } from '@hlid/protocol/site-link/site-board';
import { type SiteBoards, withoutTime } from './site-boards.ts';

/** Publishes the board to the cloud while an operator there has it open: each lease holds for a minute. */
export class BoardSender {
  readonly #boards: Pick<SiteBoards, 'board' | 'subscribe'>;
  readonly #leaseMs: number;
  #publish: ((json: string) => void) | null = null;
  #unsubscribe: (() => void) | null = null;
  #lease: NodeJS.Timeout | undefined;
  #last = '';

  constructor(boards: Pick<SiteBoards, 'board' | 'subscribe'>, leaseMs: number = BOARD_LEASE_MS) {
    this.#boards = boards;
    this.#leaseMs = leaseMs;
  }

  connected(publish: (json: string) => void): void {
    this.#publish = publish;
  }

  /** The lease ends too: a cloud that still looks renews it when the site is there again. */
  disconnected(): void {
    this.#publish = null;
    this.stop();
  }

  /** Publishes the board now, and its changes until the lease ends. */
  leased(): void {
    this.#unsubscribe ??= this.#boards.subscribe(() => this.#send(false));
    clearTimeout(this.#lease);
    this.#lease = setTimeout(() => this.stop(), this.#leaseMs).unref();
    this.#send(true);
  }

  stop(): void {
    clearTimeout(this.#lease);
    this.#unsubscribe?.();
    this.#unsubscribe = null;
  }

  #send(evenIfSame: boolean): void {
    const board = this.#boards.board();
    const content = withoutTime(board);
    if (content === this.#last && !evenIfSame) return;
    this.#last = content;
    this.#publish?.(JSON.stringify(board));
  }
}
