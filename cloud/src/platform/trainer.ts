import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { DeviceKindSchema } from '@hlid/protocol/records/device';
import { z } from 'zod';

/** The lessons of a training installation, in order. */
export const LESSONS = [
  'first-car',
  'misread-plate',
  'no-money',
  'device-down',
  'refund',
  'closing-day',
] as const;
export type Lesson = (typeof LESSONS)[number];

/** A situation that a trainer has made, or is making, for one account. */
export const LessonRunSchema = z.strictObject({
  lesson: z.enum(LESSONS),
  startedOn: UtcTimeSchema,
  siteId: z.string(),
  /** The car of the lesson. Null: it has none. */
  plate: z.string().nullable(),
  /** The camera's reading in place of the plate. */
  readAs: z.string().nullable(),
  /** A second car. */
  otherPlate: z.string().nullable(),
  device: z.strictObject({ kind: DeviceKindSchema, id: z.string() }).nullable(),
});
export type LessonRun = z.infer<typeof LessonRunSchema>;

const RunsSchema = z.strictObject({ runs: z.array(LessonRunSchema).max(LESSONS.length) });
const TIMEOUT_MS = 5000;

/**
 * The program that simulates the car park of a training installation, at the address of the configuration:
 * `GET /runs?account=…` answers the newest run of each lesson of an account, `POST /runs` with `{ account, lesson }`
 * begins one and answers it at once, while its situation is being made.
 */
export class Trainer {
  readonly #url: string;

  constructor(url: string) {
    this.#url = url;
  }

  /** Null: the trainer does not answer. */
  async runs(account: string): Promise<LessonRun[] | null> {
    const answer = await this.#ask(`/runs?${new URLSearchParams({ account })}`, {});
    return RunsSchema.safeParse(answer).data?.runs ?? null;
  }

  /** Null: the trainer does not answer. */
  async start(account: string, lesson: Lesson): Promise<LessonRun | null> {
    const headers = { 'content-type': 'application/json' };
    const body = JSON.stringify({ account, lesson });
    return (
      LessonRunSchema.safeParse(await this.#ask('/runs', { method: 'POST', headers, body })).data ?? null
    );
  }

  async #ask(path: string, init: RequestInit): Promise<unknown> {
    try {
      const response = await fetch(this.#url + path, { ...init, signal: AbortSignal.timeout(TIMEOUT_MS) });
      return response.ok ? await response.json() : null;
    } catch {
      return null;
    }
  }
}
