import { type Mistake, mistake } from '@hlid/protocol/base/mistakes/mistake';
import { z } from 'zod';
import type { Caller } from '../../platform/http/caller.ts';
import { type CalledThing, mayCall } from './may-call.ts';

/** One thing that can be done with a record. Its command refuses by the same rule. */
export interface ActionRule<Facts> {
  /** The route that does it, as the access table names it. */
  route: string;
  /**
   * Why the record does not allow it as it is; null: it does. What a body asks for is checked by the command.
   * `nothing-to-do`: the command accepts it, and changes nothing.
   */
  refuse(facts: Facts): Mistake | 'nothing-to-do' | null;
}

export type ActionRules<Action extends string, Facts> = Readonly<Record<Action, ActionRule<Facts>>>;

/** The rule of what the access table alone decides. */
export const ALWAYS = () => null;

/** Why a record does not allow it to this caller, though the access table does. */
export const NOT_ALLOWED = mistake('not-allowed');

/** The actions that a caller can take with a record now, in the order of `names`. */
export function actionsFor<Action extends string, Facts>(
  names: readonly Action[],
  rules: ActionRules<Action, NoInfer<Facts>>,
  caller: Caller,
  thing: CalledThing,
  facts: Facts,
): Action[] {
  return names.filter(
    (name) => mayCall(caller, rules[name].route, thing) && rules[name].refuse(facts) === null,
  );
}

/** `actions` of a record, as the API describes it. */
export function actionsSchema<Action extends string>(
  names: readonly [Action, ...Action[]],
  rules: Readonly<Record<Action, Pick<ActionRule<never>, 'route'>>>,
) {
  const routes = names.map((name) => `\`${name}\`: ${rules[name].route.replaceAll(/:(\w+)/g, '{$1}')}`);
  return z
    .array(z.enum(names))
    .describe(
      `What the caller can do with it now. Ignore actions that you do not know. ${routes.join('; ')}.`,
    );
}
