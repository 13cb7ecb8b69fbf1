import { readFile } from 'node:fs/promises';
import { PAY_PATHS } from '@hlid/protocol/pages/pay-paths';
import type { Context, Hono } from 'hono';
import type { PageSources } from '../../platform/card-gateways/gateway.ts';
import { pageAssets, pageDocument, sendFile } from '../../platform/http/built-page.ts';
import type { CloudContext, CloudEnv } from '../../platform/http/cloud-env.ts';
import { noSuchRoute } from '../../platform/http/errors.ts';
import { createRouter } from '../../platform/http/router.ts';
import { siteByCode } from '../../records/sites/choose-site.ts';
import { NO_SOURCES, NOT_BUILT, PAY_PAGE_FOLDER, payPageHeaders } from './pay-page-files.ts';
import { siteGateway } from './pay-site.ts';

/** The payment page at `/pay` and `/pay/{siteCode}`, with the content policy that the site's provider needs. */
export function payPageRoutes({
  db,
  cardGateways,
}: Pick<CloudContext, 'db' | 'cardGateways'>): Hono<CloudEnv> {
  const page = pageDocument(PAY_PAGE_FOLDER);
  const assets = pageAssets(PAY_PAGE_FOLDER);
  const show = (c: Context<CloudEnv>, sources: PageSources) =>
    page === null ? c.text(NOT_BUILT, 503) : c.body(page, 200, payPageHeaders(sources));
  const router = createRouter();
  // A payment that goes on after a reload, and one that a link leads to, may be of any site.
  router.get('/pay', (c) => show(c, allSources(cardGateways)));
  // No payment begins there.
  router.get(PAY_PATHS.objectionPage, (c) => show(c, NO_SOURCES));
  router.get('/pay/:siteCode', async (c) => {
    const site = await db.read((q) => siteByCode(q, c.req.param('siteCode')));
    if (site === null) return show(c, NO_SOURCES);
    return show(c, siteGateway(cardGateways, site.settings)?.pageSources ?? NO_SOURCES);
  });
  router.get('/pay/assets/:file', (c) => {
    const asset = assets.get(c.req.param('file'));
    return asset ? sendFile(c, asset) : noSuchRoute(c);
  });
  router.get('/.well-known/:file', async (c) => {
    const path = domainFile(cardGateways, c.req.param('file'));
    const text = path && (await readFile(path, 'utf8').catch(() => null));
    return text ? c.text(text) : noSuchRoute(c);
  });
  return router;
}

/** The file that a provider of wallets looks for on the domain of the page; null: none of our providers does. */
function domainFile(gateways: CloudContext['cardGateways'], name: string): string | null {
  for (const id of gateways.ids()) {
    const { domainFiles = {} } = gateways.get(id) ?? {};
    if (Object.hasOwn(domainFiles, name)) return domainFiles[name] ?? null;
  }
  return null;
}

function allSources(gateways: CloudContext['cardGateways']): PageSources {
  const all = gateways.ids().flatMap((id) => gateways.get(id)?.pageSources ?? []);
  return {
    script: all.flatMap(({ script }) => script),
    connect: all.flatMap(({ connect }) => connect),
    frame: all.flatMap(({ frame }) => frame),
    form: all.flatMap(({ form }) => form),
  };
}
