import type { BodyKind } from '@hlid/protocol/camera/camera-format';

/** The types that cameras and simple clients send without a setting; a missing one is accepted too. */
const VAGUE_TYPES = new Set([
  '',
  'text/plain',
  'application/octet-stream',
  'application/x-www-form-urlencoded',
]);

const PATTERNS: Record<BodyKind, RegExp> = {
  json: /^(?:application|text)\/(?:[\w.-]+\+)?json$/,
  xml: /^(?:application|text)\/(?:[\w.-]+\+)?xml$/,
  multipart: /^multipart\/[\w.-]+$/,
};

/** The names of bodies in refusals. */
export const BODY_NAMES: Record<BodyKind, string> = {
  json: 'JSON (content-type application/json)',
  xml: 'XML (content-type application/xml)',
  multipart: 'multipart (content-type multipart/form-data)',
};

/** Whether a body of this content type can be of one of these kinds. */
export function canBeOneOf(kinds: readonly BodyKind[], contentType: string | undefined): boolean {
  const [type = ''] = (contentType ?? '').split(';');
  const name = type.trim().toLowerCase();
  return VAGUE_TYPES.has(name) || kinds.some((kind) => PATTERNS[kind].test(name));
}
