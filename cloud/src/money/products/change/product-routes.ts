import { createRoute, z } from '@hono/zod-openapi';
import { ownRows, seesSite } from '../../../platform/http/caller.ts';
import { actorOf, type CloudContext, callerOf } from '../../../platform/http/cloud-env.ts';
import { notFound, refuse, refuseEdit } from '../../../platform/http/errors.ts';
import { etagOf } from '../../../platform/http/etag.ts';
import { wholeList } from '../../../platform/http/list-envelope.ts';
import { IdParamSchema, jsonBody, responses, WRITE_REFUSALS } from '../../../platform/http/route-schemas.ts';
import { createRouter } from '../../../platform/http/router.ts';
import { findProduct, listProducts } from '../find-products.ts';
import {
  NewProductSchema,
  ProductEditSchema,
  ProductSchema,
  productFrom,
  ShownProductSchema,
  shownProduct,
} from '../product.ts';
import { createProduct, deleteProduct, updateProduct } from './change-products.ts';

const tags = ['Products'];

const STEP_UP_TEXT = 'For a product of every site, an operator’s session has to be stepped up.';

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
  description: STEP_UP_TEXT,
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
  description: STEP_UP_TEXT,
  request: { params: IdParamSchema, body: jsonBody(ProductEditSchema) },
  responses: responses.edit(ShownProductSchema, 'Changed'),
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/products/{id}',
  tags,
  summary: 'Delete a product',
  description: STEP_UP_TEXT,
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
    .openapi(deleteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const deleted = await deleteProduct(db, actorOf(c, clock), id);
      return deleted.ok ? c.body(null, 204) : refuse(c, 'product', deleted);
    });
}
