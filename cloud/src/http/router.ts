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
  return error.issues.flatMap((issue) => messagesOf(issue));
}

type Issue = ZodError['issues'][number];

/** Of what has several forms: the mistakes by the form that it comes nearest to, or what each of them says of it. */
function messagesOf(issue: Issue, within: readonly PropertyKey[] = []): string[] {
  const path = [...within, ...issue.path];
  const ownWords = issue.message !== 'Invalid input';
  if (issue.code !== 'invalid_union' || ownWords || issue.errors.length === 0) {
    return [placed(path, MISSING.test(issue.message) ? 'is required' : issue.message)];
  }
  const [nearest = [], next] = issue.errors.toSorted((a, b) => a.length - b.length);
  if (next === undefined || nearest.length < next.length) {
    return nearest.flatMap((part) => messagesOf(part, path));
  }
  const all = issue.errors.flatMap((some) => some.flatMap((part) => messagesOf(part)));
  return [placed(path, [...new Set(all)].join(', or '))];
}

function placed(path: readonly PropertyKey[], message: string): string {
  return path.length === 0 ? message : `${path.map(String).join('.')}: ${message}`;
}
