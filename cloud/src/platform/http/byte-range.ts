import type { ByteRange } from '@hlid/node/s3-bucket';

/**
 * The range of bytes that a `Range` header requests of content with this number of bytes (RFC 9110, section
 * 14). Invalid headers and several ranges may be ignored, and are.
 *
 * @returns the range; `'all'`: the header is ignored; null: the content ends before the range
 */
export function byteRange(header: string | undefined, bytes: number): ByteRange | 'all' | null {
  const [, from, to] = /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header?.trim() ?? '') ?? [];
  if (from === undefined || to === undefined || (from === '' && to === '')) return 'all';
  const last = bytes - 1;
  if (from === '') {
    const suffix = Math.min(Number(to), bytes);
    return suffix === 0 ? null : { from: bytes - suffix, to: last };
  }
  const range = { from: Number(from), to: to === '' ? last : Math.min(Number(to), last) };
  if (to !== '' && Number(to) < range.from) return 'all';
  return range.from > last ? null : range;
}
