import { createHash } from 'node:crypto';
import { newId } from '@hlid/node/new-id';
import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { MAX_PACKAGE_BYTES, PackageSignatureSchema } from '@hlid/protocol/site-link/edge-upgrade';
import { auditOf } from '../../people/audit/audit.ts';
import type { Db, Queries } from '../../platform/db/db.ts';
import { type Actor, callerName } from '../../platform/http/caller.ts';
import {
  type RefusedConflict,
  type RefusedInput,
  refusedConflict,
  refusedInput,
} from '../../platform/refused.ts';
import type { ObjectStorage } from '../../platform/storage/object-storage.ts';
import { PACKAGE_ACTIONS } from './package-actions.ts';
import { PACKAGE_CONTENT_TYPE, PACKAGE_MAGIC, packageFileName, packageOf } from './package-files.ts';
import {
  addPackageRow,
  openRollout,
  type PackageRow,
  packagesOfVersion,
  readPackage,
  removePackageRow,
} from './rollout-store.ts';

const auditPackage = auditOf<PackageRow>('edge-package', ({ id: _, signature: _s, ...row }) => row);

interface PackageParts {
  db: Db;
  packages: ObjectStorage;
}

/** A package that is uploaded. */
export interface BroughtPackage {
  /** `hlid-edge_<version>_<architecture>.deb`. */
  fileName: string;
  content: Uint8Array;
  /** The file `.minisig`. */
  signature: string;
}

/**
 * Adds a package of the edge. Its signature is only checked by the sites, which know the key. The same
 * package again replaces its file: no backup has it.
 */
export async function addPackage(
  { db, packages }: PackageParts,
  actor: Actor,
  { fileName, content, signature }: BroughtPackage,
): Promise<{ ok: true; isNew: boolean; row: PackageRow } | RefusedInput | RefusedConflict> {
  const named = packageOf(fileName);
  const signed = PackageSignatureSchema.safeParse(signature.replaceAll('\r\n', '\n'));
  const mistakes = [
    ...(named === null ? [mistake('package-name', 'package')] : []),
    ...(isPackage(content) ? [] : [mistake('not-a-package', 'package')]),
    ...(content.byteLength <= MAX_PACKAGE_BYTES
      ? []
      : [mistake('package-too-large', 'package', { bytes: MAX_PACKAGE_BYTES })]),
    ...(signed.success ? [] : [mistake('package-signature', 'signature')]),
  ];
  if (named === null || !signed.success || mistakes.length > 0) return refusedInput(...mistakes);
  const row: PackageRow = {
    id: newId(),
    ...named,
    bytes: content.byteLength,
    sha256: createHash('sha256').update(content).digest('hex'),
    signature: signed.data,
    addedAt: actor.at,
    addedBy: callerName(actor.caller),
  };
  // Two callers may bring the same version at once: the row decides which file is stored, before one replaces
  // the other.
  const added = await db.write(async (tx) => {
    const there = await samePackage(tx.q, row);
    if (there !== null) return { isNew: false, row: there };
    await addPackageRow(tx.q, row);
    await auditPackage(tx, actor, 'edge-package.add', null, row);
    return { isNew: true, row };
  });
  if (added.row.sha256 !== row.sha256) return otherPackage(row);
  // The program may have ended between the row and the file: the same package again stores the file.
  await packages.put(packageFileName(row), content, PACKAGE_CONTENT_TYPE);
  return { ok: true, ...added };
}

/** Removes a package that no rollout needs. @returns null where there is none */
export async function removePackage(
  { db, packages }: PackageParts,
  actor: Actor,
  id: string,
): Promise<{ ok: true } | RefusedConflict | null> {
  const removed = await db.write(async (tx) => {
    const row = await readPackage(tx.q, id);
    if (row === null) return null;
    const openVersion = (await openRollout(tx.q))?.version ?? null;
    const inUse = PACKAGE_ACTIONS.delete.refuse({ ...row, openVersion });
    if (inUse !== null) return refusedConflict(inUse);
    await removePackageRow(tx.q, id);
    await auditPackage(tx, actor, 'edge-package.remove', row, null);
    return row;
  });
  if (removed === null || 'ok' in removed) return removed;
  await packages.delete(packageFileName(removed));
  return { ok: true };
}

async function samePackage(q: Queries, row: PackageRow): Promise<PackageRow | null> {
  const known = await packagesOfVersion(q, row.version);
  return known.find(({ architecture }) => architecture === row.architecture) ?? null;
}

function otherPackage({ version, architecture }: PackageRow): RefusedConflict {
  return refusedConflict(mistake('other-package', 'package', { version, architecture }));
}

function isPackage(content: Uint8Array): boolean {
  return Buffer.from(content.subarray(0, PACKAGE_MAGIC.length)).toString('latin1') === PACKAGE_MAGIC;
}
