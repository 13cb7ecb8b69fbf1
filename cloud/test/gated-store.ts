import type { ObjectStorage } from '../src/platform/storage/object-storage.ts';

/** A store in memory in which a test holds some puts back, so that others come between. */
export class GatedStore implements ObjectStorage {
  readonly stored = new Map<string, { content: Uint8Array; contentType: string }>();
  #held: {
    isHeld: (key: string, content: Uint8Array) => boolean;
    gate: Promise<void>;
    arrived: () => void;
  } | null = null;

  /** @returns when the first held one is there, and what lets it and all others go on */
  hold(isHeld: (key: string, content: Uint8Array) => boolean): {
    arrived: Promise<void>;
    release: () => void;
  } {
    let release: () => void = () => undefined;
    const gate = new Promise<void>((resolve) => {
      release = resolve;
    });
    const arrived = new Promise<void>((resolve) => {
      this.#held = { isHeld, gate, arrived: resolve };
    });
    return { arrived, release: () => release() };
  }

  async put(key: string, content: Uint8Array, contentType: string): Promise<void> {
    const held = this.#held;
    if (held?.isHeld(key, content)) {
      held.arrived();
      await held.gate;
    }
    this.stored.set(key, { content, contentType });
  }

  async get(key: string) {
    const found = this.stored.get(key);
    if (found === undefined) return await Promise.resolve(null);
    const body = new Blob([new Uint8Array(found.content)]).stream();
    return { body, bytes: found.content.byteLength, contentType: found.contentType };
  }

  async delete(key: string): Promise<void> {
    this.stored.delete(key);
    await Promise.resolve();
  }
}
