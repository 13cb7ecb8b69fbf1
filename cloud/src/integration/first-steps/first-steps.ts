import type { UtcTime } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import { mayCall } from '../../people/auth/may-call.ts';
import { tokenLogin } from '../../people/auth/tokens.ts';
import { hasSecondFactor } from '../../people/second-factors/factors.ts';
import type { Queries } from '../../platform/db/db.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { CloudContext } from '../../platform/http/cloud-env.ts';
import { listSites } from '../../records/sites/find-sites.ts';
import { readOpening } from '../../sites/opening/read-opening.ts';
import {
  FIRST_STEP_STATES,
  FIRST_STEPS,
  type FirstStep,
  type FirstStepFacts,
  type FirstStepOutcome,
  firstSteps,
} from './first-steps-rule.ts';
import {
  arePutAway,
  backupState,
  hasColleague,
  hasEInvoice,
  hasProduct,
  mailState,
} from './first-steps-store.ts';

export const FirstStepsSchema = z
  .strictObject({
    steps: z.array(
      z.strictObject({
        step: z.enum(FIRST_STEPS),
        state: z
          .enum(FIRST_STEP_STATES)
          .describe(
            '`waiting`: something else has to happen first. `failing`: it is set up, and does not work.',
          ),
      }),
    ),
    siteId: z.string().nullable().describe('The first site; null: there is none.'),
    putAway: z.boolean().describe('The caller does not want to see them any more.'),
  })
  .meta({ id: 'FirstSteps' });
type FirstSteps = z.infer<typeof FirstStepsSchema>;

type Account = Extract<Caller, { kind: 'account' }>;

/**
 * The route of each step: its callers can do the step, or have it done. Mail, backups and access points are in the
 * configuration.
 */
const DONE_BY: Readonly<Record<FirstStep, string>> = {
  'second-factor': 'POST /session/step-up',
  mail: 'POST /sites',
  backup: 'POST /sites',
  site: 'POST /sites',
  seller: 'POST /sites',
  prices: 'POST /products',
  'access-point': 'POST /sites',
  opening: 'POST /sites',
  colleague: 'POST /accounts',
};

/** The remaining steps of a new installation, as far as the caller can do them. */
export async function readFirstSteps(
  q: Queries,
  { installation, accessPoints }: Pick<CloudContext, 'installation' | 'accessPoints'>,
  caller: Account,
  now: UtcTime,
): Promise<FirstSteps> {
  const { accountId } = caller;
  const site = await firstSite(q, now);
  const loginId = await tokenLogin(q, caller.tokenId);
  const facts: FirstStepFacts = {
    hasSecondFactor: loginId === null ? null : await hasSecondFactor(q, loginId),
    mail: installation.sendsMail ? await mailState(q) : 'absent',
    backup: installation.makesBackups
      ? await backupState(q)
      : installation.hasDatabaseServer
        ? null
        : 'absent',
    site,
    hasProduct: await hasProduct(q),
    hasAccessPoint: (await hasEInvoice(q)) ? accessPoints.ids().length > 0 : null,
    hasColleague: await hasColleague(q, accountId),
  };
  const steps = firstSteps(facts).filter(({ step }) => isFor(caller, step));
  const isSiteShown = steps.some(({ step }) => step === 'opening');
  return {
    steps,
    siteId: isSiteShown ? (site?.id ?? null) : null,
    putAway: await arePutAway(q, accountId),
  };
}

function isFor(caller: Account, step: FirstStepOutcome['step']): boolean {
  return mayCall(caller, DONE_BY[step], {});
}

/** The site that was made first, of those in use. */
async function firstSite(q: Queries, now: UtcTime) {
  const sites = (await listSites(q)).map(({ site }) => site).filter(({ archivedAt }) => archivedAt === null);
  const [site] = sites.toSorted((a, b) => (a.createdAt < b.createdAt ? -1 : 1));
  if (site === undefined) return null;
  const opening = await readOpening(q, site.id, null, now);
  return {
    id: site.id,
    hasSeller: site.settings.seller !== undefined,
    isOpen: opening?.steps.find(({ step }) => step === 'live')?.state === 'done',
  };
}
