/** The environment variable that names where in their workspace the programs have been built. */
export const PROGRAMS_BUILT = 'HLID_PROGRAMS_BUILT';

/**
 * The file of a thread, built with its program before the tests: from source, each thread compiles again what it runs.
 * Undefined: nothing has been built.
 */
export function builtThread(workspace: 'cloud' | 'edge', name: string): URL | undefined {
  const built = process.env[PROGRAMS_BUILT];
  return built === undefined ? undefined : new URL(`../../${workspace}/${built}/${name}.js`, import.meta.url);
}
