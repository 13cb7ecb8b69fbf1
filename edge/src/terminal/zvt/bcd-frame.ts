/** The nibbles as they are written in hexadecimal: the digits of packed BCD, and `E` and `F` where a card is masked. */
export function nibblesOf(bytes: Uint8Array): string {
  return hexOf(bytes).toUpperCase();
}

/** The number that packed BCD spells, most significant digit first; null where a nibble is no digit. */
export function readBcd(bytes: Uint8Array): number | null {
  const digits = hexOf(bytes);
  return /^\d+$/.test(digits) ? Number(digits) : null;
}

/** Packed BCD of `length` bytes. Throws RangeError where the number does not fit. */
export function writeBcd(value: number, length: number): Uint8Array {
  const digits = String(value);
  if (!/^\d+$/.test(digits) || digits.length > length * 2) {
    throw new RangeError(`${value} does not fit into ${length} bytes of BCD`);
  }
  return bytesOf(digits.padStart(length * 2, '0'));
}

export function hexOf(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** The bytes of an even number of hexadecimal digits. */
export function bytesOf(hex: string): Uint8Array {
  return Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16));
}

export function joinBytes(...parts: readonly ArrayLike<number>[]): Uint8Array {
  const joined = new Uint8Array(parts.reduce((length, part) => length + part.length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}
