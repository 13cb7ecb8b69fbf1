/** The environment variable that names where in their workspace the programs have been built. */
export const PROGRAMS_BUILT = 'HLID_PROGRAMS_BUILT';
