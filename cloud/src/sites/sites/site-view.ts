import { CurrencySchema } from '@hlid/protocol/base/money';
import { TimeZoneSchema } from '@hlid/protocol/base/site-time';
import { NameSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { SiteSettingsSchema } from '@hlid/protocol/records/lane';
import { SITE_LIMITS } from '@hlid/protocol/records/site-limits';
import { SiteCodeSchema } from '@hlid/protocol/site-link/site-code';
import { z } from '@hono/zod-openapi';
import { settingsEdit } from '../../platform/http/merge-settings.ts';
import type { ApprovalLimits } from '../../records/sites/limited-acts.ts';
import type { SiteRow, SiteWithLink } from '../../records/sites/site-store.ts';
import { type DeviceSummary, DeviceSummarySchema } from '../devices/device.ts';

const EXAMPLE = {
  name: 'Harbour',
  timeZone: 'Atlantic/Reykjavik',
  currency: 'ISK',
};

/** No bill is as high. */
const MAX_LIMIT = 1_000_000_000_000;

const UpgradeRingSchema = z
  .int()
  .min(SITE_LIMITS.upgradeRing.min)
  .max(SITE_LIMITS.upgradeRing.max)
  .describe('The ring of a rollout in which the site is upgraded: 1 is the first.')
  .meta({ id: 'UpgradeRing' });

const LimitSchema = z.int().min(0).max(MAX_LIMIT).nullable();

export const ApprovalLimitsSchema = z
  .strictObject({
    refund: LimitSchema.describe('Refunds and reversals, all of one payment or invoice together.'),
    waiver: LimitSchema.describe(
      'What a visit owes and is waived (`void`, `whitelisted`): of one stay, and of one car within 24 hours, together.',
    ),
    credit: LimitSchema.describe('Credits of an issued invoice, all of one invoice together.'),
    close: LimitSchema.describe(
      'What is accepted and written off in the close of a day, all of one day together.',
    ),
  })
  .describe(
    'Above which amount each needs a second person, in the minor unit of the site’s currency; null: it never does.',
  )
  .meta({
    id: 'ApprovalLimits',
    example: { refund: 10_000, waiver: 5000, credit: null, close: 20_000 },
  }) satisfies z.ZodType<ApprovalLimits>;

/** A change of the limits. A limit that is left out stays as it is. */
export const LimitsEditSchema = ApprovalLimitsSchema.partial()
  .describe(
    'The limits to change, in the minor unit of the site’s currency. Null: no limit. A limit that is left out stays as it is.',
  )
  .meta({ id: 'ApprovalLimitsEdit', example: { refund: 10_000 } });
export type LimitsEdit = z.infer<typeof LimitsEditSchema>;

/** A new site. */
export const SiteBodySchema = z
  .strictObject({
    name: NameSchema,
    timeZone: TimeZoneSchema,
    currency: CurrencySchema,
    settings: SiteSettingsSchema.prefault({}),
  })
  .meta({ id: 'SiteBody', example: { ...EXAMPLE, settings: { capacity: 120 } } });

/** Absent: as it is. A setting that is null is as the system has it by default. */
export const SiteEditSchema = z
  .strictObject({
    name: NameSchema.optional(),
    timeZone: TimeZoneSchema.optional(),
    currency: CurrencySchema.optional(),
    settings: settingsEdit(SiteSettingsSchema).meta({ id: 'SiteSettingsEdit' }).optional(),
    upgradeRing: UpgradeRingSchema.optional(),
  })
  .meta({ id: 'SiteEdit', example: { settings: { capacity: 130 } } });

const PresenceViewSchema = z
  .strictObject({
    connected: z.boolean(),
    /** The time since which it has been connected, or not; null: never seen. */
    since: UtcTimeSchema.nullable(),
    /** Newest event of its log that is known of, and newest that is applied here. */
    seq: z.int(),
    acknowledged: z.int(),
    /** The change of its feed that it holds, and how many it lacks. */
    feedAt: z.int(),
    lag: z.int(),
    software: z.string().nullable(),
  })
  .meta({ id: 'SitePresence' });

const siteShape = {
  id: z.string(),
  code: SiteCodeSchema.describe(
    'On signs and screens, and in the address of the payment page: `/pay/{code}`.',
  ),
  name: z.string(),
  timeZone: z.string(),
  currency: z.string(),
  settings: SiteSettingsSchema,
  upgradeRing: UpgradeRingSchema,
  approvalLimits: ApprovalLimitsSchema,
};

export const SiteViewSchema = z
  .strictObject({
    ...siteShape,
    /** Whether it has a secret that is good. */
    status: z.enum(['active', 'revoked']),
    archivedOn: UtcTimeSchema.nullable().describe('Null: it is in use.'),
    createdOn: UtcTimeSchema,
    modifiedOn: UtcTimeSchema,
    presence: PresenceViewSchema,
    devices: DeviceSummarySchema,
  })
  .meta({ id: 'Site' });
export type SiteView = z.infer<typeof SiteViewSchema>;

export const NewSiteSchema = z
  .strictObject({ ...siteShape, secret: z.string().meta({ description: 'Shown only now.' }) })
  .meta({ id: 'NewSite' });

export const NewSecretSchema = z
  .strictObject({ secret: z.string().meta({ description: 'Shown only now.' }) })
  .meta({ id: 'NewSecret' });

const NO_DEVICES: DeviceSummary = { total: 0, alarms: 0, worst: null };

/** A site as the API shows it. */
export function siteView(
  { site, presence, headAt, committed }: SiteWithLink,
  devices: DeviceSummary = NO_DEVICES,
): SiteView {
  const feedAt = presence?.feedAt ?? 0;
  return {
    ...siteCore(site),
    status: site.secretHash === null ? 'revoked' : 'active',
    archivedOn: site.archivedAt,
    createdOn: site.createdAt,
    modifiedOn: site.modifiedAt,
    presence: {
      connected: presence?.connected ?? false,
      since: presence?.since ?? null,
      seq: Math.max(presence?.seq ?? 0, committed),
      acknowledged: committed,
      feedAt,
      lag: Math.max(0, headAt - feedAt),
      software: presence?.software ?? null,
    },
    devices,
  };
}

export function siteCore({
  id,
  code,
  name,
  timeZone,
  currency,
  settings,
  upgradeRing,
  approvalLimits,
}: SiteRow) {
  return { id, code, name, timeZone, currency, settings, upgradeRing, approvalLimits };
}
