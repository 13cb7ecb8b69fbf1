import type { ElectronicId, Identification, Progress } from '../src/platform/electronic-id/electronic-id.ts';
import { type Answer, API_KEY, type Json, type TestApi } from './api.ts';

export const SSN = '1201603389';
export const PHONE = '6123456';
export const ACCEPTED: Progress = { kind: 'identified', ssn: SSN, name: 'Anna' };
export const PENDING: Progress = { kind: 'pending', state: { n: 1 }, waitSeconds: 2 };

/** A provider with scripted answers, for tests. It records which person's phone rang. */
export class ScriptedElectronicId implements ElectronicId {
  readonly kind = 'scripted';
  readonly methods = ['sim', 'app'] as const;
  readonly rang: Identification[] = [];
  checks = 0;
  /** The answers of `start` and then of `check`. */
  starts: Progress | Promise<Progress> = PENDING;
  answers: Progress | Promise<Progress> = ACCEPTED;

  async start(identification: Identification): Promise<Progress> {
    this.rang.push(identification);
    return await this.starts;
  }

  async check(): Promise<Progress> {
    this.checks++;
    return await this.answers;
  }
}

/** A client of the three calls. */
export class ElectronicIdClient {
  readonly #call: TestApi['call'];
  readonly headers: Record<string, string>;

  constructor(api: Pick<TestApi, 'call'>, headers: Record<string, string> = {}) {
    this.#call = api.call;
    this.headers = { 'x-api-key': API_KEY, ...headers };
  }

  call(step: 'init' | 'authenticate' | 'status', body?: Json): Promise<Answer> {
    const options = { token: null, headers: this.headers, ...(body !== undefined && { body }) };
    return this.#call('POST', `/auth/login/stefna/${step}`, options);
  }

  async session(): Promise<string> {
    return String((await this.call('init')).body['session']);
  }

  /** Names a person in a new session. */
  async start(fields: Json = {}): Promise<Answer & { poll: Json }> {
    const session = await this.session();
    const answer = await this.call('authenticate', { session, method: 'sim', phone: PHONE, ...fields });
    return { ...answer, poll: { session, bearerToken: answer.body['bearerToken'] } };
  }

  status(poll: Json): Promise<Answer> {
    return this.call('status', poll);
  }
}
