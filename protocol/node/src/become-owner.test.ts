import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const isRoot = process.getuid?.() === 0;
if (!isRoot) console.warn('Skipped: only root can become another user.');

it.skipIf(!isRoot)('goes on as the owner of a folder, and cannot go back', () => {
  const folder = mkdtempSync(join(tmpdir(), 'hlid-owner-'));
  try {
    chmodSync(folder, 0o755);
    chownSync(folder, 12345, 23456);
    const module = new URL('./become-owner.ts', import.meta.url).href;
    const script = `const { becomeOwner } = await import(${JSON.stringify(module)});
      becomeOwner(${JSON.stringify(folder)});
      let back = 'refused';
      try { process.setuid(0); back = 'done'; } catch {}
      console.log(process.getuid(), process.getgid(), process.getgroups().join(), back);`;
    const args = ['--conditions=source', '--import', 'tsx', '--input-type=module', '--eval', script];
    expect(execFileSync(process.execPath, args, { encoding: 'utf8' }).trim()).toBe(
      '12345 23456 23456 refused',
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
});
