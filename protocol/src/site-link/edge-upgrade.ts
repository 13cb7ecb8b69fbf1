import { z } from 'zod';
import { TypedTextSchema } from '../base/card-number.ts';
import { UtcTimeSchema } from '../base/utc-time.ts';

/**
 * `POST /edge/upgrade`, an `EdgeUpgradeReport`: `EdgeUpgradeAnswer`. A site asks again and again whether the cloud has ordered another
 * version for it, and reports how far it is. `GET /edge/upgrade/{orderId}/package`: the package; 404: the order is withdrawn.
 *
 * The cloud cannot make a site install anything that the holder of a key has not signed: see upgrade/minisign.ts of the edge.
 */
export const EDGE_UPGRADE_PATH = '/edge/upgrade';

/** Larger than any package. */
export const MAX_PACKAGE_BYTES = 256 * 1024 * 1024;

/** The version of a Debian package. */
export const PackageVersionSchema = z
  .string()
  .max(64)
  .regex(/^[0-9][0-9A-Za-z.+~-]*$/)
  .meta({ id: 'PackageVersion', example: '0.3.0' });

/** The same words as `dpkg --print-architecture`. */
export const PackageArchitectureSchema = z.enum(['amd64', 'arm64']).meta({ id: 'PackageArchitecture' });
export type PackageArchitecture = z.infer<typeof PackageArchitectureSchema>;

/** A file `.minisig`, as minisign writes it: https://jedisct1.github.io/minisign/. */
export const PackageSignatureSchema = z
  .string()
  .max(2000)
  .regex(/^untrusted comment: .*\n[A-Za-z0-9+/=]+\ntrusted comment: .*\n[A-Za-z0-9+/=]+\n?$/)
  .meta({ id: 'PackageSignature' });

/**
 * How far a site is with an upgrade.
 *
 * - `downloading`; `working`: the package is checked and tried, or waits until no payment is under way;
 * nothing has changed yet. `installing`.
 * - `refused`: nothing was changed; `done`; `went-back`: the former version runs again.
 * - `stuck`: the former version does not work either.
 */
export const UpgradeOutcomeSchema = z
  .enum(['downloading', 'working', 'installing', 'refused', 'done', 'went-back', 'stuck'])
  .meta({ id: 'UpgradeOutcome' });
export type UpgradeOutcome = z.infer<typeof UpgradeOutcomeSchema>;

/** The longest reason of an outcome. */
export const MAX_REASON_LENGTH = 2000;

export const EdgeUpgradeReportSchema = z
  .strictObject({
    /** The version that runs. */
    version: PackageVersionSchema,
    /** Null: neither of those that there are packages for. */
    architecture: PackageArchitectureSchema.nullable(),
    /** Whether the site trusts a key for packages; if not, it refuses every order. */
    acceptsOrders: z.boolean(),
    /** The last order of the cloud; null: there was none. */
    upgrade: z
      .strictObject({
        orderId: z.uuid(),
        outcome: UpgradeOutcomeSchema,
        /** The reason of `refused`, `went-back` and `stuck`; null otherwise. */
        reason: TypedTextSchema.max(MAX_REASON_LENGTH).nullable(),
        at: UtcTimeSchema.max(24),
      })
      .nullable(),
  })
  .meta({
    id: 'EdgeUpgradeReport',
    example: {
      version: '0.2.0',
      architecture: 'amd64',
      acceptsOrders: true,
      upgrade: {
        orderId: '0b9f6c7e-4a51-4b53-9d0e-3a1f0f3d2c11',
        outcome: 'went-back',
        reason: 'the daemon does not answer',
        at: '2026-11-23T10:00:00.000Z',
      },
    },
  });
export type EdgeUpgradeReport = z.infer<typeof EdgeUpgradeReportSchema>;

export const UpgradeOrderSchema = z
  .strictObject({
    id: z.uuid(),
    version: PackageVersionSchema,
    bytes: z.int().min(1).max(MAX_PACKAGE_BYTES),
    /** SHA-256 of the package, hexadecimal. */
    sha256: z.string().regex(/^[0-9a-f]{64}$/),
    signature: PackageSignatureSchema,
  })
  .meta({ id: 'UpgradeOrder' });
export type UpgradeOrder = z.infer<typeof UpgradeOrderSchema>;

export const EdgeUpgradeAnswerSchema = z
  .strictObject({
    /** Null: stay with the version that runs. */
    order: UpgradeOrderSchema.nullable(),
  })
  .meta({ id: 'EdgeUpgradeAnswer' });
export type EdgeUpgradeAnswer = z.infer<typeof EdgeUpgradeAnswerSchema>;
