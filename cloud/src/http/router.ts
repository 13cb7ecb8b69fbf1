import { inputWords, shortName } from '@hlid/protocol/words/input-words';
import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { matchedRoutes } from 'hono/route';
import type { ZodError } from 'zod';
import type { CloudEnv } from './cloud-env.ts';
import { inputError } from './errors.ts';

/** A feature's routes: validated, described for OpenAPI, and refused in the one shape. */
export function createRouter(): OpenAPIHono<CloudEnv> {
  return new OpenAPIHono<CloudEnv>({
    defaultHook: (result, c) => (result.success ? undefined : inputError(c, ...inputMessages(result.error))),
  });
}

/** Nobody reads more. */
export const MAX_MESSAGES = 50;
const MAX_PATH_PARTS = 20;

/** What is wrong with the input, each mistake with the place where it stands. */
export function inputMessages(error: ZodError): string[] {
  const messages: string[] = [];
  for (const issue of error.issues) {
    for (const message of messagesOf(issue)) {
      if (messages.length === MAX_MESSAGES) return [...messages, 'There are more mistakes.'];
      messages.push(message);
    }
  }
  return messages;
}

type Issue = ZodError['issues'][number];

/** Of what has several forms: the mistakes by the form that it comes nearest to, or what each of them says of it. */
function messagesOf(issue: Issue, within: readonly PropertyKey[] = []): string[] {
  const path = [...within, ...issue.path];
  const ownWords = issue.message !== 'Invalid input';
  if (issue.code !== 'invalid_union' || ownWords || issue.errors.length === 0) {
    return [placed(path, inputWords(issue))];
  }
  const [nearest = [], next] = issue.errors.toSorted((a, b) => a.length - b.length);
  if (next === undefined || nearest.length < next.length) {
    return nearest.slice(0, MAX_MESSAGES).flatMap((part) => messagesOf(part, path));
  }
  const all = issue.errors.flatMap((some) => some.slice(0, MAX_MESSAGES).flatMap((part) => messagesOf(part)));
  return [placed(path, [...new Set(all)].join(', or '))];
}

function placed(path: readonly PropertyKey[], message: string): string {
  if (path.length === 0) return message;
  return `${path.slice(0, MAX_PATH_PARTS).map(String).map(shortName).join('.')}: ${message}`;
}

/** The route that a request has come to, with its name as in the access table; null where there is none. */
export function routeOf(c: Context): { path: string; name: string } | null {
  const route = matchedRoutes(c).find(({ method }) => method !== 'ALL');
  return route ? { path: route.path, name: `${route.method} ${route.path}` } : null;
}
