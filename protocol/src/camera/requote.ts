import { readJson } from './json-border.ts';

/** A heartbeat is short. */
const MAX_BYTES = 4096;

/** The value of JSON with strings in single quotes, as Python prints it; null: it is not that either. */
export function requote(body: Uint8Array): unknown {
  if (body.length > MAX_BYTES) return null;
  const text = new TextDecoder().decode(body);
  const requoted = text.replace(/'((?:[^'\\]|\\.)*)'/g, (_, inside: string) =>
    JSON.stringify(inside.replace(/\\(.)/g, '$1')),
  );
  const json = readJson(new TextEncoder().encode(requoted));
  return json.ok ? json.value : null;
}
