/** The version of this release, of all its programs: as in every package.json. */
export const VERSION = '0.2.0';
