import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { LESSONS, type Lesson, type LessonRun } from '@hlid/cloud/platform/trainer';
import { messageOf } from '@hlid/protocol/base/fault';
import { utcTime } from '@hlid/protocol/base/utc-time';
import { z } from 'zod';
import { type LessonCarPark, planLesson } from './lesson-situations.ts';

const OrderSchema = z.strictObject({ account: z.string().min(1).max(100), lesson: z.enum(LESSONS) });

/** The newest run of each lesson, by account. */
export type LessonRuns = Record<string, LessonRun[]>;

interface TrainerOptions {
  readRuns: () => LessonRuns;
  writeRuns: (runs: LessonRuns) => void;
  print: (text: string) => void;
}

/** The trainer of the demo's cloud: it makes the situations of lessons at the simulated car park. */
export class DemoTrainer {
  readonly #options: TrainerOptions;
  readonly #server = createServer((request, response) => void this.#answer(request, response));
  readonly #runs: LessonRuns;
  /** The situations that are being made, by account and lesson. */
  readonly #underWay = new Map<string, { end: AbortController; ended: Promise<void> }>();
  /** Null: the car park is not there yet. */
  #carPark: LessonCarPark | null = null;

  constructor(options: TrainerOptions) {
    this.#options = options;
    this.#runs = options.readRuns();
  }

  /** @returns its address, for the configuration of the cloud */
  async listen(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  /** Lessons can begin from now on. */
  open(carPark: LessonCarPark): void {
    this.#carPark = carPark;
  }

  /** Situations that are being made stop where they are, and no other begins. */
  async end(): Promise<void> {
    this.#carPark = null;
    for (const { end } of this.#underWay.values()) end.abort();
    await Promise.all([...this.#underWay.values()].map(({ ended }) => ended));
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    try {
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://trainer');
      if (pathname !== '/runs' || this.#carPark === null) return send(response, 503, {});
      if (request.method === 'GET') {
        return send(response, 200, { runs: this.#runs[searchParams.get('account') ?? ''] ?? [] });
      }
      const order = OrderSchema.safeParse(await json(request));
      if (request.method !== 'POST' || !order.success) return send(response, 400, {});
      send(response, 200, await this.#begin(this.#carPark, order.data));
    } catch (error) {
      this.#options.print(`The trainer failed: ${messageOf(error)}`);
      send(response, 500, {});
    }
  }

  async #begin(
    carPark: LessonCarPark,
    { account, lesson }: { account: string; lesson: Lesson },
  ): Promise<LessonRun> {
    const key = `${account} ${lesson}`;
    const before = this.#underWay.get(key);
    before?.end.abort();
    await before?.ended;
    const { situation, make } = planLesson(carPark, lesson);
    const run = { lesson, startedOn: utcTime(new Date()), siteId: carPark.siteId, ...situation };
    const others = (this.#runs[account] ?? []).filter((one) => one.lesson !== lesson);
    this.#runs[account] = [...others, run];
    this.#options.writeRuns(this.#runs);
    const end = new AbortController();
    const ended = make(run, end.signal).catch((error: unknown) => {
      if (!end.signal.aborted) this.#options.print(`The lesson ${lesson} went wrong: ${messageOf(error)}`);
    });
    this.#underWay.set(key, { end, ended });
    return run;
  }
}

function send(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
