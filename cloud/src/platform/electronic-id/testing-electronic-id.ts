import type { ElectronicId, Identification, Progress, ProviderState } from './electronic-id.ts';
import type { ElectronicIdConfig } from './electronic-id-config.ts';

type Settings = Extract<ElectronicIdConfig, { kind: 'testing' }>;

/** The number of checks after which a simulated phone answers. */
const CHECKS = 2;
const WAIT_SECONDS = 2;

/** Simulated phones, for the demo and for tests. A phone accepts unless its `does` is something else. */
export class TestingElectronicId implements ElectronicId {
  readonly kind = 'testing';
  readonly methods = ['sim', 'app'] as const;
  readonly #people: Settings['people'];

  constructor({ people }: Settings) {
    this.#people = people;
  }

  async start({ method, user }: Identification): Promise<Progress> {
    const at = this.#people.findIndex(({ phone, ssn }) => user === (method === 'sim' ? phone : ssn));
    if (at === -1) return { kind: 'failed', reason: 'no-identity', code: null };
    return { kind: 'pending', state: { at, checks: 0 }, waitSeconds: WAIT_SECONDS };
  }

  async check({ at, checks }: ProviderState): Promise<Progress> {
    const person = this.#people[Number(at)];
    if (person === undefined) return { kind: 'failed', reason: 'unknown', code: null };
    const done = Number(checks) + 1;
    if (done < CHECKS || person.does === 'wait') {
      return { kind: 'pending', state: { at: Number(at), checks: done }, waitSeconds: WAIT_SECONDS };
    }
    if (person.does === 'accept') return { kind: 'identified', ssn: person.ssn, name: person.name };
    return { kind: 'failed', reason: REASONS[person.does], code: null };
  }
}

const REASONS = { cancel: 'cancelled', timeout: 'timeout', blocked: 'error' } as const;
