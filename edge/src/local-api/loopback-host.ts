/**
 * Whether a Host header names this machine itself, on whatever port (an SSH tunnel changes it). A page on the internet
 * whose own name was made to resolve to 127.0.0.1 (DNS rebinding) gives itself away by that name.
 */
export function isLoopbackHost(host: string | undefined): boolean {
  return host !== undefined && /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d{1,5})?$/i.test(host);
}
