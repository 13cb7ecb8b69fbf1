import type { ByteRange } from '@hlid/node/s3-bucket';

/**
 * What a `Range` header asks of content with so many bytes (RFC 9110, section 14): one range of bytes. Headers that
 * are none, or name several ranges, may be passed over, and are.
 *
 * @returns the range; `'all'` where the header is to be passed over; null where the content ends before it
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
