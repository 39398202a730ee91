/** An address that a service listens on: an IP address or name with a port, or a Unix socket, `unix:/run/gatehouse/gatehouse.sock`. */
const UNIX = 'unix:';

/** Path of the socket; `undefined`: the text names no socket. */
export function socketPathOf(hostOrUrl: string): string | undefined {
  return hostOrUrl.startsWith(UNIX) ? hostOrUrl.slice(UNIX.length) : undefined;
}

export function socketUrl(path: string): string {
  return `${UNIX}${path}`;
}
