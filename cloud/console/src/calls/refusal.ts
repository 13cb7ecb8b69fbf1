import type { AnyMistake } from '@hlid/protocol/base/mistakes/any-mistake';

interface RefusalBody {
  exception?: { message?: string };
  messages?: string[];
  codes?: AnyMistake[];
  id?: string;
}

/** Why there is no answer: this browser has no network, nothing could be reached, it took too long, or a person stopped it. */
export type Unanswered = 'offline' | 'unreachable' | 'timeout' | 'cancelled';

/** A refusal of the cloud, with its reasons. Status 0: it did not answer. */
export class Refusal extends Error {
  readonly status: number;
  /** Null: it did answer. */
  readonly unanswered: Unanswered | null;
  /** English sentences, for what has no words here. */
  readonly messages: readonly string[];
  readonly codes: readonly AnyMistake[];
  /** The id of the record that was made before (422). */
  readonly id: string | null;
  readonly retryAfterSeconds: number | null;

  constructor(
    status: number,
    body: RefusalBody,
    retryAfterSeconds: number | null,
    unanswered: Unanswered | null = null,
  ) {
    const messages = body.messages ?? [];
    super(messages.join(' ') || body.exception?.message || `Status ${status}`);
    this.status = status;
    this.unanswered = unanswered;
    this.messages = messages;
    this.codes = body.codes ?? [];
    this.id = body.id ?? null;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  static noAnswer(): Refusal {
    return Refusal.unanswered(globalThis.navigator?.onLine === false ? 'offline' : 'unreachable');
  }

  static unanswered(why: Unanswered): Refusal {
    return new Refusal(0, {}, null, why);
  }

  get needsStepUp(): boolean {
    return this.codes.some(({ code }) => code === 'step-up-needed');
  }

  /** Whether the same call may succeed later. */
  get isPassing(): boolean {
    return this.status === 0 || this.status === 429 || this.status >= 500;
  }
}

export async function refusalOf(response: Pick<Response, 'status' | 'headers' | 'text'>): Promise<Refusal> {
  const retryAfter = response.headers.get('Retry-After');
  const seconds = retryAfter === null ? null : Number(retryAfter);
  const body = readBody(await response.text().catch(() => ''));
  return new Refusal(response.status, body, Number.isFinite(seconds) ? seconds : null);
}

function readBody(text: string): RefusalBody {
  try {
    // A proxy may have answered in the cloud's place, with anything.
    const body: unknown = JSON.parse(text);
    return typeof body === 'object' && body !== null ? body : {};
  } catch {
    return {};
  }
}
