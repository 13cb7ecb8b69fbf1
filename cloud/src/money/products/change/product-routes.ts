import { createRoute, z } from '@hono/zod-openapi';
import { callerNames } from '../../../people/auth/caller-names.ts';
import { ownRows, seesSite } from '../../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../../platform/http/cloud-env.ts';
import { notFound, REFUSALS, refuse, refuseEdit } from '../../../platform/http/errors.ts';
import { etagOf } from '../../../platform/http/etag.ts';
import { wholeList } from '../../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses, WRITE_REFUSALS } from '../../../platform/http/route-schemas.ts';
import { createRouter } from '../../../platform/http/router.ts';
import { findProduct, listProducts, versionsOfProduct } from '../find-products.ts';
import {
  NewProductSchema,
  ProductEditSchema,
  ProductSchema,
  productFrom,
  ShownProductSchema,
  shownProduct,
} from '../product.ts';
import { ProductVersionSchema, versionFrom } from '../product-version.ts';
import { createProduct, deleteProduct, updateProduct } from './change-products.ts';
import { withdrawPlanned } from './plan-version.ts';

const tags = ['Products'];

const VersionParamsSchema = IdParamSchema.extend({
  version: z.coerce
    .number()
    .int()
    .min(1)
    .openapi({ param: { name: 'version', in: 'path' }, type: 'integer', example: 3 }),
});

const listRoute = createRoute({
  method: 'get',
  path: '/products',
  tags,
  summary: 'List products, newest first',
  request: { query: z.strictObject({}) },
  responses: responses.list(ProductSchema, 'Products'),
});

const newRoute = createRoute({
  method: 'post',
  path: '/products',
  tags,
  summary: 'Create a product; pushed to its sites immediately',
  request: { body: jsonBody(NewProductSchema) },
  responses: responses.write(ShownProductSchema, 'Created'),
});

const getRoute = createRoute({
  method: 'get',
  path: '/products/{id}',
  tags,
  summary: 'Get a product',
  request: { params: IdParamSchema },
  responses: responses.read(ShownProductSchema, 'The product'),
});

const changeRoute = createRoute({
  method: 'put',
  path: '/products/{id}',
  tags,
  summary: 'Update a product; omitted fields are unchanged',
  request: { params: IdParamSchema, body: jsonBody(ProductEditSchema) },
  responses: responses.edit(ShownProductSchema, 'Changed'),
});

const versionsRoute = createRoute({
  method: 'get',
  path: '/products/{id}/versions',
  tags,
  summary:
    'List the versions of a product, newest first: those that held, the present one, and what is planned',
  request: { params: IdParamSchema },
  responses: { ...responses.list(ProductVersionSchema, 'Versions'), ...REFUSALS.notFound },
});

const withdrawRoute = createRoute({
  method: 'delete',
  path: '/products/{id}/versions/{version}',
  tags,
  summary: 'Withdraw a version that is planned and does not hold yet',
  request: { params: VersionParamsSchema },
  responses: { 204: { description: 'Withdrawn' }, ...WRITE_REFUSALS },
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/products/{id}',
  tags,
  summary: 'Delete a product',
  request: { params: IdParamSchema },
  responses: { 204: { description: 'Deleted' }, ...WRITE_REFUSALS },
});

export function productRoutes({ db, clock }: CloudContext) {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const own = ownRows(callerOf(c, 'account', 'role', 'api-key'));
      const rows = await db.read(listProducts);
      const seen = rows.filter(({ siteId }) => siteId === null || seesSite(own, siteId));
      return c.json(wholeList(seen.map(productFrom)), 200);
    })
    .openapi(newRoute, async (c) => {
      const made = await createProduct(db, actorOf(c, clock), c.req.valid('json'));
      if (!made.ok) return refuse(c, 'product', made);
      return c.json(shownProduct(made.product, callerOf(c, 'account')), 303, {
        Location: `/products/${made.product.id}`,
      });
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const row = await db.read((q) => findProduct(q, id));
      return row === null
        ? notFound(c, 'product')
        : c.json(shownProduct(row, callerOf(c, 'account', 'role', 'api-key')), 200, { ETag: etagOf(row) });
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const changed = await updateProduct(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!changed.ok) return refuseEdit(c, 'product', changed);
      return c.json(shownProduct(changed.product, callerOf(c, 'account')), 303, {
        Location: `/products/${id}`,
        ETag: etagOf(changed.product),
      });
    })
    .openapi(versionsRoute, async (c) => {
      const { id } = c.req.valid('param');
      const found = await db.read(async (q) => {
        const product = await findProduct(q, id);
        if (product === null) return null;
        const versions = await versionsOfProduct(q, id);
        const people = versions.flatMap(({ savedBy, withdrawnBy }) => [savedBy, withdrawnBy ?? savedBy]);
        return { product, versions, names: await callerNames(q, new Set(people)) };
      });
      if (found === null) return notFound(c, 'product');
      return c.json(
        wholeList(found.versions.map((row) => versionFrom(row, found.product, found.names))),
        200,
      );
    })
    .openapi(withdrawRoute, async (c) => {
      const { id, version } = c.req.valid('param');
      const withdrawn = await withdrawPlanned(db, actorOf(c, clock), id, version);
      return withdrawn.ok ? c.body(null, 204) : refuse(c, 'product', withdrawn);
    })
    .openapi(deleteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const deleted = await deleteProduct(db, actorOf(c, clock), id);
      return deleted.ok ? c.body(null, 204) : refuse(c, 'product', deleted);
    });
}
