/**
 * Versions of what site and cloud say to each other. Everything within `hlid/v1/` only ever grows, and each side reads
 * what a newer one says by passing over what it does not know (`read-newer.ts`). The first version could not do that:
 * to it only what it knew may be said. So each side has to know what the other reads: the site says it behind the name
 * of its software (a field that the first version reads as any text), the cloud in the `v` of its answer to that, and
 * whoever says nothing reads the first.
 */
export const FIRST_VERSION = 1;
/** What this side reads and, to whoever reads it too, says. */
export const NEWEST_VERSION = 2;

/**
 * The name of a program with the version that it reads, such as `hlid-edge/0.1.0 protocol/2`; between them, where it is
 * known, the mark of the newest change that the site holds: `feed/5c0ffee01dc0ffee`.
 */
export function softwareWithVersion(software: string, feedMark: string | null = null): string {
  return `${software}${feedMark === null ? '' : ` feed/${feedMark}`} protocol/${NEWEST_VERSION}`;
}

/** What a site says by the name of its software: the name by itself, with its version, and the mark. */
export function splitFeedMark(said: string): { software: string; feedMark: string | null } {
  const [, name, feedMark, version] = /^(.*) feed\/([0-9a-f]{16})( protocol\/\d{1,4})$/.exec(said) ?? [];
  if (feedMark === undefined) return { software: said, feedMark: null };
  return { software: `${name}${version}`, feedMark };
}

/** What the program of that name reads. */
export function versionOfSoftware(software: string): number {
  const [, version] = / protocol\/(\d{1,4})$/.exec(software) ?? [];
  return version === undefined ? FIRST_VERSION : Number(version);
}

/** The header in which each side of an HTTP call names the version that it reads. */
export const VERSION_HEADER = 'hlid-protocol';

/** What the other side of an HTTP call reads, by its header. */
export function versionOfHeader(header: string | null | undefined): number {
  return header !== null && header !== undefined && /^\d{1,4}$/.test(header) ? Number(header) : FIRST_VERSION;
}
