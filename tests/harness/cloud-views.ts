import { VisitStatusSchema } from '@hlid/protocol/records/visit';
import { z } from 'zod';

/** The fields of the cloud's responses that the demo and the tests read. Unknown fields are ignored, as in any client. */
export const LoginViewSchema = z.looseObject({ access_token: z.string() });

export const SiteViewSchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  presence: z.looseObject({
    connected: z.boolean(),
    seq: z.int(),
    acknowledged: z.int(),
    feedAt: z.int(),
    lag: z.int(),
  }),
});
export type SiteView = z.infer<typeof SiteViewSchema>;

export const NewSiteViewSchema = z.looseObject({ id: z.string(), secret: z.string() });

/** Any resource of which only the id matters. */
export const IdViewSchema = z.looseObject({ id: z.string() });

export const VisitViewSchema = z.looseObject({
  id: z.string(),
  siteId: z.string(),
  plate: z.string().nullable(),
  status: VisitStatusSchema,
  paymentStatus: z.string().nullable(),
  startedOn: z.string(),
  endedOn: z.string().nullable(),
  price: z.looseObject({ amount: z.int(), currency: z.string() }).nullable(),
  due: z.looseObject({ amount: z.int(), currency: z.string() }).nullable(),
  flags: z.array(z.string()),
});
export type VisitView = z.infer<typeof VisitViewSchema>;

/** The envelope of every list. */
export const listOf = <Item extends z.ZodType>(item: Item) =>
  z.looseObject({
    next: z.string().nullable(),
    previous: z.string().nullable(),
    total: z.int().nullable(),
    data: z.array(item),
  });
