import { type ActionRules, actionsSchema } from '../../../people/auth/record-actions.ts';
import type { CustodianRow } from '../../../records/vehicles/custodian-table.ts';

export const CUSTODIAN_ACTION_NAMES = ['release'] as const;
export type CustodianAction = (typeof CUSTODIAN_ACTION_NAMES)[number];

/** The actions of a custody. The command does nothing by the same rule. */
export const CUSTODIAN_ACTIONS = {
  release: {
    route: 'DELETE /custodians/:id',
    refuse: ({ status }: Pick<CustodianRow, 'status'>) =>
      status === 'archived' ? ('nothing-to-do' as const) : null,
  },
} satisfies ActionRules<CustodianAction, Pick<CustodianRow, 'status'>>;

export const CustodianActionsSchema = actionsSchema(CUSTODIAN_ACTION_NAMES, CUSTODIAN_ACTIONS);
