/** Decides the URL of a service for people on the same machine: loopback, if it listens on all addresses. */

/** Some browsers refuse to open `0.0.0.0` or `[::]`. */
export function localUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
