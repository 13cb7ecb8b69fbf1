import type { HttpBindings } from '@hono/node-server';

/** Of Hono: event streams write to the connection themselves. */
export interface LocalEnv {
  Bindings: HttpBindings;
}
