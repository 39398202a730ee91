/** Decides how people on its own machine reach a service: one that listens on all addresses, by loopback. */

/** No browser has to open `0.0.0.0` or `[::]`, and some refuse to. */
export function localUrl(url: string): string {
  return url.replace('//0.0.0.0:', '//127.0.0.1:').replace('//[::]:', '//[::1]:');
}
