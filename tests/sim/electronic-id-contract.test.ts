import { AudkenniCiba } from '@hlid/cloud/platform/electronic-id/audkenni-ciba';
import { AudkenniRest } from '@hlid/cloud/platform/electronic-id/audkenni-rest';
import type {
  ElectronicId,
  ElectronicIdMethod,
  FailureReason,
  Progress,
  ProviderState,
} from '@hlid/cloud/platform/electronic-id/electronic-id';
import { TestingElectronicId } from '@hlid/cloud/platform/electronic-id/testing-electronic-id';
import { codeOfHash, newVerification } from '@hlid/cloud/platform/electronic-id/verification-code';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AudkenniCibaServer, CIBA_PRIVATE_KEY } from './audkenni-ciba-server.ts';
import {
  AUDKENNI_CLIENT,
  type AudkenniFault,
  type AudkenniRealm,
  type AudkenniStep,
} from './audkenni-realm.ts';
import { AudkenniRestServer } from './audkenni-rest-server.ts';

const ANNA = { ssn: '1201603389', phone: '6123456', name: 'Anna Jónsdóttir' };
const BO = { ssn: '1201743399', phone: '7123456', name: 'Bo Jónsson' };
const NEVER = new AbortController().signal;
type Manner = 'accept' | 'cancel' | 'ignore' | 'blocked';

interface Rig {
  provider: ElectronicId;
  /** Null: there is no server. */
  realm: AudkenniRealm | null;
  /** The behaviour of Anna's phone; Bo always accepts. */
  behaves(manner: Manner, afterMs?: number): void;
  advance(ms: number): void;
  stop(): Promise<void>;
}

const MSSP = { accept: 'accept', cancel: 'mssp_401', ignore: 'ignore', blocked: 'mssp_402' } as const;

function rigOf(provider: ElectronicId, realm: AudkenniRealm): Rig {
  realm.people.push({ ...ANNA, does: 'accept', afterMs: 3000 }, { ...BO, does: 'accept', afterMs: 0 });
  return {
    provider,
    realm,
    behaves(manner, afterMs = 3000) {
      realm.people[0] = { ...ANNA, does: MSSP[manner], afterMs };
    },
    advance(ms) {
      realm.now += ms;
    },
    stop: () => realm.stop(),
  };
}

async function startRest(
  settings: Partial<typeof AUDKENNI_CLIENT> = {},
): Promise<Rig & { server: AudkenniRestServer }> {
  const server = new AudkenniRestServer();
  await server.start();
  const { url } = server.realm;
  const config = { kind: 'audkenni-rest', apiVersion: 'api_v202', relatedParty: '' } as const;
  const provider = new AudkenniRest({ ...config, url, ...AUDKENNI_CLIENT, ...settings });
  return { ...rigOf(provider, server.realm), server };
}

async function startCiba(settings: object = {}): Promise<Rig & { server: AudkenniCibaServer }> {
  const server = new AudkenniCibaServer();
  await server.start();
  const { clientId, clientSecret } = AUDKENNI_CLIENT;
  const own = {
    clientId,
    clientSecret,
    privateKey: CIBA_PRIVATE_KEY,
    relatedParty: 'Bílastæði',
    ...settings,
  };
  const clock = { now: () => new Date(server.realm.now) };
  const provider = new AudkenniCiba({ kind: 'audkenni-ciba', url: server.realm.url, ...own }, clock);
  return { ...rigOf(provider, server.realm), server };
}

async function startTesting(): Promise<Rig> {
  const does = { accept: 'accept', cancel: 'cancel', ignore: 'timeout', blocked: 'blocked' } as const;
  const people = [
    { ...ANNA, does: 'accept' as (typeof does)[Manner] },
    { ...BO, does: 'accept' as const },
  ];
  return {
    provider: new TestingElectronicId({ kind: 'testing', people }),
    realm: null,
    behaves(manner) {
      people[0] = { ...ANNA, does: does[manner] };
    },
    advance: () => undefined,
    stop: async () => undefined,
  };
}

/** Sends something to Anna's phone. */
function begin(rig: Rig, method: ElectronicIdMethod = 'sim', person = ANNA) {
  const { code, hash } = newVerification(method);
  const text = method === 'sim' ? `Innskráning Öryggistala: ${code}` : 'Innskráning';
  const user = method === 'sim' ? person.phone : person.ssn;
  return { code, progress: rig.provider.start({ method, user, text, hash }, NEVER) };
}

/** Polls as the cloud does: the state goes through a database, and `waitSeconds` is waited for. */
async function finish(rig: Rig, begun: Progress): Promise<{ end: Progress; polls: number }> {
  let progress = begun;
  for (let polls = 0; polls < 200; polls++) {
    if (progress.kind !== 'pending') return { end: progress, polls };
    expect(progress.waitSeconds).toBeGreaterThan(0);
    rig.advance(progress.waitSeconds * 1000);
    const state = JSON.parse(JSON.stringify(progress.state)) as ProviderState;
    progress = await rig.provider.check(state, NEVER);
  }
  throw new Error('it never ends');
}

/** All of it. */
async function identify(rig: Rig, method: ElectronicIdMethod = 'sim', person = ANNA): Promise<Progress> {
  return (await finish(rig, await begin(rig, method, person).progress)).end;
}

const failed = (reason: FailureReason) => expect.objectContaining({ kind: 'failed', reason });
const IDENTIFIED = { kind: 'identified', ssn: ANNA.ssn, name: ANNA.name };

let rig: Rig;
afterEach(async () => {
  await rig.stop();
  expect(rig.realm?.violations ?? []).toEqual([]);
});

describe.each([
  ['audkenni-rest', startRest],
  ['audkenni-ciba', startCiba],
  ['testing', startTesting],
])('an electronic identity of kind %s', (kind, start) => {
  beforeEach(async () => {
    rig = await start();
  });

  it('has its kind', () => expect(rig.provider.kind).toBe(kind));

  it.each(['sim', 'app'] as const)(
    'identifies by %s a person who accepts, and nobody before',
    async (method) => {
      const begun = await begin(rig, method).progress;
      expect(begun.kind).toBe('pending');
      const { end, polls } = await finish(rig, begun);
      expect(end).toEqual(IDENTIFIED);
      expect(polls).toBeGreaterThan(1);
    },
  );

  it.each<[Manner, FailureReason]>([
    ['cancel', 'cancelled'],
    ['ignore', 'timeout'],
    ['blocked', 'error'],
  ])('ends where the phone does this: %s', async (manner, reason) => {
    rig.behaves(manner);
    expect(await identify(rig)).toEqual(failed(reason));
  });

  it.each(['sim', 'app'] as const)('does not know a stranger by %s', async (method) => {
    const stranger = { ...ANNA, ssn: '0101307789', phone: '8999999' };
    expect(await identify(rig, method, stranger)).toEqual(failed('no-identity'));
  });

  it('keeps people apart', async () => {
    const [anna, bo] = [await begin(rig).progress, await begin(rig, 'app', BO).progress];
    expect((await finish(rig, bo)).end).toMatchObject({ ssn: BO.ssn });
    expect((await finish(rig, anna)).end).toMatchObject({ ssn: ANNA.ssn });
  });
});

describe.each([
  ['REST', startRest, ['authorize', 'token', 'person']],
  ['CIBA', startCiba, ['person']],
] as const)('Auðkenni by %s', (_name, start, laterSteps) => {
  beforeEach(async () => {
    rig = await start();
  });
  const realm = () => rig.realm as AudkenniRealm;

  it.each(['sim', 'app'] as const)(
    'shows the same code on the page and on the phone (%s)',
    async (method) => {
      for (let n = 0; n < 20; n++) {
        const { code, progress } = begin(rig, method);
        await progress;
        expect(realm().rang.at(-1)).toMatchObject({ code, method });
      }
    },
  );

  it('waits for a person who needs two minutes, and polls no faster than it may', async () => {
    rig.behaves('accept', 110_000);
    expect(await identify(rig)).toEqual(IDENTIFIED);
  });

  it.each<[FailureReason, string[]]>([
    ['timeout', ['208', '209']],
    ['cancelled', ['401']],
    ['no-identity', ['105', '404']],
    ['error', ['402', '403', '101', '102', '103', '104', '107', '108', '109']],
    ['unknown', ['100', '900', '999']],
  ])('ends as %s by the documented codes', async (reason, codes) => {
    for (const code of codes) {
      realm().people[0] = { ...ANNA, does: `mssp_${Number(code)}`, afterMs: 0 };
      expect(await identify(rig), code).toEqual({ kind: 'failed', reason, code: `mssp_${code}` });
    }
  });

  it.each<[AudkenniStep, AudkenniFault]>([
    ...(['cut', 'busy', 'hang'] as const).map((fault): [AudkenniStep, AudkenniFault] => ['poll', fault]),
    ...laterSteps.map((step): [AudkenniStep, AudkenniFault] => [step, 'cut']),
  ])('goes on after a fault while it polls: %s, %s', async (step, fault) => {
    realm().failOnce(step, fault);
    const begun = await begin(rig).progress;
    if (begun.kind !== 'pending') throw new Error(JSON.stringify(begun));
    rig.advance(10_000);
    const after = await rig.provider.check(begun.state, AbortSignal.timeout(500));
    expect(after.kind).toBe('pending');
    expect((await finish(rig, after)).end).toEqual(IDENTIFIED);
    expect(realm().rang).toHaveLength(1);
  });

  it('does not know whether a phone rang whose answer was lost, and lets it ring once', async () => {
    realm().failOnce('ring', 'cut-after');
    expect(await identify(rig)).toEqual(failed('unknown'));
    expect(realm().rang).toHaveLength(1);
  });

  it('is an error where no server is there', async () => {
    await realm().stop();
    expect(await identify(rig)).toEqual(failed('error'));
    await realm().start(() => null);
  });

  it.each(['garbage', 'huge', 'busy'] as const)('ends where the first answer is this: %s', async (fault) => {
    realm().failOnce('ring', fault);
    expect((await identify(rig)).kind).toBe('failed');
    expect(realm().rang).toEqual([]);
  });

  it('gives up by its deadline', async () => {
    realm().failOnce('ring', 'hang');
    const { hash } = newVerification('sim');
    const identification = { method: 'sim', user: ANNA.phone, text: 'Code: 1234', hash } as const;
    const progress = await rig.provider.start(identification, AbortSignal.timeout(100));
    expect(progress).toEqual(failed('unknown'));
  });
});

describe('Auðkenni by REST', () => {
  it('identifies no person by a redirect that answers another request', async () => {
    const rest = await startRest();
    rig = rest;
    rest.server.wrongState = 'another';
    expect(await identify(rig)).toEqual(failed('unknown'));
  });

  it.each(['more', 'fewer'] as const)(
    'sends nothing to a journey that has %s questions',
    async (questions) => {
      const rest = await startRest();
      rig = rest;
      rest.server.otherQuestions = questions;
      expect(await identify(rig)).toEqual(failed('error'));
      expect(rest.server.realm.rang).toEqual([]);
    },
  );

  it('is an error for a client that is not known', async () => {
    rig = await startRest({ clientId: 'nobody' as 'hlidTest' });
    expect(await identify(rig)).toEqual({ kind: 'failed', reason: 'error', code: 'InvalidClientId' });
  });

  it('identifies no person with a wrong secret', async () => {
    rig = await startRest({ clientSecret: 'wrong' as 'leyndarmál' });
    expect((await identify(rig)).kind).toBe('failed');
  });
});

describe('Auðkenni by CIBA', () => {
  it('polls more slowly after `slow_down`', async () => {
    const ciba = await startCiba();
    rig = ciba;
    ciba.server.slowDownOnce = true;
    expect(await identify(rig)).toEqual(IDENTIFIED);
  });

  it('is an error for a client that is not known', async () => {
    rig = await startCiba({ clientSecret: 'wrong' });
    expect(await identify(rig)).toEqual({ kind: 'failed', reason: 'error', code: 'invalid_client' });
  });
});

it('the code of a hash is the documented one', async () => {
  rig = await startTesting();
  // Auðkenni's own example, "Calculating Verification Code" and its step-by-step pages.
  const hash = 'n/kRNhXaZ2jFKv8KlQX7ydgedXUmVy8b2O4xNq2ZxHteG7wOvCa0Kg3rY1JLOrOBXYQm+z2FRVwIv47w8gUb5g==';
  expect(codeOfHash(hash)).toBe('4141');
});
