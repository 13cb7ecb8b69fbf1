/** A processor for which packages are made. */
export interface Target {
  /** Debian's name of the architecture. */
  debian: 'amd64' | 'arm64';
  /** The name in Node.js and npm. */
  node: 'x64' | 'arm64';
  /** The name in compilers. */
  triplet: string;
  /** The name in the head of its machine code. */
  elf: string;
  /** The largest pages of memory that kernels for it use where parking runs: those of a Raspberry Pi 5 have 16 KB. */
  maxPageBytes: number;
}

const TARGETS: readonly Target[] = [
  {
    debian: 'amd64',
    node: 'x64',
    triplet: 'x86_64-linux-gnu',
    elf: 'Advanced Micro Devices X86-64',
    maxPageBytes: 4096,
  },
  { debian: 'arm64', node: 'arm64', triplet: 'aarch64-linux-gnu', elf: 'AArch64', maxPageBytes: 16_384 },
];

export const TARGET_NAMES = ['amd64', 'arm64'] as const;

export function targetOf(name: Target['debian']): Target {
  const target = TARGETS.find(({ debian }) => debian === name);
  if (!target) throw new Error(`there is no target ${name}`);
  return target;
}
