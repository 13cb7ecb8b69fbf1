import type { EdgeUpgradeReport } from '@hlid/protocol/site-link/edge-upgrade';
import { z } from 'zod';
import { cloudActor } from '../src/people/audit/audit.ts';
import { addPackage } from '../src/sites/rollouts/edge-packages.ts';
import { findNewestRollout } from '../src/sites/rollouts/find-rollouts.ts';
import { PACKAGE_MAGIC } from '../src/sites/rollouts/package-files.ts';
import type { Answer, Json, TestApi } from './api.ts';

/** A signature as minisign writes it. */
export const SIGNATURE = `untrusted comment: signature from minisign secret key
RUQf6LRCGA9i559r3g7V1qNyJDApGip8MfqcadIgT9CuhV3EMhHoN1mGTkUidF/z7SrlQgXdy8ofjb7bNJJylDOocrCo8KLzZwo=
trusted comment: timestamp:1633700835 file:test prehashed
wLMDjy9FLAuxZ3q4NlEvkgtyhrr0gtTu6KC4KBJdITbbOeAi1zBIYo0v4iTgt8jJpIidRJnp94ABQkJAgAooBQ==
`;

/** The bytes of a package, as far as the cloud looks into it. */
export function packageBytes(content = 'debian-binary'): Uint8Array<ArrayBuffer> {
  return new TextEncoder().encode(`${PACKAGE_MAGIC}${content}`);
}

/** Adds packages of a version, of both architectures. @returns the id of one */
export async function addPackages(api: TestApi, version: string): Promise<string> {
  let id = '';
  for (const architecture of ['amd64', 'arm64']) {
    const fileName = `hlid-edge_${version}_${architecture}.deb`;
    const brought = { fileName, content: packageBytes(`${version} ${architecture}`), signature: SIGNATURE };
    const added = await addPackage(api.context, cloudActor('test', api.now()), brought);
    if (!added.ok) throw new Error(JSON.stringify(added));
    id = added.row.id;
  }
  return id;
}

/** Requests the order of a site; every 0.1.0 is an amd64 that trusts a key. */
export async function askForOrder(
  api: TestApi,
  site: { id: string; secret: string },
  report: Partial<EdgeUpgradeReport> = {},
): Promise<Answer> {
  const usual: EdgeUpgradeReport = {
    version: '0.1.0',
    architecture: 'amd64',
    acceptsOrders: true,
    upgrade: null,
  };
  return await api.call('POST', '/edge/upgrade', {
    body: { ...usual, ...report },
    token: `${site.id}.${site.secret}`,
  });
}

/** Ends the rollout that is not over. */
export async function endRollouts(api: TestApi): Promise<void> {
  const newest = await api.db.read(findNewestRollout);
  if (newest?.overAt === null) await api.call('POST', `/rollouts/${newest.id}/end`);
}

let rollouts = 0;

/** A rollout to the first site, the only one that is not over. */
export async function startedRollout(api: TestApi): Promise<Json & { id: string }> {
  await endRollouts(api);
  rollouts++;
  const version = `1.0.${rollouts}`;
  await addPackages(api, version);
  const { body } = await api.call('POST', '/rollouts', { body: { version, siteIds: [api.site.id] } });
  return z.looseObject({ id: z.string() }).parse(body);
}
