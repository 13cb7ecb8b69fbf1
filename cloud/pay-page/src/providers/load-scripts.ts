const loaded = new Map<string, Promise<void>>();

/** Loads scripts, one after the other and each once. Rejects where one cannot be loaded; then it may be tried again. */
export async function loadScripts(addresses: readonly string[]): Promise<void> {
  for (const address of addresses) {
    const loading = loaded.get(address) ?? loadScript(address);
    loaded.set(address, loading);
    await loading.catch((error: unknown) => {
      loaded.delete(address);
      throw error;
    });
  }
}

function loadScript(address: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script');
    script.src = address;
    script.onload = () => resolve();
    script.onerror = () => reject(new Error('A script of the provider cannot be loaded.'));
    document.head.append(script);
  });
}
