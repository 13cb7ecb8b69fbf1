import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { type ActionRules, actionsSchema } from '../../people/auth/record-actions.ts';
import type { PackageRow } from './rollout-store.ts';

export const PACKAGE_ACTION_NAMES = ['delete'] as const;
export type PackageAction = (typeof PACKAGE_ACTION_NAMES)[number];

/** The facts that decide about the actions of a package. */
export interface PackageFacts extends Pick<PackageRow, 'version'> {
  /** The version of the rollout that is not over; null: there is none. */
  openVersion: string | null;
}

/** The actions of a package. The command refuses by this rule. */
export const PACKAGE_ACTIONS = {
  delete: {
    route: 'DELETE /edge-packages/:id',
    refuse: ({ version, openVersion }: PackageFacts) =>
      version === openVersion ? mistake('package-in-use') : null,
  },
} satisfies ActionRules<PackageAction, PackageFacts>;

export const PackageActionsSchema = actionsSchema(PACKAGE_ACTION_NAMES, PACKAGE_ACTIONS);
