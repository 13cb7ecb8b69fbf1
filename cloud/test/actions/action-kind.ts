import fc from 'fast-check';
import { z } from 'zod';
import type { CallOptions, Json, TestApi } from '../api.ts';
import type { OnlineRig } from '../online-payments.ts';

/** The call of an action. */
export interface ActionCall {
  /** The path that replaces the one of its route. */
  path?: string;
  body?: Json;
}

/** A kind of record with answers that name the actions of their reader, for the walk over all of them. */
export interface ActionKind {
  /** The route of each action. */
  routes: Readonly<Record<string, string>>;
  pathOf(id: string): string;
  /** Reads the record, from its list where it has no answer of its own. */
  read(api: TestApi, id: string, options?: CallOptions): Promise<{ status: number; body: Json }>;
  /** Makers of records, each in a different state. */
  makers(seed: number, count: number): ((rig: OnlineRig) => Promise<string>)[];
  /** Null: in this state the call of the action would be that of another one. */
  call(action: string, api: TestApi, record: Json): Promise<ActionCall | null>;
}

const ListSchema = z.looseObject({ data: z.array(z.looseObject({ id: z.string() })) });

interface GivenKind<Action extends string, State> {
  rules: Readonly<Record<Action, { route: string }>>;
  states: fc.Arbitrary<State>;
  /** Makes a record in that state. @returns its id */
  make(rig: OnlineRig, state: State): Promise<string>;
  /** The path of the record's answer. */
  pathOf(id: string): string;
  /** The list that has the record, where it has no answer of its own. */
  listOf?(api: TestApi): string;
  /** Reads a record that is a part of another answer. */
  read?: ActionKind['read'];
  /** A call of each action with which nothing is wrong but, perhaps, the state of the record. @see ActionKind.call */
  calls: Readonly<
    Record<Action, (api: TestApi, record: Json) => Promise<ActionCall | null> | ActionCall | null>
  >;
}

export function actionKind<Action extends string, State>({
  rules,
  states,
  make,
  pathOf,
  listOf,
  read,
  calls,
}: GivenKind<Action, State>): ActionKind {
  const named: Readonly<Record<string, GivenKind<Action, State>['calls'][Action]>> = calls;
  const all: Readonly<Record<string, { route: string }>> = rules;
  return {
    routes: Object.fromEntries(Object.entries(all).map(([action, { route }]) => [action, route])),
    pathOf,
    async read(api, id, options) {
      if (read !== undefined) return await read(api, id, options);
      if (listOf === undefined) return await api.call('GET', pathOf(id), options);
      const { status, body } = await api.call('GET', listOf(api), options);
      const row = status === 200 ? ListSchema.parse(body).data.find((one) => one.id === id) : undefined;
      return row === undefined ? { status: 404, body: {} } : { status, body: row };
    },
    makers: (seed, count) =>
      fc.sample(states, { seed, numRuns: count }).map((state) => (rig) => make(rig, state)),
    async call(action, api, record) {
      const call = named[action];
      if (call === undefined) throw new Error(`there is no call for ${action}`);
      return await call(api, record);
    },
  };
}
