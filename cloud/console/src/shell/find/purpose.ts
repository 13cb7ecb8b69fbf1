const STORED_AS = 'hlid.purpose';

/** Why the person searches for plates, for the audit log. It is kept until the tab is closed. */
export function readPurpose(): string {
  return sessionStorage.getItem(STORED_AS) ?? '';
}

export function storePurpose(purpose: string): void {
  sessionStorage.setItem(STORED_AS, purpose);
}

/** Headers of calls that search for a plate. */
export function purposeHeaders(): Record<string, string> {
  const purpose = readPurpose().trim();
  return purpose === '' ? {} : { 'X-Purpose': encodeURIComponent(purpose) };
}
