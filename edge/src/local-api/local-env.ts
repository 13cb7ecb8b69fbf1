import type { HttpBindings } from '@hono/node-server';

/** Hono's bindings: event streams write to the connection themselves. */
export interface LocalEnv {
  Bindings: HttpBindings;
}
