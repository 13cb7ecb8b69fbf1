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
    const message = messageOf(issue);
    return place === '' ? message : `${place}: ${message}`;
  });
}

function messageOf(issue: ZodError['issues'][number]): string {
  if (MISSING.test(issue.message)) return 'is required';
  const ownWords = issue.message !== 'Invalid input';
  if (issue.code !== 'invalid_union' || ownWords || issue.errors.length === 0) return issue.message;
  // What each of the possible forms says of it: `Invalid input` alone helps nobody.
  return [...new Set(issue.errors.flatMap((some) => some.map(messageOf)))].join(', or ');
}
