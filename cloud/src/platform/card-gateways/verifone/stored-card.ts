import { z } from 'zod';

/**
 * A stored card: Verifone's reuse token, and the references of the payment at which the driver agreed. A charge without
 * the driver needs all of them ("Stored Credentials"), and the border of gateways has one text for a token.
 */
const StoredCardSchema = z.tuple([
  z.string().min(14).max(255),
  z.string().max(255).nullable(),
  z.string().max(255).nullable(),
]);

export interface StoredCard {
  reuseToken: string;
  reference: string | null;
  schemeReference: string | null;
}

export function writeStoredCard({ reuseToken, reference, schemeReference }: StoredCard): string {
  return Buffer.from(JSON.stringify([reuseToken, reference, schemeReference])).toString('base64url');
}

/** Null: it is not a token of this gateway. */
export function readStoredCard(token: string): StoredCard | null {
  try {
    const [reuseToken, reference, schemeReference] = StoredCardSchema.parse(
      JSON.parse(Buffer.from(token, 'base64url').toString()),
    );
    return { reuseToken, reference, schemeReference };
  } catch {
    return null;
  }
}
