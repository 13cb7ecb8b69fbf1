import { closeSync, constants, copyFileSync, fstatSync, openSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Fault } from '@hlid/protocol/base/fault';
import { MAX_PACKAGE_BYTES, UpgradeOrderSchema } from '@hlid/protocol/site-link/edge-upgrade';
import { z } from 'zod';

/**
 * The folder in which the daemon puts a package that the cloud has ordered, and then the order; root's unit
 * waits for it (hlid-edge-upgrade.path). The daemon is not trusted: its files are claims until the signature
 * is checked.
 */
export function orderFolder(dataDir: string): string {
  return join(dataDir, 'upgrade-order');
}

export const ORDER_FILE = 'order.json';
export const ORDERED_PACKAGE = 'package.deb';

const MAX_ORDER_BYTES = 64 * 1024;

/** The order that the daemon leaves for root, and for itself after a restart. */
export const WrittenOrderSchema = z.object({
  ...UpgradeOrderSchema.pick({ id: true, version: true, signature: true }).shape,
});
export type WrittenOrder = z.infer<typeof WrittenOrderSchema>;

/** Null where there is none that can be used. */
export function readOrder(dataDir: string): WrittenOrder | null {
  try {
    const file = openOwn(dataDir, ORDER_FILE, MAX_ORDER_BYTES);
    try {
      return WrittenOrderSchema.parse(JSON.parse(readFileSync(file, 'utf8')));
    } finally {
      closeSync(file);
    }
  } catch {
    return null;
  }
}

/** Copies the ordered package to where the daemon cannot change it any more. Throws Fault 'config-invalid'. */
export function copyOrderedPackage(dataDir: string, to: string): void {
  const file = openOwn(dataDir, ORDERED_PACKAGE, MAX_PACKAGE_BYTES);
  try {
    copyFileSync(`/proc/self/fd/${file}`, to);
  } finally {
    closeSync(file);
  }
}

/** Opens a file of the daemon's own: root must not read anything else for it, such as what a link points to. */
function openOwn(dataDir: string, name: string, maxBytes: number): number {
  const path = join(orderFolder(dataDir), name);
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  const found = fstatSync(file);
  if (found.isFile() && found.uid === statSync(dataDir).uid && found.size <= maxBytes) return file;
  closeSync(file);
  throw new Fault('config-invalid', `${path} is no file of the daemon, or too long`);
}
