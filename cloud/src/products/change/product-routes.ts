import { createRoute, type OpenAPIHono, z } from '@hono/zod-openapi';
import { actorOf } from '../../http/actor-of.ts';
import type { CloudContext, CloudEnv } from '../../http/cloud-env.ts';
import { notFound, refuse } from '../../http/errors.ts';
import { listOf, wholeList } from '../../http/list-envelope.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  LIST_REFUSALS,
  READ_REFUSALS,
  WRITE_REFUSALS,
} from '../../http/route-schemas.ts';
import { createRouter } from '../../http/router.ts';
import { seeOther } from '../../http/see-other.ts';
import { NewProductSchema, ProductEditSchema, ProductSchema, productFrom } from '../product.ts';
import { findProduct, listProducts } from '../product-store.ts';
import { createProduct, deleteProduct, updateProduct } from './change-products.ts';

const tags = ['Products'];

const listRoute = createRoute({
  method: 'get',
  path: '/products',
  tags,
  summary: 'What is sold, newest first',
  request: { query: z.strictObject({}) },
  responses: { 200: { description: 'Products', content: json(listOf(ProductSchema)) }, ...LIST_REFUSALS },
});

const newRoute = createRoute({
  method: 'post',
  path: '/products',
  tags,
  summary: 'Add a product; its sites know it at once',
  request: { body: jsonBody(NewProductSchema) },
  responses: { ...seeOther(ProductSchema, 'Added'), ...WRITE_REFUSALS },
});

const getRoute = createRoute({
  method: 'get',
  path: '/products/{id}',
  tags,
  summary: 'One product',
  request: { params: IdParamSchema },
  responses: { 200: { description: 'The product', content: json(ProductSchema) }, ...READ_REFUSALS },
});

const changeRoute = createRoute({
  method: 'put',
  path: '/products/{id}',
  tags,
  summary: 'Change a product; fields that are not given stay',
  request: { params: IdParamSchema, body: jsonBody(ProductEditSchema) },
  responses: { ...seeOther(ProductSchema, 'Changed'), ...WRITE_REFUSALS },
});

const deleteRoute = createRoute({
  method: 'delete',
  path: '/products/{id}',
  tags,
  summary: 'Take a product off sale',
  request: { params: IdParamSchema },
  responses: { 204: { description: 'Off sale' }, ...WRITE_REFUSALS },
});

export function productRoutes({ db, clock }: CloudContext): OpenAPIHono<CloudEnv> {
  return createRouter()
    .openapi(listRoute, async (c) => {
      const rows = await db.read(listProducts);
      return c.json(wholeList(rows.map(productFrom)), 200);
    })
    .openapi(newRoute, async (c) => {
      const made = await createProduct(db, actorOf(c, clock), c.req.valid('json'));
      if (!made.ok) return refuse(c, 'product', made);
      return c.json(productFrom(made.product), 303, { Location: `/products/${made.product.id}` });
    })
    .openapi(getRoute, async (c) => {
      const { id } = c.req.valid('param');
      const row = await db.read((q) => findProduct(q, id));
      return row === null ? notFound(c, 'product') : c.json(productFrom(row), 200);
    })
    .openapi(changeRoute, async (c) => {
      const { id } = c.req.valid('param');
      const changed = await updateProduct(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!changed.ok) return refuse(c, 'product', changed);
      return c.json(productFrom(changed.product), 303, { Location: `/products/${id}` });
    })
    .openapi(deleteRoute, async (c) => {
      const { id } = c.req.valid('param');
      const deleted = await deleteProduct(db, actorOf(c, clock), id);
      return deleted.ok ? c.body(null, 204) : refuse(c, 'product', deleted);
    });
}
