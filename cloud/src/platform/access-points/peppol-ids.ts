/** Identifiers of the Peppol network, with the schemes under which its directory has them. */

/** What a document in Peppol BIS Billing 3.0 claims to keep to (BT-24, BT-23). */
export const BILLING = {
  customization: 'urn:cen.eu:en16931:2017#compliant#urn:fdc:peppol.eu:2017:poacc:billing:3.0',
  profile: 'urn:fdc:peppol.eu:2017:poacc:billing:01:1.0',
} as const;

/** The same of a receipt for a payment by card, by the draft of TS 240 of July 2026. */
export const CARD_RECEIPT = {
  customization: 'urn:fdc:stadlar.is:kort:1.0',
  profile: 'urn:fdc:stadlar.is:ts240:1.0',
} as const;

export type PeppolProfile = typeof BILLING | typeof CARD_RECEIPT;

export type UblRoot = 'Invoice' | 'CreditNote';

/** @param address as documents write it, such as scheme `0196` and a kennitala */
export function participantId({ scheme, id }: { scheme: string; id: string }): string {
  return `iso6523-actorid-upis::${scheme}:${id}`;
}

export function documentTypeId(root: UblRoot, { customization }: PeppolProfile): string {
  const namespace = `urn:oasis:names:specification:ubl:schema:xsd:${root}-2`;
  return `busdox-docid-qns::${namespace}::${root}##${customization}::2.1`;
}

export function processId({ profile }: PeppolProfile): string {
  return `cenbii-procid-ubl::${profile}`;
}
