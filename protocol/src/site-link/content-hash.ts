import { canonicalJson } from '../base/canonical-json.ts';
import type { ListKind } from './site-change.ts';

/**
 * The hash of a site's lists: the sum, modulo 2^128, of a 128-bit digest of each item. Adding and taking away one
 * item costs one digest, in whatever order, so both sides keep it up as they go.
 */
const MODULUS = 1n << 128n;

export const EMPTY_HASH = '0'.repeat(32);

/** The text behind an item's digest: kind, id and the item with its keys sorted. */
export function itemText(kind: ListKind, id: string, item: unknown): string {
  return `${kind} ${id} ${canonicalJson(item)}`;
}

/** Adds an item's digest (32 hexadecimal digits) to a hash. */
export function addToHash(hash: string, digest: string): string {
  return hex((BigInt(`0x${hash}`) + BigInt(`0x${digest}`)) % MODULUS);
}

/** Takes an item's digest away from a hash. */
export function takeFromHash(hash: string, digest: string): string {
  return hex((BigInt(`0x${hash}`) - BigInt(`0x${digest}`) + MODULUS) % MODULUS);
}

/** A hash that many items go into: the same as `addToHash` and `takeFromHash` one by one, in a tenth of the time. */
export interface HashSum {
  add(digest: string): void;
  take(digest: string): void;
  hash(): string;
}

export function createHashSum(): HashSum {
  let sum = 0n;
  return {
    add(digest) {
      sum += BigInt(`0x${digest}`);
    },
    take(digest) {
      sum -= BigInt(`0x${digest}`);
    },
    hash: () => hex(((sum % MODULUS) + MODULUS) % MODULUS),
  };
}

function hex(sum: bigint): string {
  return sum.toString(16).padStart(32, '0');
}
