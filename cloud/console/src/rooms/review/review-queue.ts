import { randomUuid } from '@hlid/ui/random-uuid';
import { Refusal } from '../../calls/refusal.ts';
import type { AnswerResult, ReviewAnswer, ReviewCalls, ReviewCase } from './review-calls.ts';

/** The person's answer to a case. `result` is null until the cloud has it. */
export interface SentAnswer {
  case: ReviewCase;
  answer: ReviewAnswer;
  result: AnswerResult | null;
}

export interface ReviewState {
  /** The first is shown, the others are fetched ahead. All are claimed. */
  cases: readonly ReviewCase[];
  /** False until it is known what waits. */
  isReady: boolean;
  /** Why the queue could not be read. */
  error: unknown;
  /** Answers that wait for a connection. */
  unsent: number;
  /** The answer that an undo takes back. */
  last: SentAnswer | null;
  /** Another person has taken the case. */
  isTaken: boolean;
  /** The cloud did not accept an answer, and its case is back. */
  refused: { id: string; error: unknown } | null;
}

/** One is shown, and two are fetched ahead. */
const HELD = 3;
/** More, since others may claim some of them meanwhile. */
const READ = 6;
/** A claim is for 60 seconds. */
const RENEW_MS = 20_000;
const RETRY_MS = 3000;
const MAX_UNDOS = 20;

interface Unsent extends SentAnswer {
  key: string;
  wasTried: boolean;
}

/**
 * The pictures that one person reviews, oldest first. An answer shows the next case at once and is sent behind it; it
 * waits while there is no connection, and is sent again with the same key.
 */
export class ReviewQueue {
  readonly #calls: ReviewCalls;
  readonly #isWatched: () => boolean;
  readonly #listeners = new Set<() => void>();
  #state: ReviewState = {
    cases: [],
    isReady: false,
    error: null,
    unsent: 0,
    last: null,
    isTaken: false,
    refused: null,
  };
  #unsent: readonly Unsent[] = [];
  #answers: readonly Unsent[] = [];
  #sending: Promise<void> | null = null;
  #isCutOff = false;
  #isReading = false;
  #mustReadAgain = false;
  /** A counter that distinguishes what was before a read of the queue from what was after. */
  #moment = 0;
  /** When a case was answered; a queue that was read before may still have it. */
  readonly #answeredAt = new Map<string, number>();
  readonly #heldAt = new Map<string, number>();
  #isRunning = false;
  #renewing: ReturnType<typeof setInterval> | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;

  /** @param isWatched whether the person is at the page; claims are renewed only then */
  constructor(calls: ReviewCalls, isWatched: () => boolean) {
    this.#calls = calls;
    this.#isWatched = isWatched;
  }

  start(): void {
    this.#isRunning = true;
    this.#renewing = setInterval(() => {
      if (this.#isWatched()) this.renew();
    }, RENEW_MS);
    this.refresh();
  }

  /** Leaves the cases to others. Answers that wait are still sent. */
  stop(): void {
    this.#isRunning = false;
    clearInterval(this.#renewing);
    for (const { id } of this.#state.cases) this.#release(id);
    this.#change({ cases: [], isReady: false });
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): ReviewState => this.#state;

  /** Reads what waits, and fills up. */
  refresh(): void {
    if (!this.#isRunning) return;
    this.#mustReadAgain = true;
    if (this.#isReading) return;
    this.#isReading = true;
    void this.#readAll().finally(() => {
      this.#isReading = false;
    });
  }

  /** Keeps the cases for another minute. Cases that another person has claimed meanwhile go. */
  renew(): void {
    for (const { id } of this.#state.cases) {
      this.#calls.claim(id).catch((error: unknown) => {
        if (isTaken(error)) this.#drop([id]);
      });
    }
  }

  answer(answer: ReviewAnswer): void {
    const [shown, ...ahead] = this.#state.cases;
    if (shown === undefined) return;
    const sent: Unsent = { case: shown, answer, result: null, key: randomUuid(), wasTried: false };
    this.#answeredAt.set(shown.id, Number.POSITIVE_INFINITY);
    this.#unsent = [...this.#unsent, sent];
    this.#answers = [...this.#answers, sent].slice(-MAX_UNDOS);
    this.#change({ cases: ahead, isTaken: false, refused: null });
    this.#send();
    this.refresh();
  }

  /** Takes back the last answer, and shows its case again. @throws Refusal */
  async undo(): Promise<void> {
    const last = this.#answers.at(-1);
    if (last === undefined) return;
    this.#forget(last);
    if (last.wasTried) {
      await this.#sending;
      const before = this.#unsent;
      this.#unsent = before.filter((one) => one !== last);
      try {
        // The undo is sent even after a lost response: the cloud may have the answer.
        await this.#calls.undo(last.case.id);
      } catch (error) {
        if (isPassing(error)) {
          if (before.includes(last)) this.#unsent = [last, ...this.#unsent];
          this.#answers = [...this.#answers, last];
          this.#retrySoon();
        }
        this.#change({});
        throw error;
      }
    }
    this.#putBack(last.case);
  }

  #send(): void {
    if (this.#sending !== null) return;
    this.#sending = this.#sendAll().finally(() => {
      this.#sending = null;
      this.#change({});
    });
  }

  async #sendAll(): Promise<void> {
    for (;;) {
      const [first] = this.#unsent;
      if (first === undefined) return;
      first.wasTried = true;
      try {
        first.result = await this.#calls.answer(first.case.id, first.answer, first.key);
        this.#isCutOff = false;
      } catch (error) {
        this.#isCutOff = isPassing(error);
        if (this.#isCutOff) {
          this.#retrySoon();
          return;
        }
        this.#forget(first);
        if (isTaken(error)) this.#change({ isTaken: true });
        else this.#refuse(first, error);
      }
      if (this.#answeredAt.has(first.case.id)) this.#answeredAt.set(first.case.id, ++this.#moment);
      this.#unsent = this.#unsent.filter((one) => one !== first);
      this.#change({});
      if (this.#state.cases.length < HELD) this.refresh();
    }
  }

  async #readAll(): Promise<void> {
    while (this.#mustReadAgain && this.#isRunning) {
      this.#mustReadAgain = false;
      try {
        await this.#readOnce();
      } catch (error) {
        this.#change({ error });
        if (isPassing(error)) this.#retrySoon();
      }
    }
  }

  async #readOnce(): Promise<void> {
    const began = ++this.#moment;
    const found = await this.#calls.next(READ);
    const isAnswered = ({ id }: ReviewCase) => (this.#answeredAt.get(id) ?? -1) > began;
    const isHeld = ({ id }: ReviewCase) => this.#state.cases.some((one) => one.id === id);
    // If the list is full, the cases here may come after its end.
    if (found.length < READ) {
      const waits = new Set(found.map(({ id }) => id));
      const held = this.#state.cases.filter(({ id }) => (this.#heldAt.get(id) ?? began) < began);
      this.#drop(held.filter(({ id }) => !waits.has(id)).map(({ id }) => id));
    }
    const room = Math.max(0, HELD - this.#state.cases.length);
    const wanted = found.filter((one) => !isAnswered(one) && !isHeld(one)).slice(0, room);
    const claimed = await Promise.all(wanted.map((one) => this.#claim(one)));
    const got = claimed.filter((one): one is ReviewCase => one !== null);
    if (!this.#isRunning) {
      for (const { id } of got) this.#release(id);
      return;
    }
    for (const { id } of got) this.#heldAt.set(id, ++this.#moment);
    const cases = [...this.#state.cases, ...got.filter((one) => !isHeld(one))];
    this.#change({ cases, isReady: true, error: null });
  }

  async #claim(one: ReviewCase): Promise<ReviewCase | null> {
    try {
      await this.#calls.claim(one.id);
      return one;
    } catch (error) {
      if (!isTaken(error)) throw error;
      this.#mustReadAgain = true;
      return null;
    }
  }

  #release(id: string): void {
    this.#calls.release(id).catch(() => undefined);
  }

  #drop(ids: readonly string[]): void {
    const [shown] = this.#state.cases;
    const cases = this.#state.cases.filter(({ id }) => !ids.includes(id));
    if (cases.length === this.#state.cases.length) return;
    this.#change({ cases, isTaken: shown !== undefined && ids.includes(shown.id) });
    this.refresh();
  }

  #refuse({ case: one }: Unsent, error: unknown): void {
    this.#putBack(one);
    this.#change({ refused: { id: one.id, error } });
  }

  #putBack(one: ReviewCase): void {
    this.#unsent = this.#unsent.filter(({ case: { id } }) => id !== one.id);
    this.#answeredAt.delete(one.id);
    this.#heldAt.set(one.id, ++this.#moment);
    if (!this.#isRunning) this.#release(one.id);
    else
      this.#change({ cases: [one, ...this.#state.cases.filter(({ id }) => id !== one.id)], isTaken: false });
  }

  #forget(sent: Unsent): void {
    this.#answers = this.#answers.filter((one) => one !== sent);
    this.#change({});
  }

  #retrySoon(): void {
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => this.retry(), RETRY_MS);
  }

  /** Sends what waits, and reads again. */
  retry(): void {
    this.#send();
    this.refresh();
  }

  #change(changes: Partial<ReviewState>): void {
    this.#state = {
      ...this.#state,
      ...changes,
      unsent: this.#isCutOff ? this.#unsent.length : 0,
      last: this.#answers.at(-1) ?? null,
    };
    for (const listener of this.#listeners) listener();
  }
}

/** Another person claimed or answered it, or it is gone. */
function isTaken(error: unknown): boolean {
  return error instanceof Refusal && (error.status === 409 || error.status === 404);
}

function isPassing(error: unknown): boolean {
  return error instanceof Refusal && error.isPassing;
}
