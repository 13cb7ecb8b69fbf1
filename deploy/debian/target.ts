/** A processor for which packages are made. */
export interface Target {
  /** As Debian names it. */
  debian: 'amd64' | 'arm64';
  /** As Node.js and npm name it. */
  node: 'x64' | 'arm64';
  /** As compilers name it. */
  triplet: string;
}

const TARGETS: readonly Target[] = [
  { debian: 'amd64', node: 'x64', triplet: 'x86_64-linux-gnu' },
  { debian: 'arm64', node: 'arm64', triplet: 'aarch64-linux-gnu' },
];

export const TARGET_NAMES = ['amd64', 'arm64'] as const;

export function targetOf(name: Target['debian']): Target {
  const target = TARGETS.find(({ debian }) => debian === name);
  if (!target) throw new Error(`there is no target ${name}`);
  return target;
}
