/**
 * How every gateway sends a request to its provider: once, on a connection of its own. A connection that was idle may have
 * been closed by the provider, and a request that goes out on it breaks with nobody knowing whether it arrived. No redirect
 * is followed, because a key and a card go nowhere else.
 */
export async function fetchProvider(
  address: string | URL,
  request: Omit<RequestInit, 'headers' | 'redirect'> & { headers: Readonly<Record<string, string>> },
): Promise<Response> {
  return await fetch(address, {
    ...request,
    headers: { ...request.headers, connection: 'close' },
    redirect: 'manual',
  });
}
