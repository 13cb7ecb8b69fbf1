import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import { MAX_PACKAGE_BYTES, PackageSignatureSchema } from '@hlid/protocol/site-link/edge-upgrade';
import { createRoute } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import { conflict, errorBody, inputError, notFound, REFUSALS, refusal } from '../../platform/http/errors.ts';
import { wholeList } from '../../platform/http/list-envelope.ts';
import { IdParamSchema, json, responses } from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { addPackage, type BroughtPackage, removePackage } from './edge-packages.ts';
import { findPackages } from './find-rollouts.ts';
import { EdgePackageSchema, packageViews } from './rollout-view.ts';

const tags = ['Rollouts'];

const FORM = 'multipart/form-data';
/** No zod schema: the form is read by the handler. */
const PACKAGE_FORM = {
  schema: {
    type: 'object' as const,
    properties: {
      package: { type: 'string' as const, format: 'binary', maxLength: MAX_PACKAGE_BYTES },
      signature: { type: 'string' as const, maxLength: 2000 },
    },
    required: ['package', 'signature'],
    additionalProperties: false,
  },
  example: { package: '(hlid-edge_0.3.0_amd64.deb)', signature: '(hlid-edge_0.3.0_amd64.deb.minisig)' },
};

const listRoute = createRoute({
  method: 'get',
  path: '/edge-packages',
  tags,
  summary: 'List packages of the edge, newest first',
  responses: responses.list(EdgePackageSchema, 'The packages'),
});

const addRoute = createRoute({
  method: 'post',
  path: '/edge-packages',
  tags,
  summary: 'Add a package of the edge with its signature',
  description:
    'The file name is `hlid-edge_<version>_<amd64|arm64>.deb`, the signature a file of minisign. The sites check it by the keys that ' +
    'they trust; the cloud has none. `curl -F package=@hlid-edge_0.3.0_amd64.deb -F signature=@hlid-edge_0.3.0_amd64.deb.minisig`. ' +
    'No backup has packages: add them again after a restore.',
  request: { body: { required: true, content: { [FORM]: PACKAGE_FORM } } },
  responses: {
    200: { description: 'The same package was added before', content: json(EdgePackageSchema) },
    201: { description: 'Added', content: json(EdgePackageSchema) },
    409: refusal('Another package has this version and architecture'),
    415: refusal('No form'),
    ...REFUSALS.input,
    ...REFUSALS.auth,
  },
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/edge-packages/{id}',
  tags,
  summary: 'Delete a package of the edge',
  request: { params: IdParamSchema },
  responses: { ...responses.delete('Deleted'), 409: refusal('A rollout that is not over needs it') },
});

/** The packages that sites can be upgraded to. */
export function edgePackageRoutes(context: Pick<CloudContext, 'db' | 'clock' | 'packages'>) {
  const { db, clock } = context;
  return createRouter()
    .openapi(listRoute, async (c) =>
      c.json(wholeList(await db.read((q) => findPackages(q, callerOf(c, 'account')))), 200),
    )
    .openapi(addRoute, async (c) => {
      if (!isForm(c)) return c.json(NO_FORM, 415);
      const form = await formOf(c);
      const brought = form && (await packageIn(form));
      if (!brought) return inputError(c, mistake('package-form'));
      const added = await addPackage(context, actorOf(c, clock), brought);
      if (!added.ok && added.reason === 'conflict') return conflict(c, added.mistake);
      if (!added.ok) return inputError(c, ...added.mistakes);
      const [view] = await db.read((q) => packageViews(q, callerOf(c, 'account'), [added.row]));
      return c.json(EdgePackageSchema.parse(view), added.isNew ? 201 : 200);
    })
    .openapi(deleteRoute, async (c) => {
      const removed = await removePackage(context, actorOf(c, clock), c.req.valid('param').id);
      if (removed === null) return notFound(c, 'edge-package');
      return removed.ok ? c.body(null, 204) : conflict(c, removed.mistake);
    });
}

const NO_FORM = errorBody('Unsupported media type', mistake('send-form'));

function contentType(c: Context<CloudEnv>): string {
  return c.req.header('content-type') ?? '';
}

function isForm(c: Context<CloudEnv>): boolean {
  return /^multipart\/form-data\b/i.test(contentType(c));
}

/** Null: it cannot be read. */
async function formOf(c: Context<CloudEnv>): Promise<FormData | null> {
  try {
    // A middleware before may have read the body, and then only its bytes are left.
    if (!c.req.raw.bodyUsed) return await c.req.raw.formData();
    const headers = { 'content-type': contentType(c) };
    return await new Response(await c.req.arrayBuffer(), { headers }).formData();
  } catch {
    return null;
  }
}

/** `curl -F signature=@file` sends a file, `-F 'signature=<file'` a text. */
async function packageIn(form: FormData): Promise<BroughtPackage | null> {
  const file = form.get('package');
  const signed = form.get('signature');
  if (!(file instanceof File) || signed === null) return null;
  const signature = typeof signed === 'string' ? signed : await signatureIn(signed);
  return { fileName: file.name, content: new Uint8Array(await file.arrayBuffer()), signature };
}

async function signatureIn(file: File): Promise<string> {
  // A signature is short: something else is not read.
  return file.size > MAX_SIGNATURE_BYTES ? '' : await file.text();
}

const MAX_SIGNATURE_BYTES = 4 * (PackageSignatureSchema.maxLength ?? 0);
