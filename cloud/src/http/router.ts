import { OpenAPIHono } from '@hono/zod-openapi';
import type { ZodError } from 'zod';
import type { CloudEnv } from './cloud-env.ts';
import { inputError } from './errors.ts';

/** A feature's routes: validated, described for OpenAPI, and refused in the one shape. */
export function createRouter(): OpenAPIHono<CloudEnv> {
  return new OpenAPIHono<CloudEnv>({
    defaultHook: (result, c) => (result.success ? undefined : inputError(c, ...inputMessages(result.error))),
  });
}

const MISSING = /, received undefined$/;

/** Every mistake, each with the place where it stands. */
export function inputMessages(error: ZodError): string[] {
  return error.issues.map((issue) => {
    const place = issue.path.map(String).join('.');
    const message = MISSING.test(issue.message) ? 'is required' : issue.message;
    return place === '' ? message : `${place}: ${message}`;
  });
}
